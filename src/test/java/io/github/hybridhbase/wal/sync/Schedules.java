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
package io.github.hybridhbase.wal.sync;

import io.github.hybridhbase.wal.sync.FakeHdfsOutput.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Plays a random schedule of appends, syncs, acknowledgements, timers, faults and closes against a
 * writer over a {@link FakeHdfsOutput}, and checks every answer against what the devices hold. One
 * thread, so that a seed repeats its schedule to the letter.
 */
@InterfaceAudience.Private
final class Schedules {
  /** A log writer as AsyncFSWAL's consumer sees it. */
  interface Subject {
    void append(int bytes);

    CompletableFuture<Long> sync(boolean force);

    void close();
  }

  private final Random random;
  private final FakeHdfsOutput hdfs;
  private final ManualTimer timer = new ManualTimer();
  private final Subject subject;
  private final List<CompletableFuture<Long>> asked = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private long appended;
  private long syncedTo;
  private int answered;
  private boolean failed;
  private boolean closing;

  private Schedules(
      long seed, FakeHdfsOutput hdfs, BiFunction<FakeHdfsOutput, ManualTimer, Subject> subjects) {
    this.random = new Random(seed);
    this.hdfs = hdfs;
    this.subject = subjects.apply(hdfs, timer);
  }

  /**
   * @return what was wrong, empty if nothing
   */
  static List<String> play(
      long seed, FakeHdfsOutput hdfs, BiFunction<FakeHdfsOutput, ManualTimer, Subject> subjects) {
    Schedules schedule = new Schedules(seed, hdfs, subjects);
    schedule.run();
    return schedule.faults;
  }

  private void run() {
    int steps = 20 + random.nextInt(120);
    int forcedPercent = new int[] {0, 10, 50, 100}[random.nextInt(4)];
    int ackPercent = 5 + random.nextInt(60);
    boolean mayBreak = random.nextInt(3) == 0;
    hdfs.mayFail |= mayBreak;
    if (random.nextInt(8) == 0) {
      timer.refuses = true;
    }
    for (int i = 0; i < steps && !closing; i++) {
      timer.now += random.nextInt(2_000_000);
      if (random.nextInt(100) < ackPercent) {
        hdfs.ack();
      } else if (mayBreak && random.nextInt(40) == 0) {
        hdfs.fail(Fault.values()[random.nextInt(Fault.values().length)]);
      } else if (random.nextInt(12) == 0) {
        // Timers go off on an event loop.
        boolean before = hdfs.onLoop;
        hdfs.onLoop = true;
        timer.fire();
        if (random.nextInt(10) == 0) {
          hdfs.tellOfClosedConnections();
        }
        hdfs.onLoop = before;
      } else if (random.nextInt(15) == 0) {
        hdfs.runLoop();
      } else if (random.nextInt(80) == 0) {
        close();
      } else {
        if (random.nextBoolean()) {
          append();
        }
        if (random.nextInt(3) != 0) {
          sync(random.nextInt(100) < forcedPercent);
        }
      }
      look();
    }
    roll();
    if (!closing) {
      close();
    }
    look();
    faults.addAll(hdfs.violations);
  }

  private void append() {
    int bytes = 1 + random.nextInt(200);
    subject.append(bytes);
    appended += bytes;
  }

  private void sync(boolean force) {
    // AsyncFSWAL asks only for what it has not asked for yet.
    if (appended > syncedTo) {
      syncedTo = appended;
      int number = asked.size();
      long covers = appended;
      CompletableFuture<Long> sync = subject.sync(force);
      asked.add(sync);
      var unused = sync.whenComplete((length, e) -> check(number, force, covers, length, e));
    }
  }

  private void check(int number, boolean force, long covers, Long length, Throwable error) {
    // A sync refused at once after a failure may come before earlier ones have been told.
    if (number < answered || (error == null && number > answered)) {
      faults.add("Sync " + number + " answered when it was the turn of " + answered);
    }
    answered = Math.max(answered, number + 1);
    if (error != null) {
      failed = true;
      if (!hdfs.mayFail && !closing) {
        faults.add("Sync " + number + " failed without a fault: " + error);
      }
      return;
    }
    if (failed) {
      faults.add("Sync " + number + " acknowledged after a failure");
    }
    if (length < covers || hdfs.getSyncedLength() < covers) {
      faults.add("Sync " + number + " acknowledged before its bytes were");
    }
    if (force && hdfs.durable() < covers) {
      faults.add(
          "Sync " + number + " to " + covers + " acknowledged, durable to " + hdfs.durable());
    }
  }

  /** A roll: the consumer asks once more for what it has appended, then only acknowledgements. */
  private void roll() {
    if (closing) {
      return;
    }
    sync(random.nextBoolean());
    for (int looks = 0; looks < 2; looks++) {
      boolean moved = true;
      while (moved) {
        timer.now += 10_000_000;
        moved = timer.fire() | hdfs.ack();
      }
      hdfs.tellOfClosedConnections();
    }
    mustBeAnswered("is never answered: a roll would wait for ever");
  }

  private void close() {
    closing = true;
    subject.close();
    int packets = hdfs.sent.size();
    while (hdfs.ack() | timer.fire()) {
      timer.now += 10_000_000;
    }
    hdfs.fail(Fault.BREAKS);
    if (hdfs.sent.size() > packets) {
      faults.add("A flush left after close");
    }
    mustBeAnswered("is not answered after close");
  }

  private void mustBeAnswered(String otherwise) {
    for (int i = 0; i < asked.size(); i++) {
      if (!asked.get(i).isDone()) {
        faults.add("Sync " + i + " " + otherwise);
      }
    }
  }

  private void look() {
    if (hdfs.getSyncedLength() > appended) {
      faults.add("The synced length is beyond what was appended");
    }
  }
}
