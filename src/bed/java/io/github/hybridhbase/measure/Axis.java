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
package io.github.hybridhbase.measure;

import java.util.Arrays;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/** What cells differ in; the order is that in which combinations are gone through. */
@InterfaceAudience.Private
enum Axis {
  EXPERIMENT("ycsb", "ycsb, compaction, recovery"),
  WORKLOAD("A", "update, A to F"),
  SYNC("hflush", "hflush, durable"),
  THREADS("16", "of the client; 16"),
  TARGET("0", "operations a second; 0 for as many as go"),
  KEYS("own", String.join(", ", Mix.KEYS) + "; the workload's own"),
  BLOCK("64", "KB of a block of store files; 64"),
  SHARE("0", "bucket cache, or files of hot rows, in percent of the data"),
  READS("devices", "devices, or memory: no bound, and all is read before"),
  SLOWER("1", "all devices are made that many times slower; 1"),
  SETUP("hdd", "several behind commas, as all of these: see below"),
  ROUND("1", "");

  /** The value where nothing else is said. */
  final String base;

  final String meaning;

  Axis(String base, String meaning) {
    this.base = base;
    this.meaning = meaning;
  }

  /** One by its label, by which results are found again; says which there are. */
  static <E extends Enum<E>> E of(Class<E> kind, String label) {
    String there = Arrays.toString(kind.getEnumConstants());
    return Arrays.stream(kind.getEnumConstants())
        .filter(
            each ->
                each.toString().equals(label) || each.name().toLowerCase(Locale.ROOT).equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(label + " is none of " + there));
  }

  /** In results, and as an option. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
