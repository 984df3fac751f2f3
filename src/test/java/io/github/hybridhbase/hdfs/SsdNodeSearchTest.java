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
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@InterfaceAudience.Private
@Timeout(30)
class SsdNodeSearchTest {
  private static final long PATIENCE = 20_000;

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger reads = new AtomicInteger();
  private final DistributedFileSystem fs = mock(DistributedFileSystem.class);
  private final KnownSsdNodes nodes = new KnownSsdNodes(now::get, address -> false);
  private SsdNodeSearch search;
  private boolean noThread;

  private void search(Callable<Optional<SsdNodes>> reader) {
    search =
        new SsdNodeSearch(fs, nodes, now::get) {
          @Override
          Optional<SsdNodes> read(DistributedFileSystem with) throws IOException {
            reads.incrementAndGet();
            try {
              return reader.call();
            } catch (IOException | RuntimeException e) {
              throw e;
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }

          @Override
          void start(Runnable look) {
            if (noThread) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            super.start(look);
          }
        };
  }

  private static Optional<SsdNodes> four() {
    return Optional.of(SsdNodes.of(KnownSsdNodesTest.nodes(4)));
  }

  private void assertNextReadAfter(long nanos) {
    int before = reads.get();
    for (long wait : new long[] {0, nanos - 1}) {
      now.addAndGet(wait);
      search.refresh(PATIENCE);
      assertEquals(before, reads.get());
    }
    now.incrementAndGet();
    search.refresh(PATIENCE);
    assertEquals(before + 1, reads.get());
  }

  @Test
  void readsOnceInTenMinutesHoweverManyWalsAreOpened() {
    search(SsdNodeSearchTest::four);
    search.refresh(PATIENCE);
    assertEquals(4, nodes.size());
    assertNextReadAfter(SsdNodeSearch.PERIOD_NANOS);
  }

  /** A DataNode that was rejected too often is forgotten, and may be back. */
  @Test
  void readsMoreOftenWhileABlockHasTooFewReplicasOnSsd() throws Exception {
    search(SsdNodeSearchTest::four);
    search.refresh(PATIENCE);
    nodes.answered(List.of(), 2, KnownSsdNodesTest.block(0, 1, 9));
    assertNextReadAfter(SsdNodeSearch.SHORT_NANOS);
  }

  @Test
  void readsMoreOftenUntilTheMasterHasPublished() {
    search(Optional::empty);
    search.refresh(PATIENCE);
    assertNextReadAfter(SsdNodeSearch.NONE_NANOS);
    assertEquals(0, nodes.size());
  }

  @Test
  void whatFailsIsTriedAgainLaterAndBreaksNothing() {
    search(
        () -> {
          throw new IOException("planted");
        });
    search.refresh(PATIENCE);
    assertNextReadAfter(SsdNodeSearch.PERIOD_NANOS / 10);
  }

  @Test
  void theXattrOfTheRootOnThisHdfsIsRead() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("hbase.rootdir", "hdfs://other/hbase");
    conf.set("hbase.wal.dir", "hdfs://nn:8020/wals");
    when(fs.getConf()).thenReturn(conf);
    when(fs.getUri()).thenReturn(URI.create("hdfs://nn:8020"));
    when(fs.makeQualified(any())).thenAnswer(call -> call.getArgument(0));
    when(fs.getXAttrs(new Path("hdfs://nn:8020/wals")))
        .thenReturn(
            Map.of(
                SsdNodes.XATTR, four().orElseThrow().toString().getBytes(StandardCharsets.UTF_8)));
    search = new SsdNodeSearch(fs, nodes, now::get);
    search.refresh(PATIENCE);
    assertEquals(4, nodes.size());
  }

  @Test
  void noThreadCanBeStarted_theNextFileTriesAgain() {
    search(SsdNodeSearchTest::four);
    noThread = true;
    search.refresh(PATIENCE);
    assertEquals(0, nodes.size());
    noThread = false;
    search.refresh(PATIENCE);
    assertEquals(4, nodes.size());
  }

  @Test
  void anOpeningWaitsNoLongerThanItSays() {
    CountDownLatch hangs = new CountDownLatch(1);
    search(
        () -> {
          assertTrue(hangs.await(20, TimeUnit.SECONDS));
          return four();
        });
    search.refresh(10);
    search.refresh(10);
    assertEquals(0, nodes.size());
    hangs.countDown();
    search.refresh(PATIENCE);
    assertEquals(4, nodes.size());
    assertEquals(1, reads.get());
  }
}
