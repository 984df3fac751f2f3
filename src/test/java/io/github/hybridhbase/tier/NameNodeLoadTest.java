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
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace.ListingEntry;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.placement.ServerReports;
import io.github.hybridhbase.placement.TierController;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.TestClock;
import io.github.hybridhbase.scan.ScanChore;
import io.github.hybridhbase.scan.ScanPace;
import io.github.hybridhbase.scan.TierFiles;
import io.github.hybridhbase.scan.TierTotals;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What 300 servers with 100,000 regions of one family, the master's word and its scan ask of a
 * NameNode, by a clock that the test sets.
 */
@Tag("long")
@InterfaceAudience.Private
class NameNodeLoadTest {
  private static final int SERVERS = 300;
  private static final int REGIONS = 100_000;
  private static final int TABLES = 100;
  private static final int MINUTES = 20;
  private static final long AGE = TimeUnit.HOURS.toMillis(1);
  private static final Path ROOT = new Path("/hbase");
  private static final String WALS = "/hbase/WALs";
  private static final URI HDFS = URI.create("hdfs://nn");
  private static final StorageType DISK = StorageType.DISK;

  /** Calls that change something. */
  private static final Set<String> WRITES = Set.of("write " + TierState.RECORD);

  private final HybridSettings settings = HybridSettings.read(conf());
  private final FakeNamespace small =
      new FakeNamespace()
          .with("/", StoragePolicy.UNSPECIFIED)
          .with("/hbase", StoragePolicy.UNSPECIFIED)
          .with("/hbase/data", StoragePolicy.HOT.id());
  private ServerReports reports = ServerReports.NONE;
  private long nextReports;
  private final Map<String, Long> calls = new TreeMap<>();
  private final Map<Long, Long> readsAMinute = new TreeMap<>();
  private long nanos = TimeUnit.DAYS.toNanos(1);
  private final StorageNamespace hdfs =
      (StorageNamespace)
          Proxy.newProxyInstance(
              StorageNamespace.class.getClassLoader(),
              new Class<?>[] {StorageNamespace.class},
              (proxy, method, args) -> {
                String wal =
                    args != null && args[0].toString().startsWith(WALS + "/") ? " of a server" : "";
                count(FakeNamespace.call(method, args) + wal, 1);
                if (method.getName().equals("list") && isBelowData((Path) args[0])) {
                  return list((Path) args[0]);
                }
                try {
                  return method.invoke(small, args);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });

  private static Configuration conf() {
    Configuration conf = new Configuration(false);
    return conf;
  }

  private void count(String call, long times) {
    calls.merge(call, times, Long::sum);
    if (!WRITES.contains(call)) {
      readsAMinute.merge(TimeUnit.NANOSECONDS.toMinutes(nanos), times, Long::sum);
    }
  }

  private static boolean isBelowData(Path path) {
    return path.toUri().getPath().startsWith("/hbase/data");
  }

  /** A region that has flushed: its family, .tmp with what is below it, and recovered.edits. */
  private Optional<RemoteIterator<ListingEntry>> list(Path directory) {
    int depth = directory.depth();
    String name = directory.getName();
    if (depth == 2) {
      return page(List.of(directory(directory, "default")));
    } else if (depth == 3) {
      return page(children(directory, TABLES, "t%d"));
    } else if (depth == 4) {
      return page(children(directory, REGIONS / TABLES, "%032x"));
    } else if (depth == 5) {
      return page(
          List.of(
              directory(directory, ".tmp"),
              directory(directory, "f"),
              directory(directory, "recovered.edits")));
    } else if (name.equals(".tmp")) {
      return page(List.of(directory(directory, "f")));
    } else if (name.equals("f") && !directory.getParent().getName().equals(".tmp")) {
      List<FileBlocks.Block> blocks = List.of(new FileBlocks.Block(100, DISK, DISK, DISK));
      FileBlocks file =
          new FileBlocks(
              new Path(directory, "a"), 100, 3, StoragePolicy.HOT.id(), false, blocks, 0);
      return page(List.of(ListingEntry.file(file, false)));
    }
    return page(List.of());
  }

  private static ListingEntry directory(Path in, String name) {
    return ListingEntry.directory(new Path(in, name), StoragePolicy.HOT.id(), false);
  }

  private static List<ListingEntry> children(Path in, int number, String format) {
    return IntStream.range(0, number)
        .mapToObj(child -> directory(in, String.format(format, child)))
        .collect(Collectors.toList());
  }

  private static Optional<RemoteIterator<ListingEntry>> page(List<ListingEntry> entries) {
    Iterator<ListingEntry> each = entries.iterator();
    return Optional.of(
        new RemoteIterator<>() {
          @Override
          public boolean hasNext() {
            return each.hasNext();
          }

          @Override
          public ListingEntry next() {
            return each.next();
          }
        });
  }

  private ScanChore scan(LongConsumer sleep, long endNanos) {
    return new ScanChore(
        new Layout(ROOT, ROOT),
        settings,
        path -> Optional.of(hdfs),
        () -> new TierFiles(new Layout(ROOT, ROOT), Long.MAX_VALUE, Long.MAX_VALUE),
        () -> TierTotals.now(settings, new Configuration(false)),
        () -> nanos >= endNanos,
        new ScanPace(ScanPace.READS_PER_SECOND, new TestClock(() -> nanos, sleep)));
  }

  @Test
  void aScanOfAHundredThousandRegionsTakesHours() throws IOException {
    long began = nanos;
    ScanChore scan = scan(wait -> nanos += wait, Long.MAX_VALUE);
    scan.doWork();
    double hours = (nanos - began) / 3.6e12;
    long listings = calls.get("list");
    System.out.printf("%d listings in %.1f hours; %s%n", listings, hours, calls);
    assertTrue(scan.last().orElseThrow().complete());
    assertEquals(REGIONS, scan.last().orElseThrow().report().files());
    assertTrue(listings >= 5 * REGIONS && listings < 5 * REGIONS + 200, () -> listings + "");
    assertTrue(hours > 11.4 && hours < 11.7, () -> hours + " hours");
    assertMostASecond(15, 0); // ten seconds' worth at once, in the first minute
  }

  @Test
  void withNothingOnSsdAllAsksLessThanFiftyTimesASecond() throws IOException {
    assertMost(0, 40);
  }

  @Test
  void withFilesOnSsdEverywhereAllAsksLessThanFiftyTimesASecond() throws IOException {
    assertMost(1, 50);
  }

  /** Everything for a while. */
  private void assertMost(int files, double mostASecond) throws IOException {
    for (int server = 0; server < SERVERS; server++) {
      small.with(WALS + "/" + name(server), StoragePolicy.UNSPECIFIED);
    }
    TierController controller = controller();
    List<SsdTier> servers = new ArrayList<>();
    for (int number = 0; number < SERVERS; number++) {
      servers.add(server(number, files));
    }
    assertEquals(Map.of(), calls, "opening stores asks nothing");
    Cluster cluster = new Cluster(controller, servers);
    long end = nanos + TimeUnit.MINUTES.toNanos(MINUTES);
    scan(
            wait -> {
              nanos += wait;
              cluster.work();
            },
            end)
        .doWork();
    System.out.printf("%d minutes with %d files a server: %s%n", MINUTES, files, calls);
    assertMostASecond(mostASecond, 2 * files * SERVERS);
    assertTrue(calls.get("records") > SERVERS * (MINUTES - 4), calls::toString);
    assertTrue(calls.get("records of a server") < SERVERS * (MINUTES / 5 + 2), calls::toString);
    assertTrue(calls.get("list") > 58L * MINUTES * ScanPace.READS_PER_SECOND, calls::toString);
    assertTrue(calls.keySet().stream().noneMatch(Set.of("setPolicy", "satisfy")::contains));
  }

  /**
   * Asserts the reads of every minute.
   *
   * @param firstReads more in the first minute, in which each server reads the table of its files
   */
  private void assertMostASecond(double most, int firstReads) {
    long first = readsAMinute.keySet().stream().mapToLong(minute -> minute).min().orElse(0);
    readsAMinute.forEach(
        (minute, reads) ->
            assertTrue(
                reads / 60.0 <= (minute == first ? most + firstReads / 60.0 : most),
                () -> reads / 60.0 + " a second in one minute of " + readsAMinute));
  }

  /** Everything that goes on in turns, each at a moment of its own. */
  private final class Cluster {
    private final TierController controller;
    private final List<SsdTier> servers;
    private final long[] next = new long[SERVERS];
    private long nextWord = nanos;

    Cluster(TierController controller, List<SsdTier> servers) {
      this.controller = controller;
      this.servers = servers;
      for (int server = 0; server < SERVERS; server++) {
        next[server] = nanos + TimeUnit.SECONDS.toNanos(10) * server / SERVERS;
      }
    }

    void work() {
      if (nanos >= nextWord) {
        nextWord += TimeUnit.MILLISECONDS.toNanos(7_500); // the shortest pause
        controller.doWork();
      }
      for (int server = 0; server < SERVERS; server++) {
        if (nanos >= next[server]) {
          // Pauses are stretched by up to a quarter.
          next[server] += TimeUnit.MILLISECONDS.toNanos(10_000 + 2_500 * server / SERVERS);
          try {
            servers.get(server).doWork();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        }
      }
    }
  }

  private SsdTier server(int number, int files) {
    SsdTier server =
        new SsdTier(
            "s" + number,
            ROOT,
            hdfs,
            new FakeQueue(this::millis),
            settings,
            TimeUnit.MINUTES.toMillis(25),
            () -> nanos,
            this::millis);
    for (int store = number; store < REGIONS; store += SERVERS) {
      Path directory = new Path("/hbase/data/default/t/r" + store + "/f");
      FakeStore open = new FakeStore("t", directory, AGE);
      if (store / SERVERS < files) {
        // Written by somebody who goes on, so that it is never due.
        open.put("a", 30, millis() + AGE);
      }
      server.attach(open);
    }
    return server;
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  private TierController controller() {
    return new TierController(settings, hdfs, ROOT, this::look, () -> SERVERS, this::millis);
  }

  /** The reports are read once a minute; what else a look reads is the space monitor's. */
  private Optional<SsdSpace> look() {
    if (nanos >= nextReports) {
      nextReports = nanos + TimeUnit.MINUTES.toNanos(1);
      try {
        reports = reports.next(path -> Optional.of(hdfs), new Layout(ROOT, ROOT), 1);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
    return Optional.of(new SsdSpace(1L << 50, 1L << 49, 1L << 49, 300, List.of()));
  }

  private static String name(int server) {
    return "s" + server + ",1,1";
  }
}
