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

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Plays a random schedule against the fail-over of one server: a log that is appended to, synced,
 * rolled and closed, DataNodes that stall and recover, a NameNode that goes away, and every
 * thread's work in any order. One thread, so that a seed repeats its schedule to the letter.
 */
@InterfaceAudience.Private
final class FailOverSchedule {
  /** What was going on when an output was given up, and what else came of verdicts. */
  enum Event {
    APPENDED_AND_NOT_FLUSHED,
    SOME_REPLICAS_ACKNOWLEDGED,
    WHILE_ROLLING,
    NEXT_FILE_GIVEN_UP_BEFORE_IT_IS_USED,
    TRAILER_OF_AN_OLD_FILE,
    WHILE_AN_OLD_FILE_IS_RECOVERED,
    SECOND_STRAGGLER,
    CAUGHT_UP_BEFORE_THE_DECISION,
    CAUGHT_UP_BEFORE_THE_ROLL,
    GIVEN_UP_AND_CLOSED_WITH_ITS_TRAILER,
    NAMENODE_AWAY,
    NEEDED_AFTER_ALL,
    TAKEN_BACK
  }

  /** With one more in a minute one would be late for longer than a minute, at 200 ms. */
  private static final int MOST_A_MINUTE = StalledNodes.PROMPT_A_MINUTE + 7;

  private static final int STALL = 200;
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final Random random;
  private final Map<Event, Integer> events;
  private final DatanodeInfo[] nodes;
  private final boolean[] stalls;

  /** When each of them stalled last. */
  private final long[] since;

  private final ModelLog.Fault fault;
  private final PriorityQueue<Map.Entry<Long, Runnable>> tasks =
      new PriorityQueue<>(Map.Entry.comparingByKey());
  private final Deque<Runnable> decisions = new ArrayDeque<>();
  private final List<Long> rolls = new ArrayList<>();

  /** When DataNodes were left that were not left out before. */
  private final List<Long> leaves = new ArrayList<>();

  private final ModelLog log;

  /** Files that are neither closed nor recovered. */
  private final List<ReplicatedFile> live = new ArrayList<>();

  private final Map<ReplicatedFile, Long> opened = new IdentityHashMap<>();

  private final OpenLog open = new OpenLog("rs%2C1%2C1");

  /** The file that is to be rolled off a straggler. */
  private ReplicatedFile leaving;

  private StalledNodes stalled;
  private FailOver failOver;
  private long now = 1;
  private int files;
  private int failuresSeen;
  private int breaks;
  private boolean nameNodeAway;

  private FailOverSchedule(long seed, Map<Event, Integer> events, ModelLog.Fault fault) {
    this.fault = fault;
    this.log = new ModelLog(this::open, file -> open.opened(file.path), fault);
    this.random = new Random(seed);
    this.events = events;
    this.nodes = new DatanodeInfo[3 + random.nextInt(4)];
    Arrays.setAll(nodes, StalledNodesTest::node);
    this.stalls = new boolean[nodes.length];
    this.since = new long[nodes.length];
    watchAnew();
  }

  private void watchAnew() {
    stalled = new StalledNodes(TimeUnit.SECONDS.toNanos(2), () -> now);
    failOver = new FailOver(stalled, STALL, this::takesFiles, this::leave);
    failOver.executor = decisions::add;
  }

  private void leave(OpenLog of) {
    leaving = log.current();
    if (of.left(leaving.path).isDone()) {
      log.faults.add(leaving.path + " is rolled, and not the log's");
    }
    log.requestRoll();
  }

  private boolean stalls(DatanodeInfo node) {
    return stalls[Arrays.asList(nodes).indexOf(node)];
  }

  /**
   * Plays one.
   *
   * @param events counts what happened
   * @return what was wrong, empty if nothing
   */
  static List<String> play(long seed, Map<Event, Integer> events, ModelLog.Fault fault) {
    FailOverSchedule schedule = new FailOverSchedule(seed, events, fault);
    schedule.run();
    return schedule.log.faults;
  }

  private void count(Event event) {
    events.merge(event, 1, Integer::sum);
  }

  private boolean takesFiles() throws IOException {
    if (nameNodeAway) {
      count(Event.NAMENODE_AWAY);
      throw new IOException("Connection refused");
    }
    return true;
  }

