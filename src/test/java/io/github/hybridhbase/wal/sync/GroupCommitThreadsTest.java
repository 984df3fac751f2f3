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

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void oneAppendingThreadAgainstEventLoops(int loopCount) throws Exception {
    ScheduledExecutorService loops = Executors.newScheduledThreadPool(loopCount);
    Random delays = new Random(11);
    FakeHdfsOutput output =
        new FakeHdfsOutput() {
          @Override
          public CompletableFuture<Long> flush(boolean force) {
            CompletableFuture<Long> flush = super.flush(force);
            if (unackedPackets() > 1) {
              violations.add("A second flush in flight");
            }
            int micros = delays.nextInt(10) == 0 ? 0 : delays.nextInt(200);
            var unused = loops.schedule(this::ack, micros, TimeUnit.MICROSECONDS);
            return flush;
          }
        };
    output.acksOnLoop = false; // a plain flag, of one thread's tests
    GroupCommit groupCommit =
        new GroupCommit(
            output,
            false,
            new GatherPolicy(50),
            (task, nanos) -> loops.schedule(task, nanos, TimeUnit.NANOSECONDS) != null);
    Random random = new Random(5);
    long appended = 0;
    AtomicLong answered = new AtomicLong();
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (int i = 0; i < SYNCS; i++) {
      int bytes = 1 + random.nextInt(300);
      groupCommit.staged.write(new byte[bytes], 0, bytes);
      appended += bytes;
      boolean force = i / 500 % 2 == 0 && random.nextInt(3) == 0;
      long covers = appended;
      long number = i;
      CompletableFuture<Long> sync = groupCommit.sync(force, 1);
      all.add(
          sync.whenComplete(
              (length, e) -> {
                if (output.getSyncedLength() < covers || force && output.durable() < covers) {
                  output.violations.add("Sync " + number + " acknowledged too early");
                }
                if (!answered.compareAndSet(number, number + 1)) {
                  output.violations.add("Sync " + number + " out of turn");
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
    assertEquals(List.of(), output.violations);
    assertEquals(SYNCS, answered.get());
    assertTrue(output.sent.size() < SYNCS, output.sent.size() + " flushes");
    loops.shutdown();
    assertTrue(loops.awaitTermination(10, TimeUnit.SECONDS));
  }
}
