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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.Seeds;
import io.github.hybridhbase.wal.failover.WatchedOutput;
import io.github.hybridhbase.wal.sync.FakeHdfsOutput.Fault;
import io.github.hybridhbase.wal.sync.Schedules.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.io.ByteArrayOutputStream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The writer under thousands of random schedules, and the proof that the checker would notice:
 * writers that break the contract, each in one way, are caught by the same checker.
 */
@InterfaceAudience.Private
class GroupCommitScheduleTest {
  private static final int SCHEDULES = 5_000;

  /** Override with {@code -Dwal.seed=N} to repeat one. */
  private static final Seeds SEEDS = Seeds.of("wal.seed");

  /** Begins anew with each schedule. */
  private final Random random = new Random();

  private WatchedOutput watched;

  /** The group commit, in a process that fails as the device's {@link Fault}s want. */
  private Subject gated(FakeHdfsOutput hdfs, ManualTimer timer, int gatherPercent) {
    StagingBuffer staged =
        new StagingBuffer() {
          @Override
          ByteArrayOutputStream take() {
            if (hdfs.meets(Fault.NO_MEMORY_FOR_A_SYNC)) {
              throw new OutOfMemoryError("test");
            }
            return super.take();
          }
        };
    GatherPolicy policy = new GatherPolicy(gatherPercent);
    GroupCommit groupCommit = new GroupCommit(hdfs, false, policy, timer);
    groupCommit.staged = staged;
    groupCommit.clock =
        () -> {
          if (hdfs.meets(Fault.CLOCK_THROWS)) {
            throw new IllegalStateException("test");
          }
          return timer.now;
        };
    hdfs.listener = groupCommit::connectionClosed;
    watched = groupCommit;
    return new Subject() {
      private int edits;

      @Override
      public void append(int bytes) {
        hdfs.step.run();
        staged.write(new byte[bytes], 0, bytes);
        edits++;
      }

      @Override
      public CompletableFuture<Long> sync(boolean force) {
        hdfs.step.run();
        CompletableFuture<Long> sync = groupCommit.sync(force, edits);
        edits = 0;
        hdfs.step.run();
        return sync;
      }

      @Override
      public void close() {
        hdfs.step.run();
        groupCommit.end();
        hdfs.step.run();
      }
    };
  }