  /** As {@code WalOpener}: without those that stalled, unless the file had two replicas too few. */
  private ReplicatedFile open() {
    if (nameNodeAway) {
      return null;
    }
    List<DatanodeInfo> avoided = stalled.excluded();
    List<DatanodeInfo> others = new ArrayList<>(List.of(nodes));
    others.removeAll(avoided);
    if (random.nextInt(8) == 0) {
      others.remove(random.nextInt(others.size())); // it refuses this one
    }
    if (others.size() + 1 < 3 && !avoided.isEmpty()) {
      int kept = avoided.size() > 1 ? 1 : 0;
      stalled.reuse(avoided.subList(kept, avoided.size()));
      count(Event.NEEDED_AFTER_ALL);
      return null; // and is asked for again
    }
    Collections.shuffle(others, random);
    Path path = new Path("/hbase/WALs/rs,1,1/rs%2C1%2C1." + files++);
    DatanodeInfo[] pipeline =
        others.subList(0, Math.min(3, others.size())).toArray(new DatanodeInfo[0]);
    ReplicatedFile file = new ReplicatedFile(path, pipeline);
    file.missing = fault == ModelLog.Fault.ANSWERS_EARLY ? 1 : 0;
    if (fault == ModelLog.Fault.KNOWS_NO_LIMIT) {
      watchAnew();
    }
    file.scheduler = (task, nanos) -> tasks.add(Map.entry(now + nanos, task));
    file.watch = failOver.watch(open, path, new WatchedOutput(file), 3, file.scheduler);
    live.add(file);
    opened.put(file, now);
    return file;
  }

  private void run() {
    log.requestRoll();
    // That fault shows in a long time only.
    int steps = 200 + random.nextInt(fault == ModelLog.Fault.KNOWS_NO_LIMIT ? 8_000 : 1_500);
    int stallsPercent = 1 + random.nextInt(3);
    for (int step = 0; step < steps; step++) {
      pass(random.nextInt(random.nextInt(50) == 0 ? 400 : 12));
      trouble(stallsPercent);
      work();
    }
    Arrays.fill(stalls, false);
    nameNodeAway = false;
    for (int step = 0; step < 300; step++) {
      pass(100);
      work();
    }
    for (int minute = 0; minute < 20; minute++) { // for exclusions, which have grown
      pass((int) TimeUnit.MINUTES.toMillis(1));
      drain();
    }
    log.mustBeWhole();
    if (log.endedAfterAll > 0) {
      count(Event.GIVEN_UP_AND_CLOSED_WITH_ITS_TRAILER);
    }
    if (!stalled.excluded().isEmpty()) {
      log.faults.add("Left out for ever: " + stalled.excluded());
    }
  }

  private void pass(int millis) {
    int before = stalled.excluded().size();
    now += millis * MILLI;
    if (stalled.excluded().size() < before) { // as WalFallback
      count(Event.TAKEN_BACK);
      log.requestRoll();
    }
    live.removeIf(file -> file.ended);
    live.forEach(file -> file.at(now));
    while (!tasks.isEmpty() && tasks.peek().getKey() <= now) {
      noting(tasks.remove().getValue());
    }
    if (leaving != null && leaving != log.current()) {
      if (!leaving.isGivenUp()) {
        count(Event.CAUGHT_UP_BEFORE_THE_ROLL);
      }
      leaving = null;
    }
  }

  private void trouble(int percent) {
    int node = random.nextInt(nodes.length);
    if (random.nextInt(100) < percent) {
      since[node] = stalls[node] ? since[node] : now;
      stalls[node] = true;
    } else if (random.nextInt(40) == 0) {
      stalls[node] = false;
    }
    if (random.nextInt(100) == 0) {
      nameNodeAway = !nameNodeAway && random.nextBoolean();
    }
    if (random.nextInt(1_000) == 0 && log.current() != null) {
      breaks++;
      log.current().breakStream();
    }
  }

  /** Each thread may take a step or not. */
  private void work() {
    if (random.nextInt(3) != 0) {
      log.append();
    }
    switch (random.nextInt(8)) {
      case 0:
        log.write(1 + random.nextInt(3));
        break;
      case 1:
        log.write(9);
        log.sync(random.nextBoolean());
        break;
      case 2:
        log.roll();
        break;
      case 3:
        log.close();
        break;
      case 4:
        if (!nameNodeAway && random.nextInt(3) == 0) {
          log.recover();
        }
        break;
      case 5:
        decide();
        break;
      case 6:
        if (random.nextInt(40) == 0) {
          log.requestRoll();
        }
        break;
      default:
        log.answer();
        log.answer();
    }
    acknowledge(node -> !stalls(node) && random.nextInt(3) == 0);
    bounded();
  }

