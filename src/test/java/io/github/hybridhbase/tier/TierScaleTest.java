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
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.tier.drain.FakePool;
import io.github.hybridhbase.tier.drain.FakeStore;
import io.github.hybridhbase.tier.drain.Retry;
import io.github.hybridhbase.tier.drain.StoreView;
import io.github.hybridhbase.tier.drain.TieredFile;
import io.github.hybridhbase.tier.drain.TrackedStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
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
      (StorageNamespace)
          Proxy.newProxyInstance(
              StorageNamespace.class.getClassLoader(),
              new Class<?>[] {StorageNamespace.class},
              (proxy, method, args) -> {
                calls.merge(method.getName(), 1, Integer::sum);
                try {
                  return method.invoke(hdfs, args);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
  private long seconds = 10_000;

  private SsdTier server(int number) {
    return new SsdTier(
        "s" + number,
        ROOT,
        counted,
        new FakePool(),
        HybridSettings.read(new Configuration(false)),
        TimeUnit.MINUTES.toMillis(25),
        new Retry(TimeUnit.MINUTES.toNanos(5), TimeUnit.MINUTES.toNanos(20)),
        () -> TimeUnit.SECONDS.toNanos(seconds),
        () -> TimeUnit.SECONDS.toMillis(seconds));
  }

  private static Path directory(int store) {
    return new Path("/hbase/data/default/t/r" + store + "/f");
  }

  private static TrackedStore attach(SsdTier server, int store, StoreView to) {
    return server.attach(FakeStore.config("t", directory(store), AGE), to);
  }

  private void say() throws IOException {
    hdfs.write(
        TierState.RECORD,
        ROOT,
        TierState.open(1L << 40, 1L << 40, TimeUnit.SECONDS.toMillis(seconds), "master"));
  }

  private int calls() {
    return calls.values().stream().mapToInt(Integer::intValue).sum();
  }

  @Test
  void anIdleClusterAsksForTheMastersWordOnly() throws IOException {
    say();
    List<SsdTier> servers = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      servers.add(server(i));
    }
    for (int store = 0; store < STORES; store++) {
      attach(servers.get(store % SERVERS), store, new FakeStore());
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
  void aTieredFileCostsOneWriteAndFourReads() throws IOException {
    say();
    hdfs.with("/hbase", 0).with("/hbase/data", 7).with(directory(1).toString(), 0);
    SsdTier server = server(1);
    FakeStore store = new FakeStore();
    TrackedStore tracked = attach(server, 1, store);
    server.doWork();
    calls.clear();
    for (int file = 0; file < 2; file++) {
      Path path = new Path(directory(1), "f" + file);
      NewStoreFile flush = new NewStoreFile(NewStoreFile.Kind.FLUSH, 30, 0);
      assertTrue(server.place(tracked, path, flush));
      server.committed(tracked, path, 30);
      store.put(TieredFile.inStore(path, "t", 30, TimeUnit.SECONDS.toMillis(seconds), AGE, true));
      hdfs.file(path.toString(), 10, StorageType.SSD);
    }
    assertEquals(Map.of("policy", 1, "setPolicy", 2), calls, "the policy once a store");
    calls.clear();
    seconds += HOUR;
    say();
    server.doWork();
    assertEquals(List.of(Set.of("f0", "f1")), store.rewritten());
    assertEquals(Map.of("records", 1, "policy", 1, "list", 1), calls);
    for (int file = 0; file < 2; file++) {
      store.compacted("f" + file);
      hdfs.delete(directory(1) + "/f" + file);
    }
    server.doWork();
    store.archive();
    server.doWork();
    calls.clear();
    seconds += HOUR;
    say();
    server.doWork();
    assertEquals(2, calls.get("blocks"), "whether HBase has deleted them");
    assertEquals(0, store.onSsd().size());
    server.doWork();
    assertEquals(0, server.used());
  }

  /** HBase flushes each written store once an hour: as many files come due, and all leave. */
  @Test
  void aServerOfFifteenThousandWrittenStoresKeepsUp() throws IOException {
    int stores = 15_000;
    say();
    SsdTier server = server(1);
    List<FakeStore> all = new ArrayList<>();
    for (int i = 0; i < stores; i++) {
      FakeStore store = new FakeStore();
      all.add(store);
      // Due one after the other, evenly in an hour.
      long written = TimeUnit.SECONDS.toMillis(seconds) - AGE + AGE * i / stores;
      store.put(TieredFile.inStore(new Path(directory(i), "a"), "t", 30, written, AGE, true));
      attach(server, i, store);
    }
    int next = 0;
    for (int turn = 0; turn < 30; turn++) {
      seconds += TURN;
      List<FakeStore> due = new ArrayList<>();
      for (; next * HOUR <= (turn + 1) * TURN * stores; next++) {
        // The others' files are looked at by nobody yet.
        hdfs.with(directory(next).toString(), 0);
        hdfs.file(directory(next) + "/a", 10, StorageType.SSD);
        due.add(all.get(next));
      }
      server.doWork();
      for (FakeStore store : due) {
        assertEquals(List.of(Set.of("a")), store.rewritten(), "in turn " + turn);
        store.compactedToDisk("a");
        store.archive();
      }
    }
    assertEquals(1_251, next, "15,000 an hour");
  }
}
