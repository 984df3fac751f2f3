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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class TierQuotaTest {
  private static TierQuota quota(Map<String, Long> uses, int tables) {
    return new TierQuota(TierShare.of(1_000, 1_000, 0), uses, tables, 0);
  }

  private static NewStoreFile file(NewStoreFile.Kind kind, long bytes) {
    return new NewStoreFile(kind, bytes, 0);
  }

  private static NewStoreFile flush(long bytes) {
    return file(NewStoreFile.Kind.FLUSH, bytes);
  }

  @Test
  void aTableThatIsAloneHasAll() {
    assertEquals(1_000, quota(Map.of(), 1).fairPart("a"));
    assertTrue(quota(Map.of("a", 900L), 1).has("a", flush(100)));
  }

  @Test
  void theFirstOfManyLeavesTheLastFifthToOthers() {
    assertEquals(10, quota(Map.of("a", 700L), 100).fairPart("a"));
    assertTrue(quota(Map.of("a", 700L), 100).has("a", flush(100)));
    assertFalse(quota(Map.of("a", 700L), 100).has("a", flush(101)));
  }

  @Test
  void tablesThatHaveNothingDoNotMakeThePartsOfOthersSmall() {
    TierQuota quota = quota(Map.of("greedy", 750L, "modest", 100L), 100);
    assertEquals(500, quota.fairPart("modest"));
    assertTrue(quota.has("modest", flush(150)));
    assertFalse(quota.has("modest", file(NewStoreFile.Kind.MINOR, 150)));
    assertFalse(quota.has("greedy", flush(1)));
  }

  @Test
  void whatSmallTablesLeaveIsDividedAmongTheOthers() {
    Map<String, Long> uses = Map.of("large", 600L, "small", 100L, "smaller", 50L);
    assertEquals(425, quota(uses, 10).fairPart("modest"), "half of what the small ones leave");
    assertEquals(450, quota(uses, 10).fairPart("smaller"));
    assertEquals(100, quota(uses, 10).fairPart("large"), "its equal part");
  }

  @Test
  void onlyTheTableThatHasMostIsKeptFromTheLastFifth() {
    Map<String, Long> uses = Map.of("a", 400L, "b", 399L);
    assertFalse(quota(uses, 10).has("a", flush(2)));
    assertTrue(quota(uses, 10).has("b", flush(1)));
    assertFalse(quota(uses, 10).has("b", flush(2)), "it would have most");
  }

  @Test
  void itIsShortWhenHalfOfTheLastFifthIsTaken() {
    TierShare share = TierShare.of(1_000, 1_000, 0);
    assertFalse(share.isShort(900));
    assertTrue(share.isShort(901));
  }

  /** Whatever the others have, and however many they are. */
  @Test
  void aFairPartIsAtLeastTheEqualOneAndFairPartsFit() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      String what = "seed " + seed + " round " + round;
      int tables = 1 + random.nextInt(8);
      Map<String, Long> uses = new HashMap<>();
      long left = 1_000;
      for (int table = random.nextInt(tables + 1); table > 0; table--) {
        long use = random.nextInt((int) left + 1);
        uses.put("t" + table, use);
        left -= use;
      }
      TierQuota quota = quota(uses, tables);
      long most = uses.values().stream().mapToLong(Long::longValue).max().orElse(0);
      for (int table = 1; table <= tables; table++) {
        long part = quota.fairPart("t" + table);
        assertTrue(part >= 1_000 / tables, what);
        assertTrue(part <= Math.max(1_000 / tables, most), what);
        // With that much for the table, what all others have above it makes up for the rest.
        long others = 0;
        for (Map.Entry<String, Long> use : uses.entrySet()) {
          others += use.getKey().equals("t" + table) ? 0 : Math.min(part, use.getValue());
        }
        assertTrue(part == 1_000 / tables || others + part <= 1_000, what);
      }
    }
  }
}
