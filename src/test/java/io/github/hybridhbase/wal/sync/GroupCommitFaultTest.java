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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever throws between a sync and its answer: every sync is answered, in order, the lock is
 * free, and what was only to be counted fails nothing.
 */
@InterfaceAudience.Private
@Timeout(60)
class GroupCommitFaultTest {
  private static final long MS = 1_000_000;

  /** A call of the statistics that throws. */
  enum Call {
    FLUSHED,
    FAILED,
    WAITED,
    LOCKED,
    TIMED_OUT
  }

  private final FakeHdfsOutput hdfs = new FakeHdfsOutput();
  private final ManualTimer timer = new ManualTimer();
  private boolean noMemory;
  private final StagingBuffer staged =
      new StagingBuffer() {
        @Override
        int mark() {
          if (noMemory) {
            throw new OutOfMemoryError("test");
          }
          return super.mark();
        }
      };
  private final List<Call> thrown = new ArrayList<>();
  private GroupCommit groupCommit =
      groupCommit(FakeWriter.narrow(hdfs), 25, WalSyncStats.NONE, () -> timer.now);

  private GroupCommit groupCommit(
      FlushOutput output, int gatherPercent, WalSyncStats stats, LongSupplier clock) {
    return new GroupCommit(output, staged, new GatherPolicy(gatherPercent), timer, clock, stats);
  }

  private WalSyncStats throwing(Call faulty) {
    return new WalSyncStats() {
      private void called(Call call) {
        if (call == faulty) {
          thrown.add(call);
          throw new NoClassDefFoundError("test");
        }
      }

      @Override
      public void flushed(int syncs, int edits, long bytes, boolean forced, long nanos) {
        called(Call.FLUSHED);
      }

      @Override
      public void failed() {
        called(Call.FAILED);
      }

      @Override
      public void waitedForFlush(long nanos) {
        called(Call.WAITED);
      }

      @Override
      public void lockedForFlush(long nanos) {
        called(Call.LOCKED);
      }

      @Override
      public void gatheringTimedOut(int edits, int expected) {
        called(Call.TIMED_OUT);
      }
    };
  }

  private CompletableFuture<Long> sync(boolean force) {
    staged.write(new byte[10], 0, 10);
    return groupCommit.sync(force, 1);
  }

  private static String outcome(CompletableFuture<Long> future) {
    if (!future.isDone()) {
      return "waits";
    }
    return future.isCompletedExceptionally() ? "failed" : "acked " + future.join();
  }

