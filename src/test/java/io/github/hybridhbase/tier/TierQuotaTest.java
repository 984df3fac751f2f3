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
import io.github.hybridhbase.tier.NewStoreFile.Kind;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A share is the budget's part where there is space, and follows the space where there is less. */
@InterfaceAudience.Private
class TierQuotaTest {
  @ParameterizedTest
  @CsvSource({
    "FLUSH, 100, 100, 0, true",
    "FLUSH, 101, 100, 0, false",
    "FLUSH, 51, 100, 50, false",
    "FLUSH, 1, 0, 0, false",
    // A minor compaction goes to SSD while it is small, and leaves the last fifth to flushes.
    "MINOR, 25, 100, 0, true",
    "MINOR, 26, 100, 0, false",
    "MINOR, 25, 100, 80, false",
    "MINOR, 20, 100, 60, true",
    "MINOR, 21, 100, 60, false",
    "FLUSH, 20, 100, 80, true",
    // A hot file takes half at most, and leaves that fifth too.
    "HOT, 50, 100, 0, true",
    "HOT, 51, 100, 0, false",
    "HOT, 20, 100, 60, true",
    "HOT, 21, 100, 60, false",
  })
  void takes(Kind kind, long bytes, long share, long used, boolean takes) {
    NewStoreFile file = new NewStoreFile(kind, bytes, 0);
    assertEquals(takes, TierQuota.of(share, share, 0).takes(file, used, 0));
  }

  @Test
  void roomForHotFilesIsTheLesserOfHalfAndWhatFlushesLeave() {
    TierQuota quota = TierQuota.of(1_000, 1_000, 0);
    assertEquals(100, quota.hotRoom(700, 100, 0));
    assertEquals(400, quota.hotRoom(300, 100, 0));
    assertEquals(500, quota.hotRoom(300, 100, 100));
    assertEquals(0, quota.hotRoom(900, 100, 100));
  }

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

  @ParameterizedTest
  @CsvSource({
    "9000, 0, 500, 400",
    "9000, 800, 500, 400",
    // What the tier holds itself is not counted against it.
    "2000, 0, 0, 0",
    "2000, 300, 300, 300",
    // What others took beyond the mark is given back.
    "1800, 300, 250, 250",
    "1800, 20, 0, 0",
    "1800, 0, 0, 0",
  })
  void followsTheSpaceThatIsFree(long free, long used, long bytes, long threshold) {
    TierState grant = grant(free, 4);
    TierQuota share = TierQuota.of(grant.share(), grant.room(), used);
    assertEquals(bytes, share.bytes);
    assertEquals(threshold, share.threshold);
  }

  @Test
  void aGrantIsWorthWritingWhereTheShareMayDiffer() {
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
