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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** What must hold of a bed with the plugin at every step. */
@InterfaceAudience.Private
final class Health {
  private final Bed bed;

  Health(Bed bed) {
    this.bed = bed;
  }

  /** Every row reads back, and no server has aborted. */
  void unharmed(Load load, String after) throws IOException {
    System.out.println(after + ": " + load.rows() + " rows");
    load.assertAllThere();
    assertEquals(List.of(), bed.aborts(), after);
  }

  /**
   * Every WAL that is being written is on a medium: one of each RegionServer and of the master's
   * store at least.
   */
  void walsOn(String medium, String after) throws IOException, InterruptedException {
    bed.await(
        after + ": WALs on " + medium,
        () -> {
          BedWals open = BedWals.of(bed);
          System.out.println(after + ": " + open);
          return open.allOn(medium);
        });
  }

  /**
   * The plugin's writer writes every RegionServer's WAL, told by hsyncs that only it makes
   * (hbase.hybrid.wal.hsync=auto); else the server says that it is not in force.
   */
  void writerInForceOrSaid(String after) throws IOException, InterruptedException {
    for (ServerProcess server : bed.processes(Role.REGIONSERVER)) {
      JsonNode missing = bed.hbase(server, "name=Hybrid,sub=Version").path("NotInForce");
      if (missing.size() > 0) {
        System.out.println(after + ": " + server.name() + " says not in force: " + missing);
        assertFalse(server.saying("Not in force for the WALs").isEmpty(), after);
      } else {
        // HBase's metrics are some seconds old.
        bed.await(
            after + ": the plugin's writer writes the WALs of " + server.name(),
            () -> bed.plugin(server).path("WalsDurable").asInt() > 0);
      }
    }
  }

  /** All of it, with WALs on SSD. */
  void good(Load load, String after) throws IOException, InterruptedException {
    unharmed(load, after);
    walsOn("SSD", after);
    writerInForceOrSaid(after);
  }
}
