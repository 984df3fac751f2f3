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
package io.github.hybridhbase.bed;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a cluster of separate processes lives through with the plugin. The short form runs in every
 * build, on the line that once failed it; {@code -Dhbase.line=2.5.13} chooses another.
 */
@Tag("long")
class ScenarioIT {
  private static final int ROWS = 300;

  static List<Line> lines() throws IOException {
    return Lines.all();
  }

  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  @ParameterizedTest
  @MethodSource("lines")
  void everyRowIsThereAfterKillsAndARestartOfEverything(Line line) throws Exception {
    try (OwnedBed bed = bed(line)) {
      Health health = new Health(bed);
      bed.start();
      try (Load load = new Load(bed)) {
        loseADataNode(bed, load);

        ServerProcess server = bed.process("rs1");
        server.kill();
        load.put(ROWS);
        health.unharmed(load, "a RegionServer killed");
        server.start();
        bed.awaitHBase();
        health.good(load, "and started again");
      }
      bed.end();
      bed.start();
      try (Load load = new Load(bed)) {
        load.expect(5 * ROWS);
        load.put(ROWS);
        health.good(load, "everything restarted");
      }
    }
  }

  private static OwnedBed bed(Line line) throws Exception {
    BedSpec spec =
        BedSpec.of(line)
            .regionServers(2)
            .plugin(Installation.plugin(), Installation.site())
            // Only the plugin's writer does that: so it can be told.
            .set("hbase.hybrid.wal.hsync", "auto")
            // Two replicas are a refusal: how soon WALs go back to SSD when there are three again.
            .set("hbase.hybrid.ssd.retry", "5s");
    return OwnedBed.make(spec);
  }

  /** First start, load, a DataNode killed, WALs rolled, it comes back, WALs rolled. */
  private static void loseADataNode(Bed bed, Load load) throws Exception {
    Health health = new Health(bed);
    load.createTable();
    load.put(ROWS);
    health.good(load, "first start");

    ServerProcess dataNode = bed.process("dn1");
    dataNode.kill();
    load.put(ROWS);
    load.roll();
    load.put(ROWS);
    // Two replicas are all there can be: on which medium is not looked at.
    health.unharmed(load, "a DataNode killed, WALs rolled");

    dataNode.start();
    bed.awaitHdfs();
    load.roll();
    load.put(ROWS);
    health.good(load, "it came back, WALs rolled");
  }
}
