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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.wal.sync.FakeHdfsOutput.Fault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What no schedule of {@link GroupCommitScheduleTest} looks at: sharing, sizes, timers, metrics.
 */
@InterfaceAudience.Private
@Timeout(60)
class GroupCommitTest {
  private static final long MS = 1_000_000;

  private final FakeHdfsOutput hdfs = new FakeHdfsOutput();
  private final ManualTimer timer = new ManualTimer();
  private final StagingBuffer staged = new StagingBuffer();
  private final Map<Metric, Long> before = new EnumMap<>(Metric.class);
  private GroupCommit groupCommit = groupCommit(hdfs, 0);

  GroupCommitTest() {
    for (Metric metric : Metric.values()) {
      if (metric.name().startsWith("WAL_")) {
        before.put(metric, HybridMetrics.get().value(metric));
      }
    }
  }

  private GroupCommit groupCommit(FakeHdfsOutput output, int gatherPercent) {
    GatherPolicy policy = new GatherPolicy(gatherPercent);
    GroupCommit one = new GroupCommit(output, false, policy, timer);
    one.staged = staged;
    one.clock = () -> timer.now;
    return one;
  }

  private long counted(Metric metric) {
    return HybridMetrics.get().value(metric) - before.get(metric);
  }

  private void assertCounted(int flushes, int syncs, int hsyncs, int failed) {
    assertEquals(
        List.of(flushes, syncs, hsyncs, failed),
        Stream.of(
                Metric.WAL_FLUSHES, Metric.WAL_SYNCS, Metric.WAL_HSYNCS, Metric.WAL_WRITERS_FAILED)
            .map(metric -> (int) counted(metric))
            .collect(Collectors.toList()));
  }

  private CompletableFuture<Long> sync(boolean force, int bytes) {
    staged.write(new byte[bytes], 0, bytes);
    return groupCommit.sync(force, 1);
  }

  private static String outcome(CompletableFuture<Long> future) {
    if (!future.isDone()) {
      return "waits";
    }
    return future.isCompletedExceptionally() ? "failed" : "acked " + future.join();
  }

  @Test
  void theNextFlushAnswersAllThatCameMeanwhile() {
    CompletableFuture<Long> first = sync(false, 10);
    CompletableFuture<Long> second = sync(true, 10);
    CompletableFuture<Long> third = sync(false, 10);
    assertEquals(1, hdfs.sent.size());
    hdfs.ack();
    assertEquals("acked 10", outcome(first));
    assertEquals("waits", outcome(second));
    assertEquals(2, hdfs.sent.size());
    hdfs.ack();
    assertEquals("acked 30", outcome(second));
    assertEquals("acked 30", outcome(third));
    assertEquals(2, hdfs.sent.size());
    sync(true, 10);
    hdfs.ack();
    assertCounted(3, 4, 2, 0);
  }

  /** HBase's output fails its flushes under a lock of its own. */
  @Test
  void aFailedFlushIsProcessedOnceByAThreadWithoutLocks_withItsCause() {
    List<Runnable> posted = new ArrayList<>();
    groupCommit =
        new GroupCommit(hdfs, false, new GatherPolicy(0), (task, nanos) -> posted.add(task));
    groupCommit.staged = staged;
    CompletableFuture<Long> first = sync(true, 10);
    CompletableFuture<Long> second = sync(true, 10);
    hdfs.fail(Fault.BREAKS);
    assertEquals("waits", outcome(first));
    posted.forEach(Runnable::run);
    ExecutionException e = assertThrows(ExecutionException.class, second::get);
    assertEquals(IOException.class, e.getCause().getClass());
    assertEquals("Connection closed", e.getCause().getMessage());
    assertEquals("failed", outcome(sync(false, 10)));
    assertCounted(0, 0, 0, 1);
  }

