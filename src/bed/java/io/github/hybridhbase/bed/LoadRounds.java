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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One foreign load, round after round in a thread of its own, and, once all servers are up, a last
 * verification and a last round, which no fault excuses.
 */
@InterfaceAudience.Private
final class LoadRounds implements AutoCloseable {
  /** Of a last round, since a server may still end that a fault has hit. */
  private static final int TRIES = 3;

  /** The round that is under way, the last verification and the last round. */
  private static final int STEPS = 2 + TRIES;

  private static final long PAUSE_MILLIS = 1_000;

  private final String name;
  private final ForeignLoad load;
  private final Thread thread;

  /** Only {@link #thread} adds to it. */
  private final List<String> cutShort = new ArrayList<>();

  private volatile boolean ended;
  private volatile boolean closed;

  private long deadline = Long.MAX_VALUE;
  private int rounds;
  private long verified;
  private long again;
  private long anew;
  private Throwable failure;

  /** Begins. */
  LoadRounds(String name, ForeignLoad load) {
    this.name = name;
    this.load = load;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      int number = 0;
      while (!ended) {
        one(number++);
      }
      // All servers are up now. First what was written under faults, which a round may drop.
      long old = load.verify();
      int cut = cutShort.size();
      long more = lastRound(number);
      if (cutShort.size() > cut) {
        // A last round may have written its table to the end and failed to verify it.
        old = load.verify();
      }
      last(old, more);
    } catch (Throwable e) { // else a load that died would count as one that found nothing
      fail(e);
    }
  }

  private long lastRound(int number) throws IOException, InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        return load.round(number + tries - 1);
      } catch (IOException e) {
        if (tries == TRIES || closed) {
          throw e;
        }
        shortened(number + tries - 1, e);
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  private synchronized void shortened(int number, IOException e) {
    cutShort.add("round " + number + ": " + String.valueOf(e.getMessage()));
  }

  /** A round that a fault has cut short has verified nothing, and is no failure. */
  private void one(int number) throws InterruptedException {
    try {
      add(load.round(number));
    } catch (IOException e) {
      shortened(number, e);
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private synchronized void add(long more) {
    rounds++;
    verified += more;
  }

  private synchronized void last(long old, long more) {
    add(more);
    again = old;
    anew = more;
  }

  private synchronized void fail(Throwable why) {
    failure = why;
  }

  /**
   * Looks whether something was missing or wrong.
   *
   * @throws AssertionError where it was
   */
  synchronized void check() {
    if (failure != null) {
      throw new AssertionError(name + ": " + failure, failure);
    }
  }

  /** The round that is under way is the last one under faults; all servers are up from now on. */
  void finish() {
    if (!ended) {
      deadline = System.nanoTime() + load.patience().multipliedBy(STEPS).toNanos();
    }
    ended = true;
  }

  /** Whether it still writes or verifies, and has time left. */
  boolean isUnderWay() {
    return thread.isAlive() && System.nanoTime() - deadline < 0;
  }

  /**
   * Waits for the last verification and a last round.
   *
   * @throws AssertionError as {@link #check}, and where they do not come to their end, or one of
   *     them has verified nothing
   */
  void end() throws InterruptedException {
    finish();
    while (isUnderWay()) {
      thread.join(PAUSE_MILLIS);
    }
    synchronized (this) {
      if (thread.isAlive()) {
        fail(new AssertionError("has not ended"));
      } else if (failure == null && anew == 0) {
        fail(new AssertionError("nothing was verified at the end"));
      } else if (failure == null && again == 0) {
        fail(new AssertionError("nothing that was written under faults was verified"));
      }
      check();
    }
  }

  /** What came of it so far. */
  @Override
  public synchronized String toString() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                "%s: %d rounds, %d %s verified", name, rounds, verified, load.verifies()));
    if (anew > 0) {
      text.append(", at the end, with all servers up, ")
          .append(again + " once more and " + anew + " of a last round");
    }
    text.append(load.remark().isEmpty() ? "" : ", ").append(load.remark());
    text.append("; failures: ").append(failure == null ? "none" : failure);
    int begun = rounds + cutShort.size();
    text.append("; cut short by faults: " + cutShort.size() + " of " + begun + " rounds");
    if (!cutShort.isEmpty()) {
      text.append(' ').append(cutShort);
    }
    return text.toString().replaceAll("\\s+", " ");
  }

  /** Ends it where it is. */
  @Override
  public void close() throws IOException, InterruptedException {
    ended = true;
    closed = true;
    load.close();
    thread.interrupt();
    thread.join(TimeUnit.MINUTES.toMillis(1));
  }
}
