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
package io.github.hybridhbase.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@InterfaceAudience.Private
@Timeout(30)
class SsdNodeSearchTest {
  private static final Path WALS = new Path("/hbase/WALs");
  private static final long PATIENCE = 20_000;

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger reads = new AtomicInteger();
  private final FileSystem fs = mock(FileSystem.class);
  private final KnownSsdNodes nodes = new KnownSsdNodes(now::get, address -> false);
  private SsdNodeSearch search;

  private SsdNodeSearch search(Callable<List<DataNodeState>> reader) {
    search =
        new SsdNodeSearch(fs, nodes, now::get) {
          @Override
          List<DataNodeState> read(FileSystem with) throws IOException {
            reads.incrementAndGet();
            try {
              return reader.call();
            } catch (IOException | RuntimeException e) {
              throw e;
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
        };
    return search;
  }

  private static List<DataNodeState> dataNodes(int all, int ssd, StorageType... others) {
    List<DataNodeState> nodes = new ArrayList<>();
    for (int i = 0; i < all; i++) {
      Set<StorageType> types = i < ssd ? Set.of(StorageType.SSD) : Set.of(others);
      nodes.add(
          new DataNodeState("h" + i, "/r", "In Service", types, OptionalInt.empty())
              .at("10.0.0." + i + ":9866"));
    }
    return nodes;
  }

  private static <E> RemoteIterator<E> each(List<E> list) {
    var left = list.iterator();
    return new RemoteIterator<>() {
      @Override
      public boolean hasNext() {
        return left.hasNext();
      }

      @Override
      public E next() {
        return left.next();
      }
    };
  }

  @Test
  void looksOnceInTenMinutesHoweverManyWalsAreOpened() throws Exception {
    search(() -> dataNodes(20, 4, StorageType.DISK));
    for (int wal = 0; wal < 50; wal++) {
      search.refresh(WALS, PATIENCE);
    }
    assertEquals(1, reads.get());
    assertEquals(4, nodes.size());
    verify(fs, never()).listStatusIterator(any());
    now.addAndGet(SsdNodeSearch.PERIOD_NANOS);
    search.refresh(WALS, PATIENCE);
    assertEquals(2, reads.get());
  }

  @Test
  void looksLessOftenWhereThereAreManyDataNodes() {
    search(() -> dataNodes(500, 4, StorageType.DISK));
    search.refresh(WALS, PATIENCE);
    now.addAndGet(5 * SsdNodeSearch.PERIOD_NANOS - 1);
    search.refresh(WALS, PATIENCE);
    assertEquals(1, reads.get());
    now.addAndGet(1);
    search.refresh(WALS, PATIENCE);
    assertEquals(2, reads.get());
  }

  /** A DataNode that was rejected too often is forgotten, and may be back. */
  @Test
  void looksMoreOftenWhileABlockHasTooFewReplicasOnSsd() throws Exception {
    search(() -> dataNodes(20, 4, StorageType.DISK));
    search.refresh(WALS, PATIENCE);
    BlockLocation short2 =
        new BlockLocation(
            new String[] {"10.0.0.1:9866", "10.0.0.9:9866"},
            new String[] {"h1", "h9"},
            new String[0],
            new String[] {"/r/10.0.0.1:9866", "/r/10.0.0.9:9866"},
            new String[0],
            new StorageType[] {StorageType.SSD, StorageType.DISK},
            0,
            1,
            false);
    nodes.answered(List.of(), 2, 2, 1, Set.of(), short2);
    now.addAndGet(SsdNodeSearch.PERIOD_NANOS / 10 - 1);
    search.refresh(WALS, PATIENCE);
    assertEquals(1, reads.get());
    now.addAndGet(1);
    search.refresh(WALS, PATIENCE);
    assertEquals(2, reads.get());
  }

  /** As for a user who is no superuser, where DataNodes do not answer by HTTP. */
  @Test
  void learnsFromTheWalsOfOthersWhereMediaCannotBeRead() throws Exception {
    List<FileStatus> servers = new ArrayList<>();
    for (int server = 0; server < 30; server++) {
      Path directory = new Path(WALS, "s" + server);
      servers.add(new FileStatus(0, true, 1, 1, 1, directory));
      BlockLocation block =
          new BlockLocation(
              new String[] {"10.0.0.1:9866"},
              new String[] {"h1"},
              new String[0],
              new String[] {"/r/10.0.0.1:9866"},
              new String[0],
              new StorageType[] {StorageType.SSD},
              0,
              1,
              false);
      LocatedFileStatus wal =
          new LocatedFileStatus(
              new FileStatus(0, false, 3, 1, 1, new Path(directory, "wal")),
              new BlockLocation[] {block});
      when(fs.listLocatedStatus(directory)).thenAnswer(call -> each(List.of(wal)));
    }
    when(fs.listStatusIterator(WALS)).thenAnswer(call -> each(servers));
    search(() -> dataNodes(20, 0));
    search.refresh(WALS, PATIENCE);
    assertEquals(1, nodes.size(), nodes::toString);
    long listed =
        mockingDetails(fs).getInvocations().stream()
            .filter(call -> call.getMethod().getName().equals("listLocatedStatus"))
            .count();
    assertEquals(8, listed, "it lists eight directories at most");
  }

  @Test
  void whatFailsIsTriedAgainLaterAndBreaksNothing() throws Exception {
    when(fs.listStatusIterator(WALS)).thenThrow(new IOException("planted"));
    search(
        () -> {
          throw new IOException("planted");
        });
    search.refresh(WALS, PATIENCE);
    search.refresh(WALS, PATIENCE);
    assertEquals(1, reads.get());
    now.addAndGet(SsdNodeSearch.PERIOD_NANOS);
    search.refresh(WALS, PATIENCE);
    assertEquals(2, reads.get());
    assertEquals(0, nodes.size());
  }

  @Test
  void noThreadCanBeStarted_theNextFileTriesAgain() {
    AtomicInteger starts = new AtomicInteger();
    search =
        new SsdNodeSearch(fs, nodes, now::get) {
          @Override
          List<DataNodeState> read(FileSystem with) {
            return dataNodes(20, 4, StorageType.DISK);
          }

          @Override
          void start(Runnable look) {
            if (starts.getAndIncrement() == 0) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            super.start(look);
          }
        };
    search.refresh(WALS, PATIENCE);
    assertEquals(0, nodes.size());
    search.refresh(WALS, PATIENCE);
    assertEquals(4, nodes.size());
  }

  @Test
  void anOpeningWaitsNoLongerThanItSays() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    search(
        () -> {
          try {
            assertTrue(hangs.await(20, TimeUnit.SECONDS));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return dataNodes(20, 4, StorageType.DISK);
        });
    search.refresh(WALS, 10);
    search.refresh(WALS, 10);
    assertEquals(0, nodes.size());
    hangs.countDown();
    search.refresh(WALS, PATIENCE);
    assertEquals(4, nodes.size());
    assertEquals(1, reads.get());
  }
}
