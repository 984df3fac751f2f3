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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.LoggedLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Each cause of a failure is logged once, so that a second fault in the same place is seen. */
@InterfaceAudience.Private
class FailuresTest {
  private static final String WHAT = "FailuresTest's hook failed.";

  private static IllegalStateException here() {
    return new IllegalStateException("at " + System.nanoTime());
  }

  private static IllegalStateException elsewhere() {
    return new IllegalStateException("at " + System.nanoTime());
  }

  @Test
  void eachCauseIsLoggedOnceAndAllAreCounted() {
    long before = HybridMetrics.get().value(Metric.HOOK_FAILURES);
    try (LoggedLines logged = LoggedLines.of(Failures.class)) {
      for (int i = 0; i < 10; i++) {
        Failures.swallowed(WHAT, here());
      }
      assertEquals(1, logged.lines().size(), logged.lines()::toString);
      for (int i = 0; i < 10; i++) {
        Failures.swallowed(WHAT, elsewhere());
      }
      assertEquals(2, logged.lines().size(), "the same class from another place is another fault");
      for (int i = 0; i < 10; i++) {
        Failures.swallowed(WHAT, new UncheckedIOException(new IOException("planted", here())));
      }
      assertEquals(2, logged.lines().size(), "the root counts");
    }
    assertEquals(before + 30, HybridMetrics.get().value(Metric.HOOK_FAILURES));
  }

  @Test
  void causesThatGoRoundAndFailuresWithoutAStackAreNoTrouble() {
    IOException one = new IOException("one");
    IOException other = new IOException("other", one);
    one.initCause(other);
    try (LoggedLines logged = LoggedLines.of(Failures.class)) {
      Failures.swallowed(WHAT, one);
      RuntimeException bare = new ArrayStoreException();
      bare.setStackTrace(new StackTraceElement[0]);
      Failures.swallowed(WHAT, bare);
      Failures.swallowed(WHAT, bare);
      assertEquals(2, logged.lines().size(), logged.lines()::toString);
    }
  }

  /** A limit of the machine's, such as of threads. */
  @Test
  void aLackOfMemoryOrThreadsIsNoFaultOfThePlugin() {
    try (LoggedLines logged = LoggedLines.of(Failures.class)) {
      Failures.swallowed(WHAT, new OutOfMemoryError("unable to create native thread"));
      assertTrue(logged.lines().get(0).contains("ulimit -u"), logged.lines()::toString);
      assertFalse(logged.lines().get(0).contains("report"), logged.lines()::toString);
    }
  }

  @Test
  void whateverAHookThrowsStaysInAndAnInterruptIsPassedOn() {
    long before = HybridMetrics.get().value(Metric.HOOK_FAILURES);
    Failures.inHook(
        "test",
        () -> {
          throw new IOException();
        });
    Failures.inHook(
        "test",
        given -> {
          throw new StackOverflowError(given);
        },
        "given");
    assertFalse(Thread.interrupted());
    Failures.inHook(
        "test",
        () -> {
          throw new InterruptedException();
        });
    assertTrue(Thread.interrupted());
    assertEquals(before + 3, HybridMetrics.get().value(Metric.HOOK_FAILURES));
  }
}
