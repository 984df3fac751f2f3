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
package io.github.hybridhbase.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** When a compaction for hot rows pays. */
@InterfaceAudience.Private
class HeatDecisionTest {
  private static final long TEN_GB = 10_000_000_000L;
  private static final long FLUSH = 128L << 20;

  private static double payback(double readsPerSecond, double caught) {
    return HeatDecision.payback(TEN_GB, 3, 0, readsPerSecond * HeatDecision.gain(0, caught));
  }

  /** 10 GB, three replicas: 400 s of the disks; 35 seeks a second saved are 0.28 of one. */
  @Test
  void paybackIsDiskTimeByDiskTime() {
    assertEquals(400 / (35 * 0.008), payback(50, 0.7), 1);
    double more = HeatDecision.payback(TEN_GB, 3, 50_000, 35);
    assertEquals(800 / (35 * 0.008), more, 1, "what memory loses is read again");
    assertTrue(Double.isInfinite(payback(50, 0)));
    assertTrue(Double.isInfinite(payback(0, 0.9)));
  }

  /** A full disk of 20 TB gives 0.3 reads a second for 10 GB: HBase's own compaction splits. */
  @Test
  void paysWithinDaysOrWaitsForHBase() {
    assertFalse(HeatDecision.pays(payback(0.3, 0.6)), "in three days");
    assertTrue(HeatDecision.pays(payback(0.6, 0.6)), "in a day and a half");
    assertFalse(HeatDecision.pays(Double.POSITIVE_INFINITY));
    assertEquals(4_000, HeatDecision.pause(1_000), "a quarter of the disks' gain");
  }

  /** What reaches DISK is what the hot file leaves: 0.2 of 0.5. */
  @Test
  void aHotFileIsRenewedForWhatIsCaughtBesides() {
    assertEquals(0.4, HeatDecision.gain(0.5, 0.7), 1e-9);
    assertEquals(0, HeatDecision.gain(0.71, 0.7));
    assertEquals(0, HeatDecision.gain(1, 1));
  }

  @Test
  void aSmallStoreIsNotSplit() {
    assertTrue(HeatDecision.isSmall(8 * FLUSH - 1, FLUSH));
    assertFalse(HeatDecision.isSmall(8 * FLUSH, FLUSH));
  }

  /** As after a restart, when little is counted and the file was made from much. */
  @Test
  void rowsThatCatchMoreAreKept() {
    assertTrue(HeatDecision.keeps(0.57, 0.25, 0.36));
    assertFalse(HeatDecision.keeps(0.57, 0.25, 0.56), "as good, and of today");
    assertTrue(HeatDecision.keeps(Double.NaN, 0.25, 0.1), "unknown");
    assertFalse(HeatDecision.keeps(0.12, 0.1, 0), "no more than any rows would");
  }
}
