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
package io.github.hybridhbase.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.runtime.MetricDeclaration.Declared;
import io.github.hybridhbase.runtime.WalMetrics.Medium;
import io.github.hybridhbase.runtime.WalMetrics.OpenWal;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class WalMetricsTest {
  private final MetricRegistry registry =
      new MetricRegistryImpl(new MetricRegistryInfo("Test", "", "Test", "", false));
  private final WalMetrics metrics = new WalMetrics(new Declared(registry));

  private long count(String label) {
    return ((Counter) registry.get(label).orElseThrow()).getCount();
  }

  private long gauge(String label) {
    return (Long) ((Gauge<?>) registry.get(label).orElseThrow()).getValue();
  }

  private static OpenWal wal(int onSsd, int replicas) {
    return new OpenWal(onSsd, replicas, 3, false);
  }

  @Test
  void bytesCountOnceForEachReplicaOnItsMedium() {
    metrics.appended(wal(3, 3), 10);
    metrics.appended(wal(1, 3), 100);
    metrics.appended(wal(0, 2), 1_000);
    metrics.appended(OpenWal.UNKNOWN, 7);
    assertEquals(30 + 100, count("walBytesSsd"));
    assertEquals(200 + 2_000, count("walBytesDisk"));
    assertEquals(7, count("walBytesUnknown"));
  }

  private Histogram spread(String label) {
    return (Histogram) registry.get(label).orElseThrow();
  }

  private void moves(OpenWal wal, String rolls, String open, String micros, String edits) {
    metrics.opened("a", "a.log", wal);
    assertEquals(1, gauge(open), open);
    metrics.synced(metrics.rolled("a", "a.log"), 3_000, 5);
    assertEquals(1, count(rolls), rolls);
    assertEquals(1, spread(micros).getCount(), micros);
    assertEquals(3, spread(micros).snapshot().getMax(), micros);
    assertEquals(5, spread(edits).snapshot().getMax(), edits);
    metrics.ended("a");
    assertEquals(0, gauge(open), open);
  }

  @Test
  void eachMediumHasItsOwn() {
    moves(wal(3, 3), "walRollsSsd", "walsOpenSsd", "walSyncMicrosSsd", "walSyncEditsSsd");
    moves(wal(1, 3), "walRollsMixed", "walsOpenMixed", "walSyncMicrosMixed", "walSyncEditsMixed");
    moves(wal(0, 3), "walRollsDisk", "walsOpenDisk", "walSyncMicrosDisk", "walSyncEditsDisk");
    moves(
        OpenWal.UNKNOWN,
        "walRollsUnknown",
        "walsOpenUnknown",
        "walSyncMicrosUnknown",
        "walSyncEditsUnknown");
  }

  @Test
  void openWalsAreCountedByMediumReplicasAndDurability() {
    metrics.opened("a", "a.log", wal(3, 3));
    metrics.opened("a", "a.meta", wal(0, 2));
    metrics.opened("b", "b.log", new OpenWal(3, 3, 3, true));
    assertEquals(2, gauge("walsOpenSsd"));
    assertEquals(1, gauge("walsOpenDisk"));
    assertEquals(1, gauge("walsUnderReplicated"));
    assertEquals(1, gauge("walsHsync"));
    assertEquals(2, gauge("walsHflush"));
    metrics.durable("a.log", true);
    metrics.durable("of a server that is gone", true);
    assertEquals(2, gauge("walsHsync"));
    assertEquals(1, gauge("walsHflush"));

    assertEquals(Medium.SSD, metrics.rolled("a", "a.log").medium());
    assertEquals(Medium.UNKNOWN, metrics.rolled("a", "another").medium());

    metrics.opened("a", "a.log", wal(0, 3));
    assertEquals(2, gauge("walsOpenDisk"));
    metrics.ended("a");
    metrics.ended("b");
    assertEquals(0, gauge("walsOpenSsd") + gauge("walsOpenDisk") + gauge("walsHflush"));
  }
}
