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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.hybridhbase.bed.SiteFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.yetus.audience.InterfaceAudience;

/** What all cells of a run have in common. */
@InterfaceAudience.Private
final class RunSettings {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Where the checkout is: its class files and site file are measured. */
  final Path base = Path.of(System.getProperty("hybrid.basedir", "")).toAbsolutePath();

  /** A name for the devices: {@code paper}, {@code today}, {@code given}. */
  final String devices;

  final long rows;

  /** Of a row's 1,000 bytes; an update writes one of them. */
  final int fields;

  final int seconds;
  final int warm;
  final Scale scale;

  /** Units of 10⁶ bytes of WAL that a RegionServer has when it is killed. */
  final int walMb;

  /** Reads a row from which hot rows are learnt; 0 for none, and no compaction by them. */
  final double learn;

  /** Above all other keys, of all processes. */
  final Map<String, String> keys = new TreeMap<>();

  RunSettings(CommandLine line) {
    devices = line.getOptionValue("devices", "given");
    rows = BenchOptions.number(line, "rows");
    fields = BenchOptions.number(line, "fields");
    seconds = BenchOptions.number(line, "seconds");
    warm = BenchOptions.number(line, "warm");
    walMb = BenchOptions.number(line, "wal-mb");
    learn = Double.parseDouble(line.getOptionValue("learn"));
    scale =
        Scale.of(
            rows,
            Double.parseDouble(line.getOptionValue("memory-ratio")),
            Double.parseDouble(line.getOptionValue("tier-percent")));
    line.getOptionProperties("D").forEach((key, value) -> keys.put((String) key, (String) value));
  }

  /** Of all set-ups. */
  Map<String, String> commonKeys() {
    return new TreeMap<>(SiteFile.read(base.resolve("bench/site.xml")));
  }

  /** How long rows are read at first. */
  long learnSeconds() {
    return (long) (learn * rows / HotLearning.READS_PER_SECOND);
  }

  /** How long rows are read by which those of a share are chosen. */
  long renewSeconds() {
    return Math.max(HotLearning.LEAST_SECONDS, learnSeconds() / 4);
  }

  /** What a file of results is bound to. */
  ObjectNode describe() {
    ObjectNode all = JSON.createObjectNode();
    all.put("devices", devices);
    all.put("fields", fields);
    all.put("seconds", seconds);
    all.put("warmSeconds", warm);
    all.put("walMb", walMb);
    all.put("learningReadsPerRow", learn);
    all.set("scale", JSON.valueToTree(scale.describe()));
    all.set("keys", JSON.valueToTree(keys));
    all.set("keysOfAllSetUps", JSON.valueToTree(commonKeys()));
    return all;
  }
}
