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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server whose queue of compactions is never empty for an hour and more. HBase's queue serves
 * first the store with most files; a store with one old file is last of all.
 */
@InterfaceAudience.Private
class NeverEmptyQueueTest {
  private static final int TURN = 10;
  private static final int HOUR = TierServer.AGE_SECONDS;
  private static final long AGE = TimeUnit.SECONDS.toMillis(HOUR);
  private static final int MIN_FILES = 3;
  private static final int MAX_FILES = 10;
  private static final double RATIO = 1.2;

  /** All replicas of a flush. */
  private static final long FLUSH = 384;

  private static final int BUSY_STORES = 30;
  private static final int QUIET_STORES = 10;

  /** Requests of one compaction thread, each with its store's number of files then. */
  private final class Queue extends CompactionQueue {
    private final List<Map.Entry<FakeStore, Integer>> requests = new ArrayList<>();

    Queue() {
      super(null);
    }

    @Override
    int waiting() {
      return requests.size();
    }

    @Override
    boolean on() {
      return true;
    }

    @Override
    void request(TierStore of, String why) {
      FakeStore store = (FakeStore) of;
      requests.add(Map.entry(store, files(store)));
    }

    /** HBase's order. */
    FakeStore next() {
      Map.Entry<FakeStore, Integer> next = Collections.max(requests, Map.Entry.comparingByValue());
      requests.remove(next);
      return next.getKey();
    }
  }

  private final Queue queue = new Queue();
  private final TierServer server = new TierServer(queue, 300);
  private final List<FakeStore> stores = new ArrayList<>();
  private final Map<FakeStore, List<Long>> onDisk = new HashMap<>();
  private final Set<FakeStore> usual = new HashSet<>();
  private int named;
  private int flushesToSsd;
  private int flushesToDisk;

  private FakeStore running;
  private final Set<String> inputs = new HashSet<>();
  private final List<Long> diskInputs = new ArrayList<>();
  private boolean exits;
  private double work;

  private int files(FakeStore store) {
    return store.live().size() + onDisk.get(store).size();
  }

  private void start(long share) throws IOException {
    for (int i = 0; i < BUSY_STORES + QUIET_STORES; i++) {
      FakeStore store = server.attach("t", "r" + i);
      stores.add(store);
      onDisk.put(store, new ArrayList<>());
    }
    server.grant(share, 1L << 40);
    server.turn();
  }

  private boolean write(FakeStore store, NewStoreFile.Kind kind, long bytes, boolean may)
      throws IOException {
    String name = "f" + named++;
    boolean ssd = may && server.place(store, name, kind, bytes, 0);
    if (ssd) {
      server.commit(store, name, bytes / 3, 3, 3);
    } else {
      onDisk.get(store).add(bytes);
    }
    return ssd;
  }

  private void flush(FakeStore store) throws IOException {
    boolean ssd = write(store, NewStoreFile.Kind.FLUSH, FLUSH, true);
    flushesToSsd += ssd ? 1 : 0;
    flushesToDisk += ssd ? 0 : 1;
    if (files(store) >= MIN_FILES && usual.add(store)) {
      queue.request(store, "flush");
    }
  }

  /** The thread begins the next compaction. */
  private void begin() {
    while (running == null && queue.waiting() > 0) {
      FakeStore store = queue.next();
      usual.remove(store);
      int before = store.rewritten().size();
      store.selects(server.millis());
      exits = store.rewritten().size() > before;
      inputs.clear();
      diskInputs.clear();
      if (exits) {
        inputs.addAll(store.rewritten().get(before));
      } else {
        selectUsual(store);
      }
      if (!inputs.isEmpty() || !diskInputs.isEmpty()) {
        running = store;
        work = bytes(store);
      }
    }
  }

