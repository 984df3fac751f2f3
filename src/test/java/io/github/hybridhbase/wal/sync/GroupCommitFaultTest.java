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

import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever throws between a sync and its answer: every sync is answered, in order, the lock is
 * free, and what was only to be counted fails nothing.
 */
@InterfaceAudience.Private
@Timeout(60)
class GroupCommitFaultTest {
  private static final long MS = 1_000_000;

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
  private GroupCommit groupCommit = groupCommit(hdfs, 25, () -> timer.now);

  private GroupCommit groupCommit(FakeHdfsOutput output, int gatherPercent, LongSupplier clock) {
    return new GroupCommit(output, staged, false, new GatherPolicy(gatherPercent), timer, clock);
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

  @Test
  void aWriteThatThrowsFailsAllThatWaitInOrder() {
    CompletableFuture<Long> first = sync(false);
    hdfs.throwOnWrite = new IllegalStateException("no direct memory");
    CompletableFuture<Long> second = sync(false);
    hdfs.ack();
    assertEquals("acked 10", outcome(first));
    assertEquals("failed", outcome(second));
    assertEquals("failed", outcome(sync(false)));
  }

  private static FakeHdfsOutput flushing(CompletableFuture<Long> future) {
    return new FakeHdfsOutput() {
      @Override
      public CompletableFuture<Long> flush(boolean force) {
        return future;
      }
    };
  }

  @Test
  void aFlushWithoutAFutureFailsItsSyncsAndAllLaterOnes() {
    groupCommit = groupCommit(flushing(null), 0, () -> timer.now);
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
    groupCommit = groupCommit(odd, 0, () -> timer.now);
    CompletableFuture<Long> first = sync(false);
    throwing[0] = true;
    CompletableFuture<Long> second = sync(false);
    assertEquals("failed", outcome(first));
    assertEquals("failed", outcome(second));
  }

  @Test
  void aFlushWithoutALengthFailsItsSyncs() {
    groupCommit =
        groupCommit(flushing(CompletableFuture.completedFuture(null)), 0, () -> timer.now);
    assertEquals("failed", outcome(sync(false)));
  }

  @Test
  void aClockThatThrowsAsAFlushLandsFailsNoOneForEver() {
    boolean[] broken = new boolean[1];
    groupCommit =
        groupCommit(
            hdfs,
            0,
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
    groupCommit.end();
    assertEquals("failed", outcome(sync(true)));
  }

  @Test
  void aTimerOutOfMemoryMeansNoGathering() {
    groupCommit =
        new GroupCommit(
            hdfs,
            staged,
            false,
            new GatherPolicy(100),
            (task, nanos) -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            () -> timer.now);
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