  private void acknowledge(Predicate<DatanodeInfo> by) {
    for (ReplicatedFile file : live) {
      for (int replica = 0; replica < file.pipeline.length; replica++) {
        if (by.test(file.pipeline[replica])) {
          file.acknowledge(replica);
        }
      }
    }
  }

  private void drain() {
    for (int step = 0; step < 200; step++) {
      pass(1);
      decide();
      log.roll();
      log.write(100);
      log.sync(false);
      acknowledge(node -> true);
      while (log.answer()) {
        acknowledge(node -> true);
      }
      log.close();
      log.recover();
    }
  }

  /** The fail-over's thread takes one step. */
  private void decide() {
    if (decisions.isEmpty()) {
      return;
    }
    List<DatanodeInfo> left = stalled.excluded();
    boolean away = nameNodeAway;
    ReplicatedFile before = leaving;
    ReplicatedFile failed = noting(decisions.remove());
    if (failed == null && leaving == before) {
      if (!away) {
        count(Event.CAUGHT_UP_BEFORE_THE_DECISION);
      }
    } else if (stalled.excluded().size() > left.size()) {
      leaves.add(now);
      tooManyFor(left, opened.get(failed == null ? leaving : failed));
      if (!left.isEmpty()) {
        count(Event.SECOND_STRAGGLER);
      }
    }
  }

  /** Runs it, and notes what was going on if it gives a file up, which it returns. */
  private ReplicatedFile noting(Runnable task) {
    List<ReplicatedFile> before = givenUp();
    ReplicatedFile current = log.current();
    boolean buffered = current != null && current.buffered() > 0;
    task.run();
    List<ReplicatedFile> after = givenUp();
    after.removeAll(before);
    if (after.isEmpty()) {
      return null;
    }
    ReplicatedFile file = after.get(0);
    if (file.isHalfAcknowledged()) {
      count(Event.SOME_REPLICAS_ACKNOWLEDGED);
    }
    if (file == current && buffered) {
      count(Event.APPENDED_AND_NOT_FLUSHED);
    }
    if (file == current && log.isRolling()) {
      count(Event.WHILE_ROLLING);
    }
    if (file != current) {
      boolean next = log.all.indexOf(file) > log.all.indexOf(current);
      count(next ? Event.NEXT_FILE_GIVEN_UP_BEFORE_IT_IS_USED : Event.TRAILER_OF_AN_OLD_FILE);
    }
    if (!log.recovering.isEmpty()) {
      count(Event.WHILE_AN_OLD_FILE_IS_RECOVERED);
    }
    return file;
  }

  private List<ReplicatedFile> givenUp() {
    return live.stream().filter(ReplicatedFile::isGivenUp).collect(Collectors.toList());
  }

  /** Beyond the prompt ones each time takes one that is late for twice as long. */
  private void tooManyFor(List<DatanodeInfo> leftBefore, long openedAt) {
    leaves.removeIf(at -> now - at >= HOUR);
    long inMinute = leaves.stream().filter(at -> now - at < MINUTE).count();
    long longest = 0;
    for (int node = 0; node < nodes.length; node++) {
      if (stalled.excluded().contains(nodes[node]) && !leftBefore.contains(nodes[node])) {
        longest = Math.max(longest, now - Math.max(openedAt, since[node]));
      }
    }
    long more =
        Math.max(
            inMinute - StalledNodes.PROMPT_A_MINUTE,
            leaves.size() - (long) StalledNodes.PROMPT_AN_HOUR);
    if (more > 0 && 1L << more > longest / (STALL * MILLI)) {
      log.faults.add(
          inMinute + " times in a minute, " + leaves.size() + " in an hour, DataNodes were left");
    }
  }

  /** Rolls after a failure, in any minute: those of verdicts, and those of lost connections. */
  private void bounded() {
    for (; failuresSeen < log.failures; failuresSeen++) {
      rolls.add(now);
    }
    rolls.removeIf(at -> now - at >= MINUTE);
    if (rolls.size() > 2 * MOST_A_MINUTE + breaks) {
      log.faults.add(rolls.size() + " rolls in a minute");
    }
  }
}
