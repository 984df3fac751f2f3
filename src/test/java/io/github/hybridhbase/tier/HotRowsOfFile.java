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

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** Reads which rows a store file holds. */
@InterfaceAudience.Private
final class HotRowsOfFile {
  private HotRowsOfFile() {}

  /** How many rows of numbers that are multiples of {@code oneIn} the file holds. */
  static int count(HStoreFile file, int rows, int oneIn, IntFunction<byte[]> row)
      throws IOException {
    Set<String> wanted = new HashSet<>();
    for (int i = 0; i < rows; i += oneIn) {
      wanted.add(Bytes.toString(row.apply(i)));
    }
    int found = 0;
    HFileScanner scanner = file.getReader().getScanner(false, true);
    for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
      found += wanted.contains(Bytes.toString(CellUtil.cloneRow(scanner.getCell()))) ? 1 : 0;
    }
    return found;
  }
}