  /** As HBase's policy: as many small files as go together by the ratio. */
  private void selectUsual(FakeStore store) {
    Map<String, Long> sizes = new HashMap<>();
    store.live().forEach(file -> sizes.put(file.path.getName(), file.bytes));
    for (long bytes : onDisk.get(store)) {
      sizes.put("on DISK " + sizes.size(), bytes);
    }
    List<String> smallestFirst = new ArrayList<>(sizes.keySet());
    smallestFirst.sort(
        Comparator.<String>comparingLong(sizes::get).thenComparing(Comparator.naturalOrder()));
    int most = 0;
    long sum = 0;
    for (int i = 0; i < Math.min(MAX_FILES, smallestFirst.size()); i++) {
      long bytes = sizes.get(smallestFirst.get(i));
      most = i + 1 >= MIN_FILES && bytes <= RATIO * sum ? i + 1 : most;
      sum += bytes;
    }
    for (String name : smallestFirst.subList(0, most)) {
      if (name.startsWith("on DISK")) {
        diskInputs.add(sizes.get(name));
      } else {
        inputs.add(name);
        store.compact(name);
      }
    }
  }

  private Stream<TierFile> ssdInputs(FakeStore store) {
    return store.live().stream().filter(file -> inputs.contains(file.path.getName()));
  }

  private long bytes(FakeStore store) {
    return TierFile.bytes(ssdInputs(store)) + diskInputs.stream().mapToLong(Long::longValue).sum();
  }

  private void end() throws IOException {
    long bytes = bytes(running);
    boolean young = ssdInputs(running).allMatch(file -> server.millis() - file.writtenMillis < AGE);
    diskInputs.forEach(onDisk.get(running)::remove);
    inputs.forEach(running::compacted);
    running.archive();
    write(running, NewStoreFile.Kind.MINOR, bytes, !exits && diskInputs.isEmpty() && young);
    running = null;
  }

  /**
   * A turn.
   *
   * @param flushes of each busy store in an hour
   * @param rate bytes that the thread compacts in a second
   */
  private void turn(Random random, double flushes, double rate) throws IOException {
    if (server.seconds % 300 == 0) {
      server.grant();
    }
    for (FakeStore store : stores.subList(0, BUSY_STORES)) {
      if (random.nextDouble() < flushes * TURN / HOUR) {
        flush(store);
      }
    }
    double left = rate * TURN;
    begin();
    while (running != null && left > 0) {
      double part = Math.min(left, work);
      left -= part;
      work -= part;
      if (work <= 0) {
        end();
        begin();
      }
    }
    server.turn();
    assertTrue(server.used() <= server.share, () -> server.used() + " of the share");
  }

  /** Seconds above the age of the file that has stayed longest. */
  private long overstay() {
    return stores.stream()
        .flatMap(store -> store.live().stream())
        .mapToLong(file -> server.seconds - TimeUnit.MILLISECONDS.toSeconds(file.dueMillis))
        .max()
        .orElse(0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void theServerKeepsWritingAndFindsItsWayBack(long seed) throws IOException {
    Random random = new Random(seed);
    start(200 * FLUSH);
    for (FakeStore store : stores.subList(BUSY_STORES, stores.size())) {
      flush(store);
    }
    double rate = 40 * FLUSH * BUSY_STORES / (double) HOUR;
    int emptyTurns = 0;
    for (int turn = 0; turn < 3 * HOUR / TURN; turn++) {
      turn(random, 40, rate);
      emptyTurns += turn * TURN >= HOUR / 2 && queue.waiting() == 0 ? 1 : 0;
    }
    assertEquals(0, emptyTurns, "the queue is never empty");
    assertTrue(flushesToDisk > 0, "the share is full");
    long eased = server.seconds;
    while (overstay() > 120 || queue.waiting() > 0) {
      turn(random, 2, rate);
      assertTrue(server.seconds - eased < 6 * HOUR, () -> overstay() + " s above the age");
    }
    int before = flushesToSsd;
    long later = 0;
    for (int turn = 0; turn < 2 * HOUR / TURN; turn++) {
      turn(random, 2, rate);
      later = Math.max(later, overstay());
    }
    // Exits wait behind compactions of whole stores, which take the one thread minutes.
    assertTrue(later <= HOUR / 3, later + " s above the age");
    assertTrue(flushesToSsd > before, "new files are on SSD again");
  }

  @Test
  void whereCompactionsFollowNothingOverstays() throws IOException {
    Random random = new Random(7);
    start(200 * FLUSH);
    for (int turn = 0; turn < 4 * HOUR / TURN; turn++) {
      turn(random, 4, 100 * FLUSH * BUSY_STORES / (double) HOUR);
      assertTrue(overstay() <= 120, () -> overstay() + " s above the age");
    }
  }
}
