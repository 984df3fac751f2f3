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

import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/** What may differ between two cells. The order is that of a cell's id. */
@InterfaceAudience.Private
enum Axis {
  /** {@link Experiment}. */
  EXPERIMENT("ycsb"),
  WORKLOAD("A"),
  /** {@code hflush} or {@code durable}. */
  SYNC("hflush"),
  THREADS("16"),
  /** Operations a second, 0 for as many as go; or a share of what all HDD does, as {@code 80%}. */
  TARGET("0"),
  /** The distribution of keys; {@code own} for the workload's. */
  KEYS("own"),
  /** Kilobytes of a block of the store files. */
  BLOCK("64"),
  /** Size of a bucket cache on SSD, or of files of hot rows, in percent of the data; 0 for none. */
  SHARE("0"),
  /**
   * {@code memory}: HBase's block cache holds all rows, and a page cache without a bound the files;
   * or {@code devices}.
   */
  READS("devices"),
  /** How many times slower than they are said to be all devices are made. */
  SLOWER("1"),
  SETUP("hdd"),
  ROUND("1");

  private final String base;

  Axis(String base) {
    this.base = base;
  }

  /** The value where nothing else is said. */
  String base() {
    return base;
  }

  /** In results. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
