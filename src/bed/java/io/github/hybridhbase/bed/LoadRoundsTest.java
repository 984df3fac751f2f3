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
package io.github.hybridhbase.bed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@InterfaceAudience.Private
@Timeout(60)
class LoadRoundsTest {
  private static final String LOST = "a row is missing";
  private static final String TIMEOUT = "timed out";

  /** Its first rounds come out as told; then it waits to be ended, verifies, and has a last one. */
  private static final class Told implements ForeignLoad {
    private final Throwable[] rounds;
    private final Throwable atTheEnd;
    private final CountDownLatch told = new CountDownLatch(1);
    private Throwable lastRound;
    private long lastCount = 5;
    private long again = 7;
    private int shortened;
    private int verifications;
    private boolean verified;

    Told(Throwable atTheEnd, Throwable... rounds) {
      this.atTheEnd = atTheEnd;
      this.rounds = rounds;
    }

    private static long answer(Throwable what, long count) throws IOException {
      if (what instanceof IOException) {
        throw (IOException) what;
      }
      if (what instanceof RuntimeException) {
        throw (RuntimeException) what;
      }
      if (what != null) {
        throw (Error) what;
      }
      return count;
    }

    @Override
    public Duration patience() {
      return Duration.ofSeconds(10);
    }

    @Override
    public String verifies() {
      return "things";
    }

    @Override
    public long round(int number) throws IOException, InterruptedException {
      if (number == rounds.length - 1) {
        told.countDown();
      }
      if (verified && shortened-- > 0) {
        throw new IOException(TIMEOUT);
      }
      if (verified) {
        return answer(lastRound, lastCount);
      }
      if (number >= rounds.length) {
        Thread.sleep(1);
        return 0;
      }
      return answer(rounds[number], 7);
    }

    @Override
    public long verify() throws IOException {
      verified = true;
      verifications++;
      return answer(atTheEnd, again);
    }

    @Override
    public void close() {}
  }

  private static String end(Told load) throws Exception {
    try (LoadRounds rounds = new LoadRounds("told", load)) {
      load.told.await();
      try {
        rounds.end();
      } catch (AssertionError e) {
        assertTrue(rounds.toString().contains("failures: "), rounds::toString);
        throw e;
      }
      return rounds.toString();
    }
  }

  private static void assertFails(String why, Told load) {
    AssertionError e = assertThrows(AssertionError.class, () -> end(load));
    assertTrue(e.getMessage().contains(why), e::getMessage);
  }

  @Test
  void aRoundThatAFaultCutsShortIsSaidAndNoFailure() throws Exception {
    String said = end(new Told(null, null, new IOException(TIMEOUT)));
    String verified =
        " 12 things verified, at the end, with all servers up, 7 once more and 5 of a";
    assertTrue(said.contains(verified), said);
    assertTrue(said.contains(" last round; failures: none; cut short by faults: 1 of "), said);
    assertTrue(said.endsWith(" rounds [round 1: timed out]"), said);
  }

  @Test
  void whatIsMissingIsAFailureAndEndsTheRounds() throws Exception {
    assertFails(LOST, new Told(null, null, new AssertionError(LOST)));
    Told load = new Told(null, new AssertionError(LOST));
    try (LoadRounds rounds = new LoadRounds("told", load)) {
      load.told.await();
      assertThrows(AssertionError.class, rounds::end);
      assertThrows(AssertionError.class, rounds::check);
      assertEquals(
          "told: 0 rounds, 0 things verified; failures: java.lang.AssertionError: "
              + LOST
              + "; cut short by faults: 0 of 0 rounds",
          rounds.toString());
    }
  }

  @Test
  void faultsInEveryRound_lastRoundRunsWhenAllServersAreUp() throws Exception {
    String said = end(new Told(null, new IOException(TIMEOUT)));
    assertTrue(said.contains(", 5 things verified, at the end, with all servers up, "), said);
    assertFalse(said.contains(" 0 rounds"), said);
  }

  @Test
  void theLastVerificationMustComeToItsEnd() {
    assertFails(TIMEOUT, new Told(new IOException(TIMEOUT), (Throwable) null));
    assertFails(LOST, new Told(new AssertionError(LOST), (Throwable) null));
  }

  @Test
  void theLastRoundMustComeToItsEndAndVerifySomething() {
    Told cut = new Told(null, (Throwable) null);
    cut.lastRound = new IOException(TIMEOUT);
    assertFails(TIMEOUT, cut);
    Told nothing = new Told(null, (Throwable) null);
    nothing.lastCount = 0;
    assertFails("nothing was verified at the end", nothing);
  }

  @Test
  void theLastRoundIsTriedAgain() throws Exception {
    Told load = new Told(null, (Throwable) null);
    load.shortened = 2;
    String said = end(load);
    assertTrue(
        said.contains("and 5 of a last round; failures: none; cut short by faults: 2 "), said);
  }

  @Test
  void somethingWrittenUnderFaultsMustBeVerified() {
    Told load = new Told(null, (Throwable) null);
    load.again = 0;
    assertFails("nothing that was written under faults", load);
  }

  @Test
  void aLoadThatDiesIsAFailure() {
    assertFails("no class", new Told(null, new NoClassDefFoundError("no class")));
    assertFails("no heap", new Told(new OutOfMemoryError("no heap"), (Throwable) null));
    assertFails("a bug", new Told(null, null, new IllegalStateException("a bug")));
  }
}
