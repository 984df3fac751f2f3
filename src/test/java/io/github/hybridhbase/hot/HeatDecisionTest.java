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

import io.github.hybridhbase.hot.HeatDecision.Facts;
import io.github.hybridhbase.hot.HeatDecision.Verdict;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** When a compaction for hot rows pays. */
@InterfaceAudience.Private
class HeatDecisionTest {
  private static final long GIB = 10_000_000_000L;
  private static final long FLUSH = 128L << 20;

  private static Facts facts() {
    return reads(50, true, 0.7);
  }

  private static Facts reads(double perSecond, boolean ripe, double caught) {
    return facts(GIB, perSecond, ripe, caught);
  }

  private static Facts facts(long bytes, double perSecond, boolean ripe, double caught) {
    Facts facts = new Facts();
    facts.storeBytes = bytes;
    facts.flushBytes = FLUSH;
    facts.replicas = 3;
    facts.seeksPerSecond = perSecond;
    facts.ripe = ripe;
    facts.caught = caught;
    return facts;
  }

  private static Facts hotFile(double catches) {
    Facts facts = facts();
    facts.hasHotFile = true;
    facts.caughtNow = catches;
    return facts;
  }

  private static Facts last(double secondsAgo) {
    Facts facts = facts();
    facts.sinceLastSeconds = secondsAgo;
    facts.lastPaybackSeconds = 1_000;
    return facts;
  }

  private static void assertVerdict(Verdict expected, Facts facts) {
    assertEquals(expected, HeatDecision.of(facts, 3_600).verdict);
  }

  /** 10 GB, three replicas: 400 s of the disks; 35 seeks a second saved are 0.28 of one. */
  @Test
  void paybackIsDiskTimeByDiskTime() {
    assertEquals(400 / (35 * 0.008), HeatDecision.of(facts(), 3_600).paybackSeconds, 1);
    assertVerdict(Verdict.COMPACT, facts());
    Facts cached = facts();
    cached.cachedBlocks = 50_000;
    double more = HeatDecision.of(cached, 3_600).paybackSeconds;
    assertEquals(800 / (35 * 0.008), more, 1, "what memory loses is read again");
  }

  @Test
  void fewReadsDoNotPay() {
    assertVerdict(Verdict.NO_GAIN, reads(1, true, 0.7));
    assertVerdict(Verdict.NO_GAIN, reads(50, true, 0));
    assertVerdict(Verdict.NO_GAIN, reads(0, true, 0.9));
    assertEquals(Verdict.NO_GAIN, HeatDecision.of(facts(), 0).verdict, "0 asks for no compaction");
  }

  @Test
  void aSmallStoreIsNotSplit() {
    assertVerdict(Verdict.SMALL, facts(8 * FLUSH - 1, 9e9, true, 1));
    assertVerdict(Verdict.COMPACT, facts(8 * FLUSH, 9e9, true, 1));
  }

  @Test
  void anUnripeSketchDecidesNothing() {
    assertVerdict(Verdict.UNRIPE, reads(1_000, false, 0.9));
  }

  @Test
  void aHotFileIsRenewedWhereMuchMoreWouldBeCaught() {
    assertVerdict(Verdict.SETTLED, hotFile(0.56));
    Facts known = hotFile(0.56);
    known.knowsMuchMore = true;
    assertVerdict(Verdict.COMPACT, known);
    known.caughtNow = 0.66;
    assertVerdict(Verdict.SETTLED, known);
    assertVerdict(Verdict.COMPACT, hotFile(0.5));
    assertVerdict(Verdict.SETTLED, hotFile(1));
    // What reaches DISK is what the hot file leaves: 0.2 of 0.5 are 20 of 50 a second.
    double payback = HeatDecision.of(hotFile(0.5), 3_600).paybackSeconds;
    assertEquals(400 / (50 * 0.4 * 0.008), payback, 1);
  }

  @Test
  void theLastOneHasToPayFirst() {
    assertVerdict(Verdict.TOO_SOON, last(3_999));
    assertVerdict(Verdict.COMPACT, last(4_000));
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
