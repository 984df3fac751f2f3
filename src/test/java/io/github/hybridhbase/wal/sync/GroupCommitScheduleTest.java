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
import static org.junit.jupiter.api.Assertions.fail;

import io.github.hybridhbase.testing.Seeds;
import io.github.hybridhbase.wal.failover.WatchedOutput;
import io.github.hybridhbase.wal.sync.Schedules.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The writer under thousands of random schedules, and the proof that the checker would notice:
 * writers and devices that break the contract, each in one way, are caught by the same checker.
 */
@InterfaceAudience.Private
class GroupCommitScheduleTest {
  private static final int SCHEDULES = 5_000;

  /** Override with {@code -Dwal.seed=N} to repeat one. */
  private static final Seeds SEEDS = Seeds.of("wal.seed");

  private static Subject gated(AsyncFSOutput hdfs, ManualTimer timer, int gatherPercent) {
    StagingBuffer staged = new StagingBuffer();
    GroupCommit groupCommit =
        new GroupCommit(
            hdfs, staged, false, new GatherPolicy(gatherPercent), timer, () -> timer.now);
    return new Subject() {
      private int edits;

      @Override
      public void append(int bytes) {
        staged.write(new byte[bytes], 0, bytes);
        edits++;
      }

      @Override
      public CompletableFuture<Long> sync(boolean force) {
        int now = edits;
        edits = 0;
        return groupCommit.sync(force, now);
      }

      @Override
      public void close() {
        groupCommit.end();
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 25, 100})
  void everyScheduleKeepsTheContract(int gatherPercent) {
    System.out.printf("%s, gathering %d %%%n", SEEDS, gatherPercent);
    mustKeepTheContract(FakeHdfsOutput::new, (hdfs, timer) -> gated(hdfs, timer, gatherPercent));
  }

  /** The event loop that processes a failed flush has other things to do first. */
  @Test
  void failuresThatAreProcessedLateKeepTheContract() {
    mustKeepTheContract(
        FakeHdfsOutput::new,
        (hdfs, timer) -> {
          timer.late = true;
          return gated(hdfs, timer, 25);
        });
  }

  /** A DataNode stalls, and the output is given up, at any step: also while one is acknowledged. */
  @ParameterizedTest
  @ValueSource(ints = {0, 50})
  void anOutputThatIsGivenUpAtAnyStepKeepsTheContract(int gatherPercent) {
    System.out.printf("%s, gathering %d %%%n", SEEDS, gatherPercent);
    int[] givenUp = new int[1];
    for (long seed : SEEDS.orElse(SCHEDULES)) {
      Random random = new Random(~seed);
      AtomicReference<WatchedOutput> watched = new AtomicReference<>();
      Runnable step =
          () -> {
            if (random.nextInt(150) == 0 && watched.get().giveUp(new IOException("stalls"))) {
              givenUp[0]++;
            }
          };
      FakeHdfsOutput device =
          new FakeHdfsOutput() {
            @Override
            public boolean ack() {
              step.run();
              boolean acked = super.ack();
              step.run();
              return acked;
            }

            @Override
            public void write(byte[] b, int off, int len) {
              step.run(); // between append and flush
              super.write(b, off, len);
            }

            @Override
            void runLoop() {
              step.run(); // between flush and the wire
              super.runLoop();
            }
          };
      List<String> faults =
          Schedules.play(
              seed,
              device,
              (hdfs, timer) -> {
                watched.set(new WatchedOutput(hdfs, step));
                return around(gated(watched.get(), timer, gatherPercent), step);
              });
      assertEquals(List.of(), faults, () -> SEEDS.repeat(seed));
    }
    assertTrue(SEEDS.isOne() || givenUp[0] > SCHEDULES / 10, "given up " + givenUp[0]);
  }

  /** A step before and after each call. */
  private static Subject around(Subject subject, Runnable step) {
    return new Subject() {
      @Override
      public void append(int bytes) {
        step.run();
        subject.append(bytes);
        step.run();
      }

      @Override
      public CompletableFuture<Long> sync(boolean force) {
        step.run();
        CompletableFuture<Long> asked = subject.sync(force);
        step.run();
        return asked;
      }

      @Override
      public void close() {
        step.run();
        subject.close();
        step.run();
      }
    };
  }

  private static void mustKeepTheContract(
      Supplier<FakeHdfsOutput> devices, BiFunction<FakeHdfsOutput, ManualTimer, Subject> subjects) {
    for (long seed : SEEDS.orElse(SCHEDULES)) {
      List<String> faults = Schedules.play(seed, devices.get(), subjects);
      assertEquals(List.of(), faults, () -> SEEDS.repeat(seed));
    }
  }

  /** The log's consumer on the loop of one replica's channel, acknowledgements on another one. */
  private static Subject onALoop(FakeHdfsOutput hdfs, Subject subject) {
    return new Subject() {
      @Override
      public void append(int bytes) {
        subject.append(bytes);
      }

      @Override
      public CompletableFuture<Long> sync(boolean force) {
        hdfs.onLoop = true;
        try {
          return subject.sync(force);
        } finally {
          hdfs.onLoop = false;
        }
      }

      @Override
      public void close() {
        subject.close();
      }
    };
  }

  private static FakeHdfsOutput ackedOnAnotherLoop() {
    FakeHdfsOutput hdfs = new FakeHdfsOutput();
    hdfs.acksOnLoop = false;
    return hdfs;
  }

  @Test
  void anAppendingEventLoopKeepsPacketsInOrder() {
    mustKeepTheContract(
        GroupCommitScheduleTest::ackedOnAnotherLoop,
        (hdfs, timer) -> onALoop(hdfs, gated(hdfs, timer, 25)));
  }

  private static void mustBeCaught(
      Supplier<FakeHdfsOutput> devices,
      BiFunction<FakeHdfsOutput, ManualTimer, Subject> subjects,
      String by) {
    for (long seed : SEEDS.all(SCHEDULES)) {
      FakeHdfsOutput device = devices.get();
      device.answersAll = true; // or "never answered" would be that
      for (String fault : Schedules.play(seed, device, subjects)) {
        if (fault.contains(by)) {
          return;
        }
      }
    }
    fail("No schedule noticed it; " + SEEDS);
  }

  @Test
  void aSwallowedFsyncIsCaught() {
    mustBeCaught(
        () ->
            new FakeHdfsOutput() {
              @Override
              public CompletableFuture<Long> flush(boolean sync) {
                return super.flush(false);
              }
            },
        (hdfs, timer) -> gated(hdfs, timer, 0),
        "durable to");
  }

  @Test
  void anAnswerBeforeTheAcknowledgementIsCaught() {
    mustBeCaught(
        () ->
            new FakeHdfsOutput() {
              @Override
              public CompletableFuture<Long> flush(boolean sync) {
                var unused = super.flush(sync);
                return CompletableFuture.completedFuture(Long.MAX_VALUE);
              }
            },
        (hdfs, timer) -> gated(hdfs, timer, 0),
        "before its bytes were");
  }

  /**
   * The obvious coalescing writer, as it is written down in 25 lines: entries go to the output at
   * once, and a completion flushes whatever is there.
   */
  private static class Obvious implements Subject {
    private final FakeHdfsOutput hdfs;
    private List<CompletableFuture<Long>> waiting = new ArrayList<>();
    private boolean force;
    private boolean underWay;
    boolean closed;

    Obvious(FakeHdfsOutput hdfs) {
      this.hdfs = hdfs;
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
      if (!underWay) {
        flush();
      }
      return future;
    }

    void flush() {
      underWay = true;
      List<CompletableFuture<Long>> mine = waiting;
      waiting = new ArrayList<>();
      boolean forced = force;
      force = false;
      var unused = hdfs.flush(forced).whenComplete((n, e) -> completed(mine, n, e));
    }

    void completed(List<CompletableFuture<Long>> mine, Long n, Throwable e) {
      underWay = false;
      for (CompletableFuture<Long> future : mine) {
        if (e == null) {
          future.complete(n);
        } else {
          future.completeExceptionally(e);
        }
      }
      if (!waiting.isEmpty() && !closed) {
        flush();
      }
    }

    @Override
    public void close() {
      closed = true;
      waiting.forEach(future -> future.completeExceptionally(new IllegalStateException()));
    }
  }

  @Test
  void bytesThatLeaveBeforeTheirForcedSyncAreCaught() {
    mustBeCaught(FakeHdfsOutput::new, (hdfs, timer) -> new Obvious(hdfs), "durable to");
  }

  @Test
  void aFlushAfterCloseIsCaught() {
    mustBeCaught(
        FakeHdfsOutput::new,
        (hdfs, timer) ->
            new Obvious(hdfs) {
              @Override
              public void close() {
                // Goes on.
              }
            },
        "left after close");
  }

  @Test
  void aWaiterForgottenIsCaught() {
    mustBeCaught(
        FakeHdfsOutput::new,
        (hdfs, timer) ->
            new Obvious(hdfs) {
              @Override
              void completed(List<CompletableFuture<Long>> mine, Long n, Throwable e) {
                super.completed(mine.subList(0, 1), n, e);
              }
            },
        "never answered");
  }

  @Test
  void aSuccessAfterAFailureIsCaught() {
    mustBeCaught(
        FakeHdfsOutput::new,
        (hdfs, timer) ->
            new Obvious(hdfs) {
              @Override
              void completed(List<CompletableFuture<Long>> mine, Long n, Throwable e) {
                if (e != null && mine.size() > 1) {
                  mine.get(0).completeExceptionally(e);
                  super.completed(mine.subList(1, mine.size()), Long.MAX_VALUE, null);
                } else {
                  super.completed(mine, n, e);
                }
              }
            },
        "after a failure");
  }

  /** Two flushes under way: one from the event loop overtakes one that netty has queued. */
  @Test
  void aPacketThatOvertakesAnotherIsCaught() {
    mustBeCaught(
        FakeHdfsOutput::new,
        (hdfs, timer) ->
            new Obvious(hdfs) {
              @Override
              public CompletableFuture<Long> sync(boolean forced) {
                CompletableFuture<Long> future = super.sync(forced);
                if (hdfs.unackedPackets() < 2 && hdfs.buffered() > 0) {
                  flush();
                }
                return future;
              }
            },
        "on the wire");
  }
}
