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

import java.util.Map;
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
    assertEquals(750, quota.fairPart("modest"));
    assertTrue(quota.has("modest", flush(150)));
    assertFalse(quota.has("modest", file(NewStoreFile.Kind.MINOR, 150)));
    assertFalse(quota.has("greedy", flush(1)));
  }

  @Test
  void onlyTheTableThatHasMostIsKeptFromTheLastFifth() {
    Map<String, Long> uses = Map.of("a", 400L, "b", 399L);
    assertFalse(quota(uses, 10).has("a", flush(2)));
    assertTrue(quota(uses, 10).has("b", flush(1)));
    assertFalse(quota(uses, 10).has("b", flush(2)), "it would have most");
  }
}
