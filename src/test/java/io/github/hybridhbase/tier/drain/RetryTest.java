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
package io.github.hybridhbase.tier.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RetryTest {
  private final Configuration conf = new Configuration(false);

  private void assertMinutes(long onItsWay, long again) {
    Retry moves = Retry.ofMoves(conf, HybridSettings.read(conf).tier());
    assertEquals(TimeUnit.MINUTES.toNanos(onItsWay), moves.onItsWayNanos);
    assertEquals(TimeUnit.MINUTES.toNanos(again), moves.againNanos);
  }

  @Test
  void aMoveIsNotBegunAnewBeforeHdfsHasGivenItUp() {
    assertMinutes(5, 20);
    conf.setLong("dfs.storage.policy.satisfier.self.retry.timeout.millis", 600_000);
    conf.setInt("dfs.storage.policy.satisfier.retry.max.attempts", 1);
    assertMinutes(10, 20);
  }

  @Test
  void aMoveHasTwelveTurnsAtLeast() {
    conf.set(HybridKeys.SSD_PERIOD.name(), "300s");
    assertMinutes(60, 60);
  }

  @Test
  void absurdTimesAreBounded() {
    conf.setLong("dfs.storage.policy.satisfier.self.retry.timeout.millis", Long.MAX_VALUE);
    conf.setInt("dfs.storage.policy.satisfier.retry.max.attempts", Integer.MAX_VALUE);
    assertMinutes(TimeUnit.DAYS.toMinutes(1), TimeUnit.DAYS.toMinutes(101));
  }

  @Test
  @DisplayName("an unseen move is out of flight long before it is requested again")
  void unseenMove_endsBeforeItsRepetition() {
    Retry tracker = new Retry(10, 40);
    tracker.asked("f", 1, 0);
    assertTrue(tracker.inFlight("f", 9));
    assertFalse(tracker.mayAsk("f", 9));
    assertFalse(tracker.inFlight("f", 10));
    assertEquals(0, tracker.inFlight(10));
    assertFalse(tracker.mayAsk("f", 39));
    assertTrue(tracker.mayAsk("f", 40));
  }
}