  /** Two writers, 4 ms a flush: the second one's flush waits for company in vain. */
  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"FLUSHED", "LOCKED", "TIMED_OUT"})
  void statisticsThatThrowFailNoSync(Call call) {
    groupCommit = groupCommit(FakeWriter.narrow(hdfs), 25, throwing(call), () -> timer.now);
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      all.add(sync(true));
      all.add(sync(true));
      do {
        timer.now += 4 * MS;
      } while (timer.fire() | hdfs.ack());
    }
    for (int i = 0; i < all.size(); i++) {
      assertEquals("acked " + 10 * (i + 1), outcome(all.get(i)));
    }
    assertTrue(thrown.contains(call), "the fault was met");
  }

  @Test
  void aFailureThatCannotBeCountedReachesEveryWaiter() {
    groupCommit = groupCommit(FakeWriter.narrow(hdfs), 0, throwing(Call.FAILED), () -> timer.now);
    CompletableFuture<Long> first = sync(false);
    hdfs.throwOnWrite = new IllegalStateException("no direct memory");
    CompletableFuture<Long> second = sync(false);
    hdfs.ack();
    assertEquals("acked 10", outcome(first));
    assertEquals("failed", outcome(second));
    assertEquals(List.of(Call.FAILED), thrown);
    assertEquals("failed", outcome(sync(false)));
  }

  @Test
  void aWaitThatCannotBeCountedLeavesTheLockFree() throws Exception {
    CountDownLatch inFlush = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Thread appending = Thread.currentThread();
    FlushOutput slow =
        new FlushOutput() {
          @Override
          public void write(byte[] bytes, int offset, int length) {
            hdfs.write(bytes, offset, length);
          }

          @Override
          public CompletableFuture<Long> flush(boolean force) {
            if (!Thread.currentThread().equals(appending)) {
              inFlush.countDown();
              try {
                goOn.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }
            return hdfs.flush(force);
          }

          @Override
          public boolean isBroken() {
            return hdfs.isBroken();
          }
        };
    groupCommit =
        groupCommit(
            slow,
            0,
            throwing(Call.WAITED),
            () -> {
              if (Thread.currentThread().equals(appending) && inFlush.getCount() == 0) {
                // Found the lock taken: its holder may go on.
                goOn.countDown();
              }
              return timer.now;
            });
    CompletableFuture<Long> first = sync(false);
    CompletableFuture<Long> second = sync(false);
    Thread loop = new Thread(hdfs::ack, "event-loop");
    loop.start();
    inFlush.await();
    CompletableFuture<Long> third = sync(false);
    loop.join();
    assertEquals(List.of(Call.WAITED), thrown);
    Thread otherLoop = new Thread(() -> hdfs.ack(), "other-event-loop");
    otherLoop.start();
    otherLoop.join();
    while (hdfs.ack()) {
      // All that was sent is stored.
    }
    assertEquals("acked 10", outcome(first));
    assertEquals("acked 20", outcome(second));
    assertEquals("acked 30", outcome(third));
  }

  private static FlushOutput flushing(CompletableFuture<Long> future) {
    return new FlushOutput() {
      @Override
      public void write(byte[] bytes, int offset, int length) {}

      @Override
      public CompletableFuture<Long> flush(boolean force) {
        return future;
      }

      @Override
      public boolean isBroken() {
        return false;
      }
    };
  }

  @Test
  void aFlushWithoutAFutureFailsItsSyncsAndAllLaterOnes() {
    groupCommit = groupCommit(flushing(null), 0, WalSyncStats.NONE, () -> timer.now);
    assertEquals("failed", outcome(sync(false)));
    assertEquals("failed", outcome(sync(true)));
  }

  @Test
  void anOutputThatCannotSayWhetherItIsBrokenFailsTheFlushInFlight() {
    boolean[] throwing = new boolean[1];
    FakeHdfsOutput odd =
        new FakeHdfsOutput() {
          @Override
          public boolean isBroken() {
            if (throwing[0]) {
              throw new IllegalStateException("test");
            }
            return super.isBroken();
          }
        };
    groupCommit = groupCommit(FakeWriter.narrow(odd), 0, WalSyncStats.NONE, () -> timer.now);
    CompletableFuture<Long> first = sync(false);
    throwing[0] = true;
    CompletableFuture<Long> second = sync(false);
    assertEquals("failed", outcome(first));
    assertEquals("failed", outcome(second));
  }

  @Test
  void aFlushWithoutALengthFailsItsSyncs() {
    groupCommit =
        groupCommit(
            flushing(CompletableFuture.completedFuture(null)),
            0,
            WalSyncStats.NONE,
            () -> timer.now);
    assertEquals("failed", outcome(sync(false)));
  }

  @Test
  void aClockThatThrowsAsAFlushLandsFailsNoOneForEver() {
    boolean[] broken = new boolean[1];
    groupCommit =
        groupCommit(
            FakeWriter.narrow(hdfs),
            0,
            WalSyncStats.NONE,
            () -> {
              if (broken[0]) {
                throw new IllegalStateException("test");
              }
              return timer.now;
            });
    CompletableFuture<Long> first = sync(false);
    CompletableFuture<Long> second = sync(false);
    broken[0] = true;
    hdfs.ack();
    hdfs.ack();
    assertEquals("acked 10", outcome(first));
    assertEquals("failed", outcome(second));
    assertEquals("failed", outcome(sync(false)));
  }

  /** As a process without memory would throw while it notes the sync down. */
  @Test
  void aSyncThatCannotBeNotedDownFailsAndSoDoAllOthersInOrder() {
    CompletableFuture<Long> first = sync(false);
    CompletableFuture<Long> second = sync(false);
    noMemory = true;
    CompletableFuture<Long> third = sync(false);
    noMemory = false;
    assertEquals("failed", outcome(third));
    hdfs.ack();
    assertEquals("failed", outcome(first));
    assertEquals("failed", outcome(second));
    assertEquals("failed", outcome(sync(false)));
    groupCommit.close();
    assertEquals("failed", outcome(sync(true)));
  }

  @Test
  void aTimerOutOfMemoryMeansNoGathering() {
    groupCommit =
        new GroupCommit(
            FakeWriter.narrow(hdfs),
            staged,
            new GatherPolicy(100),
            (task, nanos) -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            () -> timer.now,
            WalSyncStats.NONE);
    for (int round = 0; round < 4; round++) {
      CompletableFuture<Long> one = sync(true);
      CompletableFuture<Long> other = sync(true);
      timer.now += 4 * MS;
      hdfs.ack();
      timer.now += 4 * MS;
      hdfs.ack();
      assertTrue(outcome(one).startsWith("acked"), outcome(one));
      assertTrue(outcome(other).startsWith("acked"), outcome(other));
    }
  }
}
