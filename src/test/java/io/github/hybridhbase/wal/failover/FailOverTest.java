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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.IoSupplier;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file of three replicas, and a clock and threads of the test's. */
class FailOverTest {
  private static final int STALL = 200;
  private static final Path NEXT = new Path("/hbase/WALs/rs,1,1/rs%2C1%2C1.1700000000007");
  private static final Path WAL = new Path("/hbase/WALs/rs,1,1/rs%2C1%2C1.1700000000000");

  private final DatanodeInfo[] nodes = {
    StalledNodesTest.node(1), StalledNodesTest.node(2), StalledNodesTest.node(3)
  };
  private long now = 1;
  private final StalledNodes stalled = new StalledNodes(TimeUnit.SECONDS.toNanos(30), () -> now);
  private final Deque<Runnable> ticks = new ArrayDeque<>();

  /** Of files that were given up. */
  private final Deque<Runnable> ends = new ArrayDeque<>();

  private final Deque<Runnable> decisions = new ArrayDeque<>();

  private final OpenLog log = new OpenLog("rs%2C1%2C1");

  /** What is to be rolled. */
  private final Deque<OpenLog> rolls = new ArrayDeque<>();

  private IoSupplier<Boolean> nameNode = () -> true;
  private final FailOver failOver = failOver(STALL);
  private ReplicatedFile file;
  private FailOver.Watch watch;

  FailOverTest() {
    open();
  }

  private FailOver failOver(int stall) {
    FailOver scripted = new FailOver(stalled, stall, () -> nameNode.get(), rolls::add);
    scripted.executor = decisions::add;
    return scripted;
  }

  private void open() {
    log.opened(WAL);
    file = new ReplicatedFile(WAL, nodes);
    watch = file.watch = failOver.watch(log, WAL, new WatchedOutput(file), 3, this::schedule);
  }

  private boolean schedule(Runnable task, long nanos) {
    return (nanos < TimeUnit.SECONDS.toNanos(1) ? ticks : ends).add(task);
  }

  private CompletableFuture<Long> flush() {
    file.edits.add(file.edits.size());
    return watch.output.flush(false);
  }

  private void acknowledge(int... replicas) {
    for (int replica : replicas) {
      file.acknowledge(replica);
    }
  }

  private void pass(int count) {
    for (int tick = 0; tick < count && !ticks.isEmpty(); tick++) {
      now += TimeUnit.MILLISECONDS.toNanos(STALL) / StragglerDetector.TICKS;
      ticks.remove().run();
    }
  }

  private CompletableFuture<Long> stall() {
    CompletableFuture<Long> flush = flush();
    acknowledge(0, 2);
    pass(2 * StragglerDetector.TICKS);
    return flush;
  }

  /** Runs the decisions, and what HBase does then: it opens the next file. */
  private void decide() {
    run(decisions);
    if (rolls.remove(log)) {
      log.opened(NEXT);
    }
  }

