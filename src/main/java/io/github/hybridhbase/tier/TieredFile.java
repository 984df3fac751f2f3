/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.hybridhbase.tier;

import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** A closed store file with replicas on SSD, as HDFS showed it. Immutable. */
@InterfaceAudience.Private
final class TieredFile {
  private final Path path;
  private final String table;
  private final String name;
  private final long bytes;
  private final long dueMillis;
  private final boolean archived;
  private final boolean sticky;

  /**
   * Describes a file.
   *
   * @param name what the store calls it: its own name, or that of a reference to it
   * @param bytes of its replicas on SSD
   * @param dueMillis when it must go, in milliseconds since 1970
   * @param archived whether HBase is done with it and will delete it
   * @param sticky whether it has a policy of its own that keeps it on SSD
   */
  TieredFile(
      Path path,
      String table,
      String name,
      long bytes,
      long dueMillis,
      boolean archived,
      boolean sticky) {
    this.path = path;
    this.table = table;
    this.name = name;
    this.bytes = bytes;
    this.dueMillis = dueMillis;
    this.archived = archived;
    this.sticky = sticky;
  }

  Path path() {
    return path;
  }

  /** The path without scheme and host. */
  String key() {
    return path.toUri().getPath();
  }

  String table() {
    return table;
  }

  String name() {
    return name;
  }

  long bytes() {
    return bytes;
  }

  long dueMillis() {
    return dueMillis;
  }

  boolean archived() {
    return archived;
  }

  boolean sticky() {
    return sticky;
  }

  @Override
  public String toString() {
    return key() + " " + bytes + (archived ? " archived" : "") + " due " + dueMillis;
  }
}
