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
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.placement.TierGrant;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** A share is the budget's part where there is room, and follows the room where there is less. */
@InterfaceAudience.Private
class TierShareTest {
  private Optional<TierState> last = Optional.empty();

  /** Of four servers and 10,000 bytes, of which the tier may have 20 %. */
  private TierState grant(long free, int servers) {
    TierGrant grant =
        new TierGrant(
            HybridSettings.read(new Configuration(false)).get(HybridKeys.TIER_BUDGET), "m");
    SsdSpace space = new SsdSpace(10_000, 10_000 - free, free, 4, List.of());
    last = Optional.of(grant.next(last, space, servers, 1));
    return last.get();
  }

  private static TierQuota share(TierState grant, long used) {
    return TierQuota.of(grant.share(), grant.room(), used);
  }

  @Test
  void withRoomEnoughItIsThePartOfTheBudget() {
    TierQuota share = share(grant(9_000, 4), 0);
    assertEquals(500, share.bytes);
    assertEquals(400, share.threshold);
    assertEquals(500, share(grant(9_000, 4), 800).bytes);
  }

  @Test
  void whatTheTierHoldsItselfIsNotCountedAgainstIt() {
    TierState none = grant(2_000, 4);
    assertEquals(0, none.room());
    assertEquals(0, share(none, 0).bytes);
    assertEquals(300, share(none, 300).bytes);
    assertEquals(300, share(none, 300).threshold);
  }

  @Test
  void whatOthersTookBeyondTheMarkIsGivenBack() {
    TierState missing = grant(1_800, 4);
    assertEquals(-50, missing.room());
    assertEquals(250, share(missing, 300).bytes);
    assertEquals(0, share(missing, 20).bytes);
    assertEquals(0, share(missing, 0).threshold);
  }

  @Test
  void aWordIsWorthWritingWhereTheShareMayDiffer() {
    TierState plenty = grant(9_000, 4);
    assertEquals(plenty, grant(8_000, 4), "beyond the budget anyway");
    assertNotEquals(plenty, grant(8_000, 5));
    grant(9_000, 4);
    TierState little = grant(2_500, 4);
    assertNotEquals(plenty, little);
    assertEquals(little, grant(2_550, 4), "half a percent of SSD");
    assertNotEquals(little, grant(2_300, 4));
  }
}
