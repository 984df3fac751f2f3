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

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.TierState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What 300 servers with 100,000 stores ask the NameNode for: nearly nothing at rest, and for each
 * file that goes to SSD one write and some reads when it leaves.
 */
@InterfaceAudience.Private
class TierScaleTest {
  private static final Path ROOT = new Path("/hbase");
  private static final int SERVERS = 300;
  private static final int STORES = 100_000;
  private static final long AGE = TimeUnit.HOURS.toMillis(1);
  private static final int HOUR = 3_600;
  private static final int TURN = 10;

  private final FakeNamespace hdfs = new FakeNamespace();
  private final Map<String, Integer> calls = new TreeMap<>();
  private final StorageNamespace counted =
      FakeNamespace.heard(() -> hdfs, method -> calls.merge(method, 1, Integer::sum));
  private long seconds = 10_000;

  private SsdTier server(int number) {
    return FakeQueue.tier(
        "s" + number,
        counted,
        new FakeQueue(() -> TimeUnit.SECONDS.toMillis(seconds)),
        1_500,
        () -> seconds);
  }

  private static Path directory(int store) {
    return new Path("/hbase/data/default/t/r" + store + "/f");
  }

  private static FakeStore attach(SsdTier server, int store) {
    FakeStore attached = new FakeStore("t", directory(store), AGE);
    server.attach(attached);
    return attached;
  }

  private void say() throws IOException {
    TierState.open(1L << 40, 1L << 40, TimeUnit.SECONDS.toMillis(seconds), "master")
        .writeTo(hdfs, ROOT);
  }

  private int calls() {
    return calls.values().stream().mapToInt(Integer::intValue).sum();
  }

  @Tag("long")
  @Test
  void anIdleClusterAsksForTheMastersWordOnly() throws IOException {
    say();
    List<SsdTier> servers = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      servers.add(server(i));
    }
    for (int store = 0; store < STORES; store++) {
      attach(servers.get(store % SERVERS), store);
    }
    assertEquals(0, calls(), "opening a store asks for nothing");
    for (int turn = 0; turn < HOUR / TURN; turn++) {
      seconds += TURN;
      if (turn % 30 == 0) {
        say();
      }
      for (SsdTier server : servers) {
        server.doWork();
      }
    }
    assertEquals(Set.of("records"), calls.keySet());
    assertTrue(calls() <= 6 * HOUR, () -> calls() / (double) HOUR + " reads a second");
  }

  @Test
  void aTieredFileCostsOneWriteAndNoReadButTheFirstOfAStore() throws IOException {
    say();
    hdfs.with("/hbase", 0).with("/hbase/data", 7).with(directory(1).toString(), 0);
    SsdTier server = server(1);
    FakeStore store = attach(server, 1);
    server.doWork();
    calls.clear();
    for (int file = 0; file < 2; file++) {
      Path path = new Path(directory(1), "f" + file);
      NewStoreFile flush = new NewStoreFile(NewStoreFile.Kind.FLUSH, 30, 0);
      assertTrue(server.place(store, path, flush));
      server.committed(store, path, 30 / 3, 30);
      store.put("f" + file, 30, TimeUnit.SECONDS.toMillis(seconds));
    }
    calls.remove("refuses"); // no call of HDFS
    assertEquals(Map.of("policy", 1, "place", 2), calls, "the policy once a store");
    calls.clear();
    seconds += HOUR;
    say();
    server.doWork();
    assertEquals(List.of(Set.of("f0", "f1")), store.rewritten());
    for (int file = 0; file < 2; file++) {
      store.compacted("f" + file);
    }
    server.doWork();
    store.archive();
    server.doWork();
    seconds += HOUR;
    say();
    server.doWork();
    assertEquals(Set.of("records"), calls.keySet(), "the grant, and nothing else");
    assertEquals(0, server.ledger.used());
  }

  /** HBase flushes each written store once an hour: as many files come due, and all leave. */
  @Test
  void aServerOfFifteenThousandWrittenStoresKeepsUp() throws IOException {
    int stores = 15_000;
    say();
    SsdTier server = server(1);
    List<FakeStore> all = new ArrayList<>();
    for (int i = 0; i < stores; i++) {
      FakeStore store = new FakeStore("t", directory(i), AGE);
      all.add(store);
      // Due one after the other, evenly in an hour.
      long written = TimeUnit.SECONDS.toMillis(seconds) - AGE + AGE * i / stores;
      store.put("a", 30, written);
      server.attach(store);
    }
    int next = 0;
    for (int turn = 0; turn < 30; turn++) {
      seconds += TURN;
      List<FakeStore> due = new ArrayList<>();
      for (; next * HOUR <= (turn + 1) * TURN * stores; next++) {
        due.add(all.get(next));
      }
      server.doWork();
      for (FakeStore store : due) {
        assertEquals(List.of(Set.of("a")), store.rewritten(), "in turn " + turn);
        store.compacted("a");
        store.archive();
      }
    }
    assertEquals(1_251, next, "15,000 an hour");
  }
}
