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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.report.Text;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** A sum, by target policy, of the closed files that HDFS would move if asked. Not thread-safe. */
@InterfaceAudience.Private
final class PendingMoves {
  private static final class Sum {
    private long files;
    private long bytes;
  }

  private final Map<StoragePolicy, Sum> sums = new EnumMap<>(StoragePolicy.class);

  void add(FileContext context, FileBlocks file, StoragePolicy wanted) {
    if (Expectation.movable(context, file, wanted)) {
      Sum sum = sums.computeIfAbsent(wanted, any -> new Sum());
      sum.files++;
      sum.bytes += file.misplacedBytes(wanted);
    }
  }

  boolean isEmpty() {
    return sums.isEmpty();
  }

  /** Equal for figures of the same order of magnitude. */
  String magnitude() {
    return sums.entrySet().stream()
        .map(one -> one.getKey() + digits(one.getValue().files) + digits(one.getValue().bytes))
        .collect(Collectors.joining());
  }

  private static String digits(long number) {
    return " " + Long.toString(number).length();
  }

  private static String media(StoragePolicy policy) {
    switch (policy) {
      case ALL_SSD:
        return "SSD";
      case ONE_SSD:
        return "SSD and DISK";
      case WARM:
        return "DISK and ARCHIVE";
      case COLD:
        return "ARCHIVE";
      default:
        return "DISK";
    }
  }

  @Override
  public String toString() {
    return sums.entrySet().stream()
        .map(
            one ->
                one.getValue().files
                    + (one.getValue().files == 1 ? " file with " : " files with ")
                    + Text.bytes(one.getValue().bytes)
                    + " of replicas to "
                    + media(one.getKey()))
        .collect(Collectors.joining(", "));
  }
}
