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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Phoenix on one bed with the whole plugin: it writes, each RegionServer dies with what it had in
 * its WAL alone, it reads all of it; its files are born on SSD and end on DISK by compactions.
 * {@code -Dbed.neighbours=true} for its jars.
 */
@InterfaceAudience.Private
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class NeighboursIT {
  private static final String CODEC =
      "org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec";
  private static final String FLUSHED = "1000";
  private static final String ALL = "2000";
  private static final List<String> PHOENIX = List.of("THINGS", "BY_COLOUR");

  private static OwnedBed bed;
  private static boolean died;

  @BeforeAll
  static void start() throws Exception {
    BedSpec spec =
        Neighbour.spec()
            .beside(Neighbour.of("phoenix").jars())
            .set("hbase.regionserver.wal.codec", CODEC)
            // The hooks that may let a write wait are in the way too.
            .set("hbase.hybrid.tier.write.delay", "1000ms");
    bed = Neighbour.start(spec);
  }

  @AfterAll
  static void end() throws Exception {
    if (bed != null) {
      bed.close();
    }
  }

  @AfterEach
  void nothingIsHarmed() throws Exception {
    Neighbour.assertUnharmed(bed, "at the end");
  }

  /** One after the other, so that each table's has: where its regions are is HBase's choice. */
  private static void eachServerHasDied() throws Exception {
    if (died) {
      return;
    }
    died = true;
    for (ServerProcess server : bed.processes(Role.REGIONSERVER)) {
      server.kill();
      server.start();
      bed.awaitHBase();
    }
  }

  private static void drained(String... tables) throws Exception {
    for (String table : tables) {
      Neighbour.flush(bed, table);
    }
    for (String table : tables) {
      Neighbour.awaitFilesOn(bed, "DISK", "default/" + table);
    }
  }

  // ---- Phoenix, whose codec writes the WAL's entries

  private static void phoenix(String step, String from, String to) throws Exception {
    String port = bed.keys().get("hbase.zookeeper.property.clientPort");
    String url = "jdbc:phoenix:" + Ports.LOOPBACK + ":" + port + ":/hbase";
    List<Path> before = new ArrayList<>(List.of(bed.conf()));
    before.addAll(bed.jars());
    Neighbour.of("phoenix").program(bed, before, "PhoenixClient.java", url, step, from, to);
  }

  @Test
  @Order(1)
  void phoenixWrites() throws Exception {
    phoenix("create", "0", "0");
    phoenix("write", "0", FLUSHED);
    for (String table : PHOENIX) {
      Neighbour.flush(bed, table);
      Neighbour.awaitFilesOn(bed, "SSD", "default/" + table);
    }
    phoenix("write", FLUSHED, ALL);
    phoenix("read", "0", ALL);
  }

  @Test
  @Order(2)
  void phoenixReadsThroughTableAndIndexesAfterADeath() throws Exception {
    eachServerHasDied();
    phoenix("read", "0", ALL);
    drained(PHOENIX.toArray(new String[0]));
    phoenix("read", "0", ALL);
  }
}
