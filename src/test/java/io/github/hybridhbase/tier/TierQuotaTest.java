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

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.tier.NewStoreFile.Kind;
import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class TierQuotaTest {
  private static boolean takes(Kind kind, long bytes, long share, long used) {
    return TierQuota.of(share, share, 0).takes(new NewStoreFile(kind, bytes, 0), used, 0);
  }

  @Test
  void aFlushGoesToSsdWhereThereIsSpace() {
    assertTrue(takes(Kind.FLUSH, 100, 100, 0));
    assertFalse(takes(Kind.FLUSH, 101, 100, 0));
    assertFalse(takes(Kind.FLUSH, 51, 100, 50));
    assertFalse(takes(Kind.FLUSH, 1, 0, 0));
  }

  @Test
  void aMinorCompactionGoesToSsdWhileItIsSmall() {
    assertTrue(takes(Kind.MINOR, 25, 100, 0));
    assertFalse(takes(Kind.MINOR, 26, 100, 0));
    assertFalse(takes(Kind.MINOR, 25, 100, 80));
  }

  @Test
  void aMinorCompactionLeavesTheLastFifthToFlushes() {
    assertTrue(takes(Kind.MINOR, 20, 100, 60));
    assertFalse(takes(Kind.MINOR, 21, 100, 60));
    assertTrue(takes(Kind.FLUSH, 20, 100, 80));
  }

  @Test
  void nothingGoesBeyondTheShare() {
    Random random = new Random(5);
    for (int i = 0; i < 10_000; i++) {
      long share = random.nextInt(1_000);
      long used = random.nextInt(1_000);
      NewStoreFile file =
          new NewStoreFile(Kind.values()[random.nextInt(3)], 1 + random.nextInt(500), 0);
      if (TierQuota.of(share, share, 0).takes(file, used, 0)) {
        assertTrue(used + file.bytes <= share, () -> file + " " + share + " " + used);
      }
    }
  }
}
