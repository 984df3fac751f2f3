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

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** An exception for a record that stays as it is because another version wrote it. */
@InterfaceAudience.Private
public final class ForeignRecordException extends IOException {
  private static final long serialVersionUID = 1;

  public ForeignRecordException(String name, Path path, String text) {
    super(describe(name, path, text));
  }

  /** The record and the remedy, two sentences. */
  public static String describe(String name, Path path, String text) {
    String plain = path.toUri().getPath();
    return name
        + " on "
        + plain
        + " was written by another version of the plugin, or by somebody else: '"
        + text
        + "'. Use that version's hbase-hybrid; or, if the record is of no use, remove it with 'hdfs"
        + " dfs -setfattr -x "
        + name
        + " "
        + plain
        + "'.";
  }
}
