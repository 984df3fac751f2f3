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
package io.github.hybridhbase.wal.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.wal.failover.StalledNodes.RollLimit;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.CancelableProgressable;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

/** An output of three replicas, its acknowledgements, and a clock and threads of the test's. */
class FailOverTest {
  private static final int STALL = 200;
  private static final Path NEXT = new Path("/hbase/WALs/rs,1,1/rs%2C1%2C1.1700000000007");
  private static final Path WAL = new Path("/hbase/WALs/rs,1,1/rs%2C1%2C1.1700000000000");

  /** Of the DataNodes that are asked for a sign of life. */
  private int silent;

  private final DatanodeInfo[] nodes = {
    StalledNodesTest.node(1), StalledNodesTest.node(2), StalledNodesTest.node(3)
  };
  private long now = 1;
  private final StalledNodes stalled = new StalledNodes(TimeUnit.SECONDS.toNanos(30), () -> now);
  private final Output output = new Output();
  private final Deque<Runnable> ticks = new ArrayDeque<>();

  /** Of files that were given up. */
  private final Deque<Runnable> ends = new ArrayDeque<>();

  private final Deque<Runnable> decisions = new ArrayDeque<>();

  private final OpenLog log = new OpenLog("rs%2C1%2C1");

  /** What is to be rolled. */
  private final Deque<OpenLog> rolls = new ArrayDeque<>();

  private boolean nameNodeAway;
  private int looksAtDirectory;
  private boolean directoryGone;

  private boolean takesFiles() throws IOException {
    looksAtDirectory++;
    if (nameNodeAway) {
      throw new IOException("away");
    }
    return !directoryGone;
  }

  private int usual = 3;
  private final FailOver failOver = failOver(STALL);
  private FailOver.Watch watch = watch(failOver);

  private FailOver failOver(int stall) {
    return new FailOver(
        stalled,
        stall,
        () -> now,
        this::takesFiles,
        rolls::add,
        decisions::add,
        (output, late) -> new ScriptedHeartbeats(() -> silent));
  }

  private FailOver.Watch watch(FailOver by) {
    log.opened(WAL, now);
    return by.watch(log, WAL, output, usual, this::schedule);
  }

  private void schedule(Runnable task, long nanos) {
    (nanos < TimeUnit.SECONDS.toNanos(1) ? ticks : ends).add(task);
  }

  private void acknowledge(int... replicas) {
    for (int replica : replicas) {
      watch.acknowledgements.record(nodes[replica], 1, 1, 0, 0, 0);
    }
  }

  private void pass(int count) {
    for (int tick = 0; tick < count && !ticks.isEmpty(); tick++) {
      now += TimeUnit.MILLISECONDS.toNanos(STALL) / StragglerDetector.TICKS;
      ticks.remove().run();
    }
  }

  private CompletableFuture<Long> stall() {
    CompletableFuture<Long> flush = watch.output.flush(false);
    acknowledge(0, 2);
    pass(2 * StragglerDetector.TICKS);
    return flush;
  }

  /** Runs the decisions, and what HBase does then: it opens the next file. */
  private void decide() {
    run(decisions);
    if (rolls.remove(log)) {
      log.opened(NEXT, now);
      pass(2);
    }
  }

