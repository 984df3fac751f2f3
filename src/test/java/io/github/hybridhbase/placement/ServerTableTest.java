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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class ServerTableTest {
  @Test
  void aServerHasTheMediaOfItsOpenWalsAndItsSlowestSyncs() {
    ServerPlugin a = new ServerPlugin("a", Observed.at(Optional.of("1.0")), Observed.at(true));
    a.metrics =
        Optional.of(
            JsonParser.parseString(
                    "{'WalsOpenSsd': 2, 'WalsOpenDisk': 1, 'WalsOpenMixed': 0, 'WalFallbacks': 3,"
                        + "'WalFailovers': 4, 'WalSyncMicrosSsd_99th_percentile': 900,"
                        + "'WalSyncMicrosDisk_99th_percentile': 21300,"
                        + "'WalSyncMicrosMixed_99th_percentile': 99999}")
                .getAsJsonObject());
    a.lastEvent = "2026-11-29T07:00:00Z fall-back: no SSD with space";
    ServerPlugin without = new ServerPlugin("b", Observed.at(Optional.empty()), Observed.at(true));
    assertEquals(
        List.of(List.of("a", "2 on SSD, 1 on DISK", "3", "4", a.lastEvent, "21.3 ms")),
        ServerTable.of(List.of(a, without)).rows);
  }
}