  @Test
  void whatWasGivenUpTakesTheEndOfTheFileAndNothingElse() {
    final CompletableFuture<Long> inFlight = sync(true, 10);
    final CompletableFuture<Long> waiting = sync(true, 10);
    groupCommit.giveUp(new IOException("stalls"));
    assertEquals("failed", outcome(sync(true, 10)));
    staged.write(1);
    assertTrue(groupCommit.isBroken() && groupCommit.endsAfterAll(timer));
    CompletableFuture<Long> trailer = sync(true, 5);
    while (hdfs.ack()) {
      // First what was given up.
    }
    assertEquals("failed failed", outcome(inFlight) + " " + outcome(waiting));
    assertEquals("acked 15", outcome(trailer));
  }

  @Test
  void aFlushThatHBaseForgetsFailsOnceItsConnectionCloses() {
    CompletableFuture<Long> last = sync(true, 10);
    hdfs.fail(Fault.BREAKS_SILENTLY);
    assertEquals("waits", outcome(last));
    groupCommit.connectionClosed();
    assertEquals("failed", outcome(last));
  }

  @Test
  void syncsThatWaitLeaveWholeInFlushesOfAFewMiB() {
    sync(true, 10);
    List<CompletableFuture<Long>> waiting = new ArrayList<>();
    long[] ends = new long[101];
    ends[0] = 10;
    for (int i = 0; i < 100; i++) {
      int bytes = i == 50 ? 5 * GroupCommit.MAX_BYTES : 200_000 + i;
      ends[i + 1] = ends[i] + bytes;
      waiting.add(sync(i == 30, bytes));
    }
    while (hdfs.ack()) {
      // The next one leaves.
    }
    for (FakeHdfsOutput.Packet packet : hdfs.sent) {
      assertTrue(Arrays.binarySearch(ends, packet.to) >= 0, "an entry is cut at " + packet.to);
      boolean large = packet.from == ends[50];
      assertTrue(large || packet.to - packet.from <= GroupCommit.MAX_BYTES);
      assertEquals(large ? ends[51] : packet.to, packet.to, "the large one leaves alone");
    }
    assertTrue(hdfs.sent.size() < 10, hdfs.sent.size() + " flushes");
    assertTrue(hdfs.durable() >= ends[31]);
    waiting.forEach(sync -> assertTrue(outcome(sync).startsWith("acked"), outcome(sync)));
  }

  @Test
  void flushesThatCompleteAtOnceDoNotNest() {
    FakeHdfsOutput immediate =
        new FakeHdfsOutput() {
          @Override
          public CompletableFuture<Long> flush(boolean sync) {
            CompletableFuture<Long> future = super.flush(sync);
            if (sent.size() > 1) {
              ack();
            }
            return future;
          }
        };
    groupCommit = groupCommit(immediate, 0);
    int[] answers = new int[1];
    // A listener that syncs again inside the completion, as on a shared event loop.
    Runnable[] again = new Runnable[1];
    again[0] =
        () -> {
          if (answers[0]++ < 50_000) {
            var unused = sync(false, 1).whenComplete((n, e) -> again[0].run());
          }
        };
    again[0].run();
    immediate.ack();
    assertEquals(50_001, answers[0]);
    assertEquals(List.of(), immediate.violations);
  }

  @Test
  void gatheringEndsOnTheTimerWhileARollWaits() {
    groupCommit = groupCommit(hdfs, 25);
    round(4);
    CompletableFuture<Long> last = sync(true, 10);
    assertEquals("waits", outcome(last));
    assertEquals(2, hdfs.sent.size(), "gathers");
    assertEquals(MS, timer.lastDelay);
    timer.now += timer.lastDelay;
    timer.fire();
    assertEquals(3, hdfs.sent.size());
    hdfs.ack();
    assertEquals("acked 60", outcome(last));
    assertEquals(1, counted(Metric.WAL_GATHER_TIMEOUTS));
  }

  @Test
  void gatheringEndsWhenAllHaveCome() {
    groupCommit = groupCommit(hdfs, 25);
    round(3);
    sync(true, 10);
    sync(true, 10);
    assertEquals(2, hdfs.sent.size());
    CompletableFuture<Long> last = sync(true, 10);
    assertEquals(3, hdfs.sent.size());
    // The timer of a batch that has left sends nothing.
    timer.now += 5 * MS;
    timer.fire();
    assertEquals(3, hdfs.sent.size());
    groupCommit.end();
    assertEquals("failed", outcome(last));
    assertEquals(0, counted(Metric.WAL_WRITERS_FAILED));
    assertEquals(0, counted(Metric.WAL_GATHER_TIMEOUTS));
  }

