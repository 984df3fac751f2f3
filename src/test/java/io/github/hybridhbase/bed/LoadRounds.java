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

/** One foreign load, round after round in a thread of its own, and a last verification. */
@InterfaceAudience.Private
final class LoadRounds implements AutoCloseable {
  private static final long PATIENCE_MINUTES = 20;
  private static final long PAUSE_MILLIS = 1_000;

  private final String name;
  private final ForeignLoad load;
  private final Thread thread;
  private final List<String> cutShort = new ArrayList<>();
  private volatile boolean ended;
  private int rounds;
  private long verified;
  private long atTheEnd = -1;
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
      if (rounds == 0) {
        add(load.round(number)); // all servers are up now
      }
      last(load.verify());
    } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
      fail(e);
    }
  }

  /** A round that a fault has cut short has verified nothing, and is no failure. */
  private void one(int number) throws InterruptedException {
    try {
      add(load.round(number));
    } catch (IOException e) {
      synchronized (this) {
        cutShort.add("round " + number + ": " + String.valueOf(e.getMessage()));
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private synchronized void add(long more) {
    rounds++;
    verified += more;
  }

  private synchronized void last(long more) {
    atTheEnd = more;
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

  /** The round that is under way is the last one; all servers are up from now on. */
  void finish() {
    ended = true;
  }

  /**
   * Waits for the last verification.
   *
   * @throws AssertionError as {@link #check}, and where it does not come
   */
  void end() throws InterruptedException {
    finish();
    thread.join(TimeUnit.MINUTES.toMillis(PATIENCE_MINUTES));
    check();
    if (thread.isAlive()) {
      throw new AssertionError(name + " has not ended after " + PATIENCE_MINUTES + " minutes");
    }
  }

  /** What came of it so far. */
  @Override
  public synchronized String toString() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                "%s: %d rounds, %d %s verified", name, rounds, verified, load.verifies()));
    if (atTheEnd >= 0) {
      text.append(", at the end, with all servers up, ").append(atTheEnd);
    }
    text.append(load.remark().isEmpty() ? "" : ", ").append(load.remark());
    text.append("; failures: ").append(failure == null ? "none" : failure);
    if (!cutShort.isEmpty()) {
      text.append("; cut short by faults: ").append(cutShort);
    }
    return text.toString().replaceAll("\\s+", " ");
  }

  /** Ends it where it is. */
  @Override
  public void close() throws IOException, InterruptedException {
    ended = true;
    load.close();
    thread.interrupt();
    thread.join(TimeUnit.MINUTES.toMillis(1));
  }
}
