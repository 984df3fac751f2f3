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
package io.github.hybridhbase.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What {@code /prometheus} of a master and a RegionServer of HBase 2.6.4 showed in one run of
 * {@code MetricsIT}, in three states of the cluster.
 */
@InterfaceAudience.Private
enum RecordedScrape {
  /** Some hundred rows written, flushed and compacted. */
  HEALTHY,
  /** Every SSD of every DataNode is full. */
  FULL,
  /** The SSDs have space again; a DataNode has just stalled. */
  STALLED;

  static final Path DIRECTORY = Path.of("src/test/resources/prometheus");

  /** Instances, as the recordings have them. */
  static final String MASTER = "m0";

  static final String SERVER = "rs0";

  /** Value by series, each with the label {@code instance}. */
  Map<String, String> series() throws IOException {
    Path file = DIRECTORY.resolve("scrape-" + name().toLowerCase(Locale.ROOT) + ".txt");
    Map<String, String> values = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      int end = line.lastIndexOf(' ');
      values.put(line.substring(0, end), line.substring(end + 1));
    }
    return values;
  }

  /** A series with the label {@code cluster} added. */
  static String labelled(String series, String cluster) {
    return series.replace("{", "{cluster=\"" + cluster + "\",");
  }
}
