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
package io.github.hybridhbase.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.FileContext;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Stop;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Which operation of HBase rewrites a file, and that they are paced and may fail. */
@InterfaceAudience.Private
class RewriteTest {
  private static final Path ROOT = new Path("/hbase");
  private static final String SERVER = "rs1.example.org,16020,1";
  private static final String LOG = "/hbase/WALs/" + SERVER + "/rs1.1";

  private final Admin admin = mock(Admin.class);
  private final Stop stop = mock(Stop.class);
  private final Rewrite rewrite =
      new Rewrite(
          Session.over(
              FakeNamespace.namespaces(new FakeNamespace()),
              new Configuration(false),
              new Layout(ROOT, ROOT),
              new PrintStream(OutputStream.nullOutputStream()),
              stop));

  private void add(Component component, String path, boolean open) {
    rewrite.add(
        new FileContext(component, StoragePolicy.UNSPECIFIED, false),
        new FileBlocks(new Path(path), 10, 3, StoragePolicy.UNSPECIFIED, open, List.of(), 0, false),
        30);
  }

  private void region(int number) {
    add(Component.USER, "/hbase/data/default/t/" + number + "/cf/abc", false);
  }

  @Test
  void eachFileHasItsOperation() {
    add(Component.WAL, LOG, true);
    add(Component.WAL, LOG + ".meta", true);
    add(Component.META, "/hbase/data/hbase/meta/1588230740/info/abc", false);
    region(1);
    region(1);
    assertEquals(List.of(SERVER), List.copyOf(rewrite.servers));
    assertEquals(List.of("1", "1588230740"), List.copyOf(rewrite.regions.keySet()));
    assertEquals("1 WAL to roll, 2 regions with 90 B of replicas to compact", rewrite.plan());
    assertEquals(Map.of(), rewrite.others);
  }

  @Test
  void whatHBaseDoesNotRewriteOnRequest_isCounted() {
    add(Component.WAL, LOG, false);
    add(Component.WAL, "/hbase/WALs/" + SERVER + "-splitting/rs1.1", true); // of a dead server
    add(Component.MASTER, "/hbase/MasterData/data/master/store/1/proc/abc", false);
    add(Component.ARCHIVE, "/hbase/archive/data/default/t/1/cf/abc", false);
    add(Component.USER, "/hbase/data/default/t/1/.tmp/cf/abc", false);
    assertTrue(rewrite.isEmpty());
    assertEquals(4, rewrite.others.size(), () -> rewrite.others.toString());
  }

  @Test
  void regionsAreCompactedFewAtATime_andAFailureKeepsNoneOfTheOthers() throws IOException {
    int regions = 3 * Rewrite.AT_ONCE;
    AtomicInteger running = new AtomicInteger();
    List<Integer> most = new ArrayList<>();
    add(Component.WAL, LOG, true);
    for (int i = 1; i <= regions; i++) {
      region(i);
    }
    doThrow(new IOException("it is down")).when(admin).rollWALWriter(any());
    doAnswer(call -> most.add(running.incrementAndGet())).when(admin).majorCompactRegion(any());
    doThrow(new IOException("it was split")).when(admin).majorCompactRegion(Bytes.toBytes("1"));
    when(admin.getCompactionStateForRegion(any()))
        .thenAnswer(
            call -> {
              running.decrementAndGet();
              throw new IOException("it was moved");
            });
    rewrite.carryOut(admin);
    verify(admin).rollWALWriter(ServerName.valueOf(SERVER));
    assertEquals(Map.of(SERVER, "it is down", "1", "it was split"), rewrite.failed);
    assertEquals(regions - 1, rewrite.compacted.size());
    assertTrue(most.stream().allMatch(now -> now <= Rewrite.AT_ONCE), most::toString);
    assertTrue(most.contains(Rewrite.AT_ONCE), most::toString);
  }

  @Test
  void regionIsDone_onceItsCompactionHasEnded() throws IOException {
    region(1);
    when(admin.getCompactionStateForRegion(any()))
        .thenReturn(CompactionState.NONE, CompactionState.MAJOR, CompactionState.NONE);
    rewrite.carryOut(admin);
    assertEquals(List.of("1"), List.copyOf(rewrite.compacted));
    verify(admin, times(3)).getCompactionStateForRegion(any());
  }

  @Test
  void metaIsCompactedAsATable() throws IOException {
    add(Component.META, "/hbase/data/hbase/meta/1588230740/info/abc", false);
    when(admin.getCompactionState(TableName.META_TABLE_NAME))
        .thenReturn(CompactionState.MAJOR, CompactionState.NONE);
    rewrite.carryOut(admin);
    verify(admin).majorCompact(TableName.META_TABLE_NAME);
    assertEquals(List.of("1588230740"), List.copyOf(rewrite.compacted));
  }

  @Test
  void stoppedBeforeItBegins_itAsksHBaseForNothing() throws IOException {
    add(Component.WAL, LOG, true);
    region(1);
    when(stop.requested()).thenReturn(true);
    rewrite.carryOut(admin);
    verifyNoInteractions(admin);
  }
}
