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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.tier.NewStoreFile.Kind;
import io.github.hybridhbase.tier.TierQuota.Verdict;
import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class TierQuotaTest {
  private static final long HOUR = 3_600_000;

  private static Verdict decide(Kind kind, long bytes, long oldest, long share, long used) {
    return TierQuota.of(share, share, 0)
        .decide(new NewStoreFile(kind, bytes, oldest, 0), HOUR, used, 0);
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
    assertEquals(Verdict.OVER_BUDGET, decide(Kind.MINOR, 26, 0, 100, 0));
    assertEquals(Verdict.FOR_DISK, decide(Kind.MINOR, 1, HOUR, 100, 0));
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
    assertEquals(Verdict.FOR_DISK, decide(Kind.MAJOR, 1, 0, 100, 0));
  }

  @Test
  void whatIsRewrittenToLeaveSsdDoesNotGoThereAgain() {
    assertEquals(Verdict.FOR_DISK, decide(Kind.EXIT, 1, 0, 100, 0));
  }

  @Test
  void nothingGoesBeyondTheShare() {
    Random random = new Random(5);
    for (int i = 0; i < 10_000; i++) {
      long share = random.nextInt(1_000);
      long used = random.nextInt(1_000);
      NewStoreFile file =
          new NewStoreFile(Kind.values()[random.nextInt(5)], 1 + random.nextInt(500), 0, 0);
      if (TierQuota.of(share, share, 0).decide(file, HOUR, used, 0) == Verdict.SSD) {
        assertTrue(file.kind != Kind.MAJOR && file.kind != Kind.EXIT, file::toString);
        assertTrue(used + file.bytes <= share, () -> file + " " + share + " " + used);
      }
    }
  }
}
