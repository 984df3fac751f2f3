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
package io.github.hybridhbase.hdfs;

import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** One entry of a directory listing: a directory, or a file with its blocks. */
@InterfaceAudience.Private
public final class ListingEntry {
  private final Path path;
  private final byte policy;
  private final boolean erasureCoded;
  private final FileBlocks file;
  private final String owner;

  private ListingEntry(
      Path path, byte policy, boolean erasureCoded, FileBlocks file, String owner) {
    this.path = path;
    this.policy = policy;
    this.erasureCoded = erasureCoded;
    this.file = file;
    this.owner = owner;
  }

  public static ListingEntry directory(Path path, byte policy, boolean erasureCoded) {
    return new ListingEntry(path, policy, erasureCoded, null, "");
  }

  public static ListingEntry file(FileBlocks file, boolean erasureCoded) {
    return new ListingEntry(file.path(), file.policy(), erasureCoded, file, "");
  }

  public ListingEntry ownedBy(String user) {
    return new ListingEntry(path, policy, erasureCoded, file, user);
  }

  public String owner() {
    return owner;
  }

  public Path path() {
    return path;
  }

  public byte policy() {
    return policy;
  }

  public boolean erasureCoded() {
    return erasureCoded;
  }

  public Optional<FileBlocks> file() {
    return Optional.ofNullable(file);
  }
}
