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
package io.github.hybridhbase.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.Backoff.Jitter;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JitterTest {
  private static final long FIRST = TimeUnit.SECONDS.toNanos(30);

  private static Jitter seeded(int seed) {
    return Jitter.of(new Random(seed)::nextDouble);
  }

  @Test
  void cutsByAQuarterAtMostAndNeverAdds() {
    Jitter jitter = seeded(6);
    for (long wait : new long[] {0, 1, 3, 10, 500, 10_000, FIRST, Long.MAX_VALUE / 16}) {
      for (int i = 0; i < 1_000; i++) {
        long cut = jitter.cut(wait);
        assertTrue(cut <= wait && cut >= wait - wait / 4 - 1, () -> cut + " of " + wait);
      }
      assertEquals(wait, Jitter.NONE.cut(wait));
    }
  }

  @Test
  void serversThatWereRefusedTogetherDoNotComeBackTogether() {
    Set<Long> seconds = new HashSet<>();
    for (int server = 0; server < 300; server++) {
      Backoff backoff = Backoff.starting(FIRST, seeded(server));
      for (long nominal = FIRST; nominal <= 16 * FIRST; nominal *= 2) {
        backoff = backoff.refused(0);
        long wait = backoff.waitNanos(0);
        assertTrue(wait <= nominal && wait > nominal * 3 / 4 - 1, "server " + server);
        assertEquals(wait, backoff.waitNanos(0), "one refusal, one wait");
      }
      // Of 480 s at most, 120 s to spread over.
      seconds.add(TimeUnit.NANOSECONDS.toSeconds(backoff.waitNanos(0)));
    }
    assertTrue(seconds.size() > 50, "different seconds of 300 servers: " + seconds.size());
  }
}