  private static void run(Deque<Runnable> tasks) {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  @Test
  void straggler_failsTheFlushAsASilentDataNode_onceTheNextFileIsOpen() {
    CompletableFuture<Long> flush = stall();
    assertFalse(flush.isDone(), "decided by another thread");
    assertEquals(1, decisions.size(), "and once");
    assertFalse(watch.output.endsAfterAll(this::schedule), "it was not given up");
    run(decisions);
    pass(100);
    assertFalse(flush.isDone(), "nothing else takes what it holds");
    assertEquals(List.of(log), List.copyOf(rolls));
    assertEquals(List.of(nodes[1]), stalled.excluded(), "the next file is to lack it");
    log.opened(NEXT);
    ExecutionException failed = assertThrows(ExecutionException.class, flush::get);
    assertEquals(HdfsError.Kind.NODE_SILENT, HdfsError.of((IOException) failed.getCause()).kind);
    assertTrue(watch.output.isBroken());
    assertTrue(flush().isCompletedExceptionally(), "every later one");
    assertThrows(IOException.class, watch.output::close, "HBase recovers it then");
    assertFalse(file.ended);
    assertTrue(watch.acknowledgements.isOver());
    pass(1);
    assertTrue(ticks.isEmpty(), "nobody watches it any more");
    assertTrue(watch.output.endsAfterAll(this::schedule));
    CompletableFuture<Long> trailer = watch.output.flush(false);
    assertFalse(trailer.isDone());
    run(ends);
    assertTrue(trailer.isCompletedExceptionally(), "within its time");
  }

  @Test
  void oneThatIsLateAfterAnotherIsLeftByHowLateItIsItself() {
    for (int other = 0; other < StalledNodes.PROMPT_A_MINUTE; other++) {
      stalled.leave(List.of(StalledNodesTest.node(70 + other)), 1);
    }
    flush();
    acknowledge(0, 2);
    pass(2 * StragglerDetector.TICKS - 1);
    acknowledge(1); // just in time
    final CompletableFuture<Long> next = flush();
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
  void writersWait_fromLatePacketToNextFile_notForTrailer() {
    long before = waited();
    long all = 2 * STALL - STALL / StragglerDetector.TICKS + 50; // but the first tick
    stall();
    run(decisions);
    now += TimeUnit.MILLISECONDS.toNanos(50);
    log.opened(NEXT);
    assertEquals(all, waited() - before);

    open();
    log.opened(NEXT);
    rolls.clear();
    CompletableFuture<Long> trailer = stall();
    run(decisions);
    assertTrue(trailer.isCompletedExceptionally(), "its file is recovered instead");
    assertTrue(rolls.isEmpty(), "it was rolled");
    now += TimeUnit.HOURS.toNanos(1);
    log.opened(WAL);
    assertEquals(all, waited() - before, "nobody waited");
  }

  private static long waited() {
    return HybridMetrics.get().value(Metric.WAL_FAILOVER_WAIT);
  }

  @Test
  void aDataNodeThatHangsAndOneThatIsSlowAreCountedApart() {
    final long silent = HybridMetrics.get().value(Metric.WAL_FAILOVERS_SILENT);
    final long slow = HybridMetrics.get().value(Metric.WAL_FAILOVERS_SLOW);
    stall();
    decide();
    assertEquals(silent + 1, HybridMetrics.get().value(Metric.WAL_FAILOVERS_SILENT));
    assertEquals(slow, HybridMetrics.get().value(Metric.WAL_FAILOVERS_SLOW));

    open();
    for (int tick = 0; tick < 40 && decisions.isEmpty(); tick++) {
      flush();
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

  @Test
  void nothingIsGivenUpUntilTheNameNodeTakesFiles() {
    nameNode =
        () -> {
          throw new IOException("away");
        };
    CompletableFuture<Long> flush = stall();
    decide();
    nameNode = () -> false; // another server recovers the WALs
    pass(1);
    decide();
    assertFalse(flush.isDone());
    assertEquals(List.of(), stalled.excluded());
    nameNode = () -> true;
    pass(1);
    decide();
    assertTrue(flush.isCompletedExceptionally());
  }

  @ParameterizedTest
  @CsvSource({
    "200, 3, 3, true",
    "  0, 3, 3, false", // off
    "200, 2, 3, false", // its next file would have one
    "200, 2, 2, false", // two are all that is asked for, and one is not enough
    "200, 0, 3, false" // not known
  })
  void onlyAFileThatMayLeaveAReplicaIsWatched(int stall, int replicas, int usual, boolean watched) {
    var one = new WatchedOutput(new ReplicatedFile(WAL, Arrays.copyOf(nodes, replicas)));
    assertEquals(watched, failOver(stall).watch(log, WAL, one, usual, this::schedule) != null);
  }

  @Test
  void aFlushAndItsAcknowledgementsAllocateNothing() {
    CompletableFuture<Long> one = new CompletableFuture<>();
    ReplicatedFile same =
        new ReplicatedFile(WAL, nodes) {
          @Override
          public CompletableFuture<Long> flush(boolean sync) {
            return one;
          }
        };
    var its = failOver.watch(log, WAL, new WatchedOutput(same), 3, (task, nanos) -> true);
    var thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) {
      long before = thread.getThreadAllocatedBytes(id);
      for (int flush = 0; flush < 10_000; flush++) {
        if (its.output.flush(false) != one) {
          throw new AssertionError("another future");
        }
        for (int replica = 0; replica < nodes.length; replica++) {
          its.acknowledgements.record(nodes[replica], 1, 1, 1, 2 - replica, 1 + flush);
        }
      }
      least = Math.min(least, thread.getThreadAllocatedBytes(id) - before);
    }
    assertTrue(least < 1_000, least + " bytes for ten thousand flushes");
  }

  @Test
  void aFlushOfAnOutputThatBreaksMeanwhileFailsAtOnce() {
    file.whileFlushing = () -> file.broken = true;
    assertTrue(flush().isCompletedExceptionally());
    assertEquals(0, ticks.size());
  }

  @Test
  void oneThatCatchesUpWhileTheNameNodeAnswersIsNotLeft() {
    CompletableFuture<Long> flush = stall();
    nameNode =
        () -> {
          acknowledge(1); // as after a pause of this server's network
          return true;
        };
    decide();
    assertTrue(flush.isDone());
    assertEquals(List.of(), stalled.excluded());
    assertTrue(rolls.isEmpty());
  }
}
