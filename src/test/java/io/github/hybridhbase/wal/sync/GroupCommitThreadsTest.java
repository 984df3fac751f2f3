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
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The group commit between a real appending thread and real event loops. The output notes whenever
 * two threads are in it at once, which HDFS's does not survive.
 */
@InterfaceAudience.Private
@Timeout(120)
class GroupCommitThreadsTest {
  private static final int SYNCS = 20_000;

  /** Acknowledges every flush on one of some event loops, after those before it. */
  private static final class LoopedOutput extends FakeHdfsOutput {
    private final ScheduledExecutorService loops;
    private final Random random = new Random(11);
    private final AtomicLong users = new AtomicLong();
    final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    final AtomicLong underWay = new AtomicLong();
    private final ConcurrentLinkedQueue<Runnable> acks = new ConcurrentLinkedQueue<>();
    long written;
    long flushed;
    long flushes;
    volatile long durable;
    volatile long acked;

    LoopedOutput(ScheduledExecutorService loops) {
      this.loops = loops;
    }

    private void enter() {
      if (users.incrementAndGet() != 1) {
        faults.add("Two threads in the output");
      }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      enter();
      written += length;
      users.decrementAndGet();
    }

    @Override
    public CompletableFuture<Long> flush(boolean force) {
      enter();
      if (underWay.incrementAndGet() != 1) {
        faults.add("A second flush under way");
      }
      flushes++;
      flushed = written;
      long to = flushed;
      CompletableFuture<Long> future = new CompletableFuture<>();
      Runnable ack =
          () -> {
            if (force) {
              durable = to;
            }
            acked = to;
            underWay.decrementAndGet();
            future.complete(to);
          };
      acks.add(ack);
      Runnable next = this::ackInOrder;
      if (random.nextInt(10) == 0) {
        loops.execute(next);
      } else {
        var unused = loops.schedule(next, random.nextInt(200), TimeUnit.MICROSECONDS);
      }
      users.decrementAndGet();
      return future;
    }

    @Override
    public boolean isBroken() {
      return false;
    }

    private synchronized void ackInOrder() {
      acks.remove().run();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void oneAppendingThreadAgainstEventLoops(int loopCount) throws Exception {
    ScheduledExecutorService loops = Executors.newScheduledThreadPool(loopCount);
    LoopedOutput output = new LoopedOutput(loops);
    StagingBuffer staged = new StagingBuffer();
    GroupCommit groupCommit =
        new GroupCommit(
            output,
            staged,
            false,
            new GatherPolicy(50),
            (task, nanos) -> {
              var unused = loops.schedule(task, nanos, TimeUnit.NANOSECONDS);
            },
            System::nanoTime);
    Random random = new Random(5);
    long appended = 0;
    AtomicLong answered = new AtomicLong();
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (int i = 0; i < SYNCS; i++) {
      int bytes = 1 + random.nextInt(300);
      staged.write(new byte[bytes], 0, bytes);
      appended += bytes;
      boolean force = i / 500 % 2 == 0 && random.nextInt(3) == 0;
      long covers = appended;
      long number = i;
      CompletableFuture<Long> sync = groupCommit.sync(force, 1);
      all.add(
          sync.whenComplete(
              (length, e) -> {
                if (output.acked < covers || (force && output.durable < covers)) {
                  output.faults.add("Sync " + number + " acknowledged too early");
                }
                if (!answered.compareAndSet(number, number + 1)) {
                  output.faults.add("Sync " + number + " out of turn");
                }
              }));
      if (random.nextInt(50) == 0) {
        // The log's consumer has nothing to do until these are answered.
        sync.get();
      }
    }
    for (CompletableFuture<Long> sync : all) {
      sync.get();
    }
    assertEquals(List.of(), new ArrayList<>(output.faults));
    assertEquals(SYNCS, answered.get());
    assertTrue(output.flushes < SYNCS, output.flushes + " flushes");
    loops.shutdown();
    assertTrue(loops.awaitTermination(10, TimeUnit.SECONDS));
  }
}