  @Test
  void aTimerSetForAnEarlierBatchDoesNotCutALaterOneShort() {
    groupCommit = groupCommit(hdfs, 25);
    round(2);
    sync(true, 10);
    timer.now += MS / 2;
    sync(true, 10);
    timer.now += 4 * MS;
    hdfs.ack();
    assertEquals(1, timer.set());
    sync(true, 10);
    assertEquals(1, timer.set(), "one timer at most");
    timer.fire();
    assertEquals(3, hdfs.sent.size(), "gathers on");
    assertEquals(1, timer.set());
    timer.now += timer.lastDelay;
    timer.fire();
    assertEquals(4, hdfs.sent.size());
  }

  /** A flush of one edit, then one of all writers, 4 ms each. */
  private void round(int writers) {
    for (int i = 0; i < writers; i++) {
      sync(true, 10);
    }
    timer.now += 4 * MS;
    hdfs.ack();
    // The first writer is back.
    sync(true, 10);
    timer.now += 4 * MS;
    hdfs.ack();
    while (timer.fire()) {
      // Set for a batch that has left.
    }
    assertEquals(2, hdfs.sent.size());
    assertEquals(0, hdfs.unackedPackets());
  }

  private static final int BATCH = 64 * 1024;
  private static final byte[] CELL = new byte[1024];

  /**
   * HBase's output, with its buffer: it holds what it will send in one, and netty copies all of it
   * whenever it grows.
   */
  private static final class BufferedHdfsOutput extends FakeHdfsOutput {
    private ByteBuf buf = PooledByteBufAllocator.DEFAULT.directBuffer(4096);
    private long copied;
    private int largest;

    @Override
    public void write(byte[] b, int off, int len) {
      super.write(b, off, len);
      int before = buf.capacity();
      buf.ensureWritable(len);
      copied += before == buf.capacity() ? 0 : buf.readableBytes();
      buf.writeBytes(b, off, len);
      copied += len;
      largest = Math.max(largest, buf.readableBytes());
    }

    @Override
    public CompletableFuture<Long> flush(boolean sync) {
      buf.release();
      buf = PooledByteBufAllocator.DEFAULT.directBuffer(4096);
      return super.flush(sync);
    }
  }

  /** How often a byte is copied between its append and its packet. */
  @ParameterizedTest
  @ValueSource(ints = {16, 64, 256})
  void stagedBytes_areCopiedEquallyOften_whateverTheirNumber(int mib) {
    BufferedHdfsOutput hdfs = new BufferedHdfsOutput();
    GroupCommit output = new GroupCommit(hdfs, true, new GatherPolicy(0), timer);
    List<CompletableFuture<Long>> all = new ArrayList<>();
    all.add(append(output, 10)); // held
    long bytes = (long) mib << 20;
    for (long at = 0; at < bytes; at += BATCH) {
      all.add(append(output, BATCH));
    }
    while (hdfs.ack()) {
      // The next one leaves.
    }
    double copies = (double) hdfs.copied / bytes;
    System.out.printf(
        "%d MiB behind one flush: each byte copied %.2f times into a buffer of at most %.1f MiB%n",
        mib, copies, hdfs.largest / 1048576.0);
    assertTrue(copies < 2.5, copies + " copies of each byte");
    assertTrue(hdfs.largest <= 4 << 20, hdfs.largest + " bytes in one buffer");
    all.forEach(sync -> assertTrue(sync.isDone() && !sync.isCompletedExceptionally()));
  }

  /** An entry of cells. */
  private static CompletableFuture<Long> append(GroupCommit output, int bytes) {
    for (int at = 0; at < bytes; at += CELL.length) {
      output.stream().write(CELL, 0, Math.min(CELL.length, bytes - at));
    }
    output.entryEnds();
    return output.flush(true);
  }
}