  private static void run(Deque<Runnable> tasks) {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  @Test
  void aStragglerFailsTheFlushAsASilentDataNodeAndIsLeftOut() {
    CompletableFuture<Long> flush = stall();
    assertFalse(flush.isDone(), "decided by another thread");
    assertEquals(1, decisions.size(), "and once");
    decide();
    ExecutionException failed = assertThrows(ExecutionException.class, flush::get);
    assertEquals(HdfsError.Kind.NODE_SILENT, HdfsError.of((IOException) failed.getCause()).kind);
    assertEquals(List.of(nodes[1]), stalled.excluded());
    assertTrue(watch.output.isBroken());
    assertTrue(watch.output.flush(true).isCompletedExceptionally(), "every later one");
    assertThrows(IOException.class, watch.output::close, "HBase recovers it then");
    assertFalse(output.closed);
    assertTrue(watch.acknowledgements.isOver());
    pass(1);
    assertTrue(ticks.isEmpty(), "nobody watches it any more");
  }

  @Test
  void straggler_isLeftOnceTheNextFileIsOpen() {
    CompletableFuture<Long> flush = stall();
    run(decisions);
    pass(100);
    assertFalse(flush.isDone(), "nothing else takes what it holds");
    assertEquals(List.of(log), List.copyOf(rolls));
    assertEquals(List.of(nodes[1]), stalled.excluded(), "the next file is to lack it");
    log.opened(NEXT, now);
    pass(1);
    assertFalse(flush.isDone(), "HBase is not in its safe point yet, and would roll once more");
    pass(1);
    assertTrue(flush.isCompletedExceptionally());
  }

  @Test
  void headerOfTheNextFile_fails_atOnce() {
    log.opened(NEXT, now); // and not this one
    CompletableFuture<Long> header = stall();
    run(decisions);
    assertTrue(header.isCompletedExceptionally(), "the roll waits for it");
    assertTrue(rolls.isEmpty());
  }

  @Test
  void givenUpFile_takesItsTrailerWithinItsTime() throws IOException {
    assertFalse(watch.endsAfterAll(), "it was not given up");
    stall();
    decide();
    assertTrue(watch.endsAfterAll());
    CompletableFuture<Long> trailer = watch.output.flush(false);
    output.complete();
    assertFalse(trailer.isDone());
    output.complete();
    assertEquals(7, trailer.join(), "after what it was given up for");
    watch.output.close();
    assertTrue(output.closed);
  }

  @Test
  void oneThatIsLateAfterAnotherIsLeftByHowLateItIsItself() {
    for (int other = 0; other < RollLimit.PROMPT_A_MINUTE; other++) {
      stalled.leave(List.of(StalledNodesTest.node(70 + other)), 1);
    }
    watch.output.flush(false);
    acknowledge(0, 2);
    pass(2 * StragglerDetector.TICKS - 1);
    acknowledge(1); // just in time
    final CompletableFuture<Long> next = watch.output.flush(false);
    acknowledge(0, 1);
    pass(2 * StragglerDetector.TICKS - 1);
    decide();
    assertFalse(next.isDone(), "not by how late another was");
    pass(2);
    decide();
    assertTrue(next.isCompletedExceptionally());
    assertTrue(stalled.excluded().contains(nodes[2]));
  }

  @Test
  void mostSilent_straggler_getsItsFullTimeAgain() {
    silent = 1;
    CompletableFuture<Long> flush = stall();
    decide();
    assertFalse(flush.isDone(), "two of three are away: a new file would meet them as well");
    assertEquals(List.of(), stalled.excluded());
    pass(2 * StragglerDetector.TICKS);
    silent = 0; // just before it is asked again
    decide();
    assertFalse(flush.isDone(), "those that stopped go on one after the other");
    pass(StragglerDetector.TICKS);
    assertEquals(0, decisions.size());
    pass(1);
    decide();
    assertTrue(flush.isCompletedExceptionally());
    assertEquals(List.of(nodes[1]), stalled.excluded());
  }

  @Test
  void theNameNodeIsNotAskedWhileMostAreSilent() {
    silent = 1;
    nameNodeAway = true;
    stall();
    decide();
    assertEquals(0, looksAtDirectory);
  }

  @Test
  void nobodyIsAskedOnceTheFileIsBeingClosed() throws IOException {
    stall();
    watch.output.close();
    assertFalse(watch.output.betweenFlushes(() -> fail("behind the last packet")));
    decide();
    assertEquals(List.of(), stalled.excluded());
  }

  /** HBase gives each packet to the event loop in three pieces. */
  @Test
  void nothingGetsIntoTheMiddleOfAFlush() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    Thread other =
        new Thread(
            () -> {
              await(inside);
              watch.output.betweenFlushes(() -> order.add("heartbeat"));
            });
    output.whileFlushing =
        () -> {
          order.add("header");
          inside.countDown();
          awaitBlocked(other);
          order.add("data");
        };
    other.start();
    watch.output.flush(false);
    other.join();
    assertEquals(List.of("header", "data", "heartbeat"), order);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Until it waits for the lock, or has ended without. */
  private static void awaitBlocked(Thread thread) {
    while (thread.getState() != Thread.State.BLOCKED
        && thread.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
  }

  @Test
  void writersWait_fromLatePacketToNextFile_notForTrailer() {
    long before = waited();
    long all = 2 * STALL - STALL / StragglerDetector.TICKS + 50; // but the first tick
    stall();
    run(decisions);
    now += TimeUnit.MILLISECONDS.toNanos(50);
    log.opened(NEXT, now);
    assertEquals(all, waited() - before);

    watch = watch(failOver);
    log.opened(NEXT, now);
    rolls.clear();
    CompletableFuture<Long> trailer = stall();
    run(decisions);
    assertTrue(trailer.isCompletedExceptionally(), "its file is recovered instead");
    assertTrue(rolls.isEmpty(), "it was rolled");
    now += TimeUnit.HOURS.toNanos(1);
    log.opened(WAL, now);
    assertEquals(all, waited() - before, "nobody waited");
  }

  @Test
  void aDataNodeThatHangsAndOneThatIsSlowAreCountedApart() {
    final long silent = HybridMetrics.get().value(Metric.WAL_FAILOVERS_SILENT);
    final long slow = HybridMetrics.get().value(Metric.WAL_FAILOVERS_SLOW);
    stall();
    decide();
    assertEquals(silent + 1, HybridMetrics.get().value(Metric.WAL_FAILOVERS_SILENT));
    assertEquals(slow, HybridMetrics.get().value(Metric.WAL_FAILOVERS_SLOW));

    watch = watch(failOver);
    for (int tick = 0; tick < 40 && decisions.isEmpty(); tick++) {
      watch.output.flush(false);
      acknowledge(0, 2);
      if (tick % 2 == 0) { // half of what is written
        acknowledge(1);
      }
      pass(1);
    }
    decide();
    assertEquals(silent + 1, HybridMetrics.get().value(Metric.WAL_FAILOVERS_SILENT));
    assertEquals(slow + 1, HybridMetrics.get().value(Metric.WAL_FAILOVERS_SLOW));
  }

  private static long waited() {
    return HybridMetrics.get().value(Metric.WAL_FAILOVER_WAIT);
  }

  @Test
  void whileTheNameNodeIsAwayNothingIsGivenUp() {
    nameNodeAway = true;
    CompletableFuture<Long> flush = stall();
    decide();
    assertFalse(flush.isDone());
    assertEquals(List.of(), stalled.excluded());
    nameNodeAway = false;
    pass(1);
    decide();
    assertTrue(flush.isCompletedExceptionally(), "once it answers");
  }

  @Test
  void aServerWhoseDirectoryIsGoneGivesNothingUp() {
    directoryGone = true;
    CompletableFuture<Long> flush = stall();
    decide();
    assertFalse(flush.isDone());
  }

  @Test
  void offOrOneReplicaIsNotWatched() {
    assertNull(watch(failOver(0)));
    output.pipeline = new DatanodeInfo[] {nodes[0]};
    assertNull(watch(failOver));
    output.pipeline = new DatanodeInfo[0]; // not known
    assertNull(watch(failOver));
  }

  @Test
  void oneThatLacksAReplicaAlreadyWaits() {
    output.pipeline = new DatanodeInfo[] {nodes[0], nodes[1]};
    assertNull(watch(failOver), "its next file would have one");
    usual = 2;
    assertNull(watch(failOver), "two are all that is asked for, and one is not enough");
  }

  @Test
  void itComesBackAfterItsTimeAndNotBefore() {
    stall();
    decide();
    now += TimeUnit.SECONDS.toNanos(15);
    assertEquals(List.of(nodes[1]), stalled.excluded(), "its time has not come");
    assertTrue(stalled.untilBack() > 0);
    now += TimeUnit.SECONDS.toNanos(16);
    assertEquals(List.of(), stalled.excluded());
    assertEquals(0, stalled.untilBack());
  }

  @Test
  void aFlushAndItsAcknowledgementsAllocateNothing() {
    CompletableFuture<Long> one = new CompletableFuture<>();
    Output same =
        new Output() {
          @Override
          public CompletableFuture<Long> flush(boolean sync) {
            return one;
          }
        };
    FailOver.Watch its = failOver.watch(log, WAL, same, usual, (task, nanos) -> {});
    var thread =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) {
      long before = thread.getThreadAllocatedBytes(id);
      for (int flush = 0; flush < 10_000; flush++) {
        if (its.output.flush(false) != one) {
          throw new AssertionError("another future");
        }
        for (int replica = 0; replica < nodes.length; replica++) {
          its.acknowledgements.record(
              nodes[replica], 1, 1, 1, nodes.length - 1 - replica, 1 + flush);
        }
      }
      least = Math.min(least, thread.getThreadAllocatedBytes(id) - before);
    }
    assertTrue(least < 1_000, least + " bytes for ten thousand flushes");
  }

  @Test
  void aFlushThatItsOutputBrokeUnderFailsAtOnceAndIsNotWatched() {
    output.whileFlushing = () -> output.broken = true;
    assertTrue(watch.output.flush(true).isCompletedExceptionally());
    assertEquals(0, ticks.size());
  }

  @Test
  void flushOfBrokenOutput_failsAtNextTick_whichIsTheLast() {
    CompletableFuture<Long> flush = watch.output.flush(true);
    pass(1);
    assertFalse(flush.isDone());
    output.broken = true;
    pass(1);
    assertTrue(flush.isCompletedExceptionally());
    assertEquals(0, ticks.size());
    assertEquals(0, decisions.size(), "no DataNode is asked for a sign of life");
  }

  /** Completes flushes when it is told to, the oldest first. */
  private class Output extends BytelessOutput {
    final Deque<CompletableFuture<Long>> waiting = new ArrayDeque<>();
    DatanodeInfo[] pipeline = nodes;
    boolean closed;
    boolean broken;
    int completed;
    Runnable whileFlushing = () -> {};

    void complete() {
      completed++;
      waiting.remove().complete(7L);
    }

    @Override
    public CompletableFuture<Long> flush(boolean sync) {
      CompletableFuture<Long> flush = new CompletableFuture<>();
      waiting.add(flush);
      whileFlushing.run();
      return flush;
    }

    @Override
    public int buffered() {
      return 3;
    }

    @Override
    public DatanodeInfo[] getPipeline() {
      return pipeline;
    }

    @Override
    public void recoverAndClose(CancelableProgressable reporter) {}

    @Override
    public void close() {
      closed = true;
    }

    @Override
    public boolean isBroken() {
      return broken;
    }

    @Override
    public long getSyncedLength() {
      return 5;
    }
  }
}
