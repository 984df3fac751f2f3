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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.tier.NewStoreFile.Kind;
import io.github.hybridhbase.tier.TierDecision.Conditions;
import io.github.hybridhbase.tier.TierDecision.Verdict;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TierDecisionTest {
  private static final long HOUR = 3_600_000;

  /** With what other tables have in a single one. */
  private static TierQuota quota(long share, long used, int tables, long ofTable) {
    return new TierQuota(
        TierShare.of(share, share, 0), Map.of("t", ofTable, "other", used - ofTable), tables, 0);
  }

  private static Conditions open(long share, long used) {
    return new Conditions(true, true, false, quota(share, used, 1, used), HOUR);
  }

  private static Verdict decide(Kind kind, long bytes, long oldest, long share, long used) {
    return TierDecision.decide("t", new NewStoreFile(kind, bytes, oldest), open(share, used));
  }

  @Test
  void aFlushGoesToSsdWhereThereIsSpace() {
    assertEquals(Verdict.SSD, decide(Kind.FLUSH, 100, 0, 100, 0));
    assertEquals(Verdict.OVER_BUDGET, decide(Kind.FLUSH, 101, 0, 100, 0));
    assertEquals(Verdict.OVER_BUDGET, decide(Kind.FLUSH, 51, 0, 100, 50));
    assertEquals(Verdict.OVER_BUDGET, decide(Kind.FLUSH, 1, 0, 0, 0));
  }

  @Test
  void aMinorCompactionGoesToSsdWhileItIsYoungAndSmall() {
    assertEquals(Verdict.SSD, decide(Kind.MINOR, 25, HOUR - 1, 100, 0));
    assertEquals(Verdict.LARGE, decide(Kind.MINOR, 26, 0, 100, 0));
    assertEquals(Verdict.OLD, decide(Kind.MINOR, 1, HOUR, 100, 0));
    assertEquals(Verdict.OVER_BUDGET, decide(Kind.MINOR, 25, 0, 100, 80));
  }

  @Test
  void aMinorCompactionLeavesTheLastFifthToFlushes() {
    assertEquals(Verdict.SSD, decide(Kind.MINOR, 20, 0, 100, 60));
    assertEquals(Verdict.OVER_BUDGET, decide(Kind.MINOR, 21, 0, 100, 60));
    assertEquals(Verdict.SSD, decide(Kind.FLUSH, 20, 0, 100, 80));
  }

  @Test
  void aMajorCompactionNeverGoesToSsd() {
    assertEquals(Verdict.MAJOR, decide(Kind.MAJOR, 1, 0, 100, 0));
  }

  @Test
  void whatIsRewrittenToLeaveSsdDoesNotGoThereAgain() {
    assertEquals(Verdict.EXIT, decide(Kind.EXIT, 1, 0, 100, 0));
  }

  private static NewStoreFile flush(long bytes) {
    return new NewStoreFile(Kind.FLUSH, bytes, 0);
  }

  @Test
  @DisplayName("above the threshold a table at its fair share leaves the rest to others")
  void tableAtFairShare_leavesRestToOthers() {
    assertTrue(quota(100, 70, 2, 70).has("t", flush(10)));
    assertFalse(quota(100, 70, 2, 70).has("t", flush(11)));
    assertTrue(quota(100, 80, 2, 10).has("t", flush(20)));
    assertFalse(quota(100, 80, 2, 10).has("t", flush(21)));
    assertFalse(quota(100, 80, 2, 45).has("t", flush(6)));
    assertTrue(quota(100, 80, 1, 80).has("t", flush(20)), "nobody else is there");
  }

  @Test
  void whateverSpeaksAgainstSsdWins() {
    Random random = new Random(5);
    for (int i = 0; i < 10_000; i++) {
      boolean serves = random.nextBoolean();
      boolean open = random.nextBoolean();
      boolean refused = random.nextBoolean();
      long share = random.nextInt(1_000);
      long used = random.nextInt(1_000);
      int tables = 1 + random.nextInt(3);
      TierQuota quota = quota(share, used, tables, random.nextInt(1 + (int) used));
      NewStoreFile newFile =
          new NewStoreFile(
              Kind.values()[random.nextInt(4)], random.nextInt(500), random.nextInt(20));
      Verdict verdict =
          TierDecision.decide("t", newFile, new Conditions(serves, open, refused, quota, 10));
      if (verdict == Verdict.SSD) {
        assertEquals("true true false", serves + " " + open + " " + refused);
        assertNotEquals(Kind.MAJOR, newFile.kind());
        assertNotEquals(Kind.EXIT, newFile.kind());
        assertEquals(true, used + newFile.bytes() <= share, newFile + " " + share + " " + used);
      }
    }
  }
}
