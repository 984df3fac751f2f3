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

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A client that puts row after row in a thread of its own, each until it is acknowledged, while
 * servers come and go.
 */
@InterfaceAudience.Private
final class SteadyLoad implements AutoCloseable {
  private static final long PAUSE_MILLIS = 5;

  /** After each put: a server counts reads anew after each restart. */
  private static final int READS = 5;

  private static final long PATIENCE_MILLIS = 240_000;

  private final Load load;
  private final Consumer<String> said;
  private final Thread thread = new Thread(this::run, "steady-load");
  private volatile boolean ended;
  private volatile int rows;
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicLong longestNanos = new AtomicLong();
  private volatile Throwable failure;

  /**
   * Goes on behind the rows that others have put.
   *
   * @param load ended with it
   * @param said told of each put that failed
   */
  SteadyLoad(Load load, int behind, Consumer<String> said) {
    this.said = said;
    this.load = load;
    load.expect(behind);
    rows = behind;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!ended) {
        putOne();
        readOne();
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (Throwable e) { // else a load that died would count as one that lost nothing
      failure = e;
    }
  }

  /** A row that failed may be there all the same, so that it is put until it is acknowledged. */
  private void putOne() throws InterruptedException {
    long start = System.nanoTime();
    while (true) {
      try {
        load.put(1);
        rows = load.rows();
        longestNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
        return;
      } catch (IOException e) {
        failed.incrementAndGet();
        said.accept("put again, after: " + e);
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** What servers do not answer is not read again. */
  private void readOne() {
    try {
      for (int i = 0; i < READS; i++) {
        load.readHot();
      }
    } catch (IOException e) {
      said.accept("not read: " + e);
    }
  }

  /** How many puts failed, each of which was repeated. */
  int failed() {
    return failed.get();
  }

  /** From the first try of a row to its acknowledgement, since this was asked last. */
  long takeLongestMillis() {
    return TimeUnit.NANOSECONDS.toMillis(longestNanos.getAndSet(0));
  }

  /** How many rows have been acknowledged by now. */
  int rows() {
    return rows;
  }

  /**
   * Looks whether it goes on.
   *
   * @throws AssertionError where it has died
   */
  void check() {
    if (failure != null) {
      throw new AssertionError("the load has died after " + rows + " rows: " + failure, failure);
    }
  }

  /**
   * Ends it; safe to call twice. Returns how many rows were acknowledged.
   *
   * @throws AssertionError where it had ended before, or the last row is not acknowledged
   */
  int end() throws IOException, InterruptedException {
    ended = true;
    thread.join(PATIENCE_MILLIS);
    if (thread.isAlive()) {
      thread.interrupt();
      throw new AssertionError("row " + rows + " was never acknowledged");
    }
    load.close();
    check();
    return rows;
  }

  /** Ends it without the row that is not acknowledged; safe to call after {@link #end}. */
  void abandon() throws IOException {
    ended = true;
    thread.interrupt();
    load.close();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    end();
  }
}