  private void mustKeepTheContract(BiFunction<FakeHdfsOutput, ManualTimer, Subject> subjects) {
    Set<Fault> met = EnumSet.noneOf(Fault.class);
    for (long seed : SEEDS.orElse(SCHEDULES)) {
      FakeHdfsOutput hdfs = new FakeHdfsOutput();
      random.setSeed(~seed);
      List<String> faults = Schedules.play(seed, hdfs, subjects);
      assertEquals(List.of(), faults, () -> SEEDS.repeat(seed));
      met.addAll(hdfs.met);
    }
    assertTrue(SEEDS.isOne() || met.size() == Fault.values().length, () -> "met only " + met);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 25, 100})
  void everyScheduleKeepsTheContract(int gatherPercent) {
    System.out.printf("%s, gathering %d %%%n", SEEDS, gatherPercent);
    mustKeepTheContract((hdfs, timer) -> gated(hdfs, timer, gatherPercent));
  }

  /** The event loop that processes a failed flush has other things to do first. */
  @Test
  void failuresThatAreProcessedLateKeepTheContract() {
    mustKeepTheContract(
        (hdfs, timer) -> {
          timer.late = true;
          return gated(hdfs, timer, 25);
        });
  }

  /** The log's consumer on the loop of one replica's channel, acknowledgements on another one. */
  @Test
  void anAppendingEventLoopKeepsPacketsInOrder() {
    mustKeepTheContract(
        (hdfs, timer) -> {
          hdfs.onLoop = true;
          hdfs.acksOnLoop = false;
          return gated(hdfs, timer, 25);
        });
  }

  /** A DataNode stalls, and the output is given up, at any step: also while one is acknowledged. */
  @ParameterizedTest
  @ValueSource(ints = {0, 50})
  void anOutputThatIsGivenUpAtAnyStepKeepsTheContract(int gatherPercent) {
    System.out.printf("%s, gathering %d %%%n", SEEDS, gatherPercent);
    int[] givenUp = new int[1];
    mustKeepTheContract(
        (hdfs, timer) -> {
          hdfs.mayFail = true;
          hdfs.step =
              () -> {
                if (random.nextInt(150) == 0) {
                  hdfs.step = () -> {};
                  watched.giveUp(new IOException("stalls"));
                  givenUp[0]++;
                }
              };
          return gated(hdfs, timer, gatherPercent);
        });
    assertTrue(SEEDS.isOne() || givenUp[0] > SCHEDULES / 10, "given up " + givenUp[0]);
  }

  /** What the {@link Obvious} writer does wrong beside what it does wrong anyway. */
  private enum Breach {
    NONE,
    ANSWERS_EARLY,
    FLUSHES_AFTER_CLOSE,
    FORGETS_A_WAITER,
    SUCCEEDS_AFTER_A_FAILURE,
    /** A flush from the event loop overtakes one that netty has queued. */
    HAS_TWO_FLUSHES_IN_FLIGHT
  }

  /**
   * The obvious coalescing writer: entries go to the output at once, and a completion flushes
   * whatever is there, so that bytes leave before their forced sync.
   */
  private static final class Obvious implements Subject {
    private final FakeHdfsOutput hdfs;
    private final Breach breach;
    private List<CompletableFuture<Long>> waiting = new ArrayList<>();
    private boolean force;
    private boolean inFlight;
    private boolean closed;

    Obvious(FakeHdfsOutput hdfs, Breach breach) {
      this.hdfs = hdfs;
      this.breach = breach;
    }

    @Override
    public void append(int bytes) {
      hdfs.write(new byte[bytes], 0, bytes);
    }

    @Override
    public CompletableFuture<Long> sync(boolean forced) {
      CompletableFuture<Long> future = new CompletableFuture<>();
      waiting.add(future);
      force |= forced;
      boolean second = breach == Breach.HAS_TWO_FLUSHES_IN_FLIGHT && hdfs.unackedPackets() < 2;
      if (!inFlight || second) {
        flush();
      }
      return future;
    }

    private void flush() {
      inFlight = true;
      List<CompletableFuture<Long>> mine = waiting;
      waiting = new ArrayList<>();
      CompletableFuture<Long> sent = hdfs.flush(force);
      force = false;
      if (breach == Breach.ANSWERS_EARLY) {
        completed(mine, Long.MAX_VALUE, null);
      } else {
        var unused = sent.whenComplete((n, e) -> completed(mine, n, e));
      }
    }

    private void completed(List<CompletableFuture<Long>> mine, Long n, Throwable e) {
      inFlight = false;
      for (CompletableFuture<Long> future : mine) {
        boolean first = future == mine.get(0);
        if (e != null && (first || breach != Breach.SUCCEEDS_AFTER_A_FAILURE)) {
          future.completeExceptionally(e);
        } else if (first || breach != Breach.FORGETS_A_WAITER) {
          future.complete(e == null ? n : Long.valueOf(Long.MAX_VALUE));
        }
      }
      if (!waiting.isEmpty() && !closed) {
        flush();
      }
    }

    @Override
    public void close() {
      closed = breach != Breach.FLUSHES_AFTER_CLOSE;
      if (closed) {
        waiting.forEach(future -> future.completeExceptionally(new IllegalStateException()));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, durable to",
    "ANSWERS_EARLY, before its bytes were",
    "FLUSHES_AFTER_CLOSE, left after close",
    "FORGETS_A_WAITER, never answered",
    "SUCCEEDS_AFTER_A_FAILURE, after a failure",
    "HAS_TWO_FLUSHES_IN_FLIGHT, on the wire"
  })
  void aWriterThatBreaksTheContractIsCaught(Breach breach, String by) {
    SEEDS.assertNoticed(
        by,
        SCHEDULES,
        seed -> {
          FakeHdfsOutput device = new FakeHdfsOutput();
          device.answersAll = true; // or "never answered" would be that
          return Schedules.play(seed, device, (hdfs, timer) -> new Obvious(hdfs, breach));
        });
  }
}
