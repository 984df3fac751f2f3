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
package io.github.hybridhbase.measure;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** When a major compaction has ended. */
@InterfaceAudience.Private
class MajorCompactionTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private final Admin admin = mock(Admin.class);
  private final RegionMetrics first = region("first");
  private final RegionMetrics second = region("second");
  private long nanos;

  private static RegionMetrics region(String name) {
    RegionMetrics region = mock(RegionMetrics.class);
    when(region.getNameAsString()).thenReturn(name);
    when(region.getRegionName()).thenReturn(Bytes.toBytes(name));
    when(region.getStoreFileCount()).thenReturn(1);
    return region;
  }

  private MajorCompaction begin() throws IOException {
    Connection connection = mock(Connection.class);
    ServerName server = ServerName.valueOf("s", 1, 1);
    when(connection.getAdmin()).thenReturn(admin);
    when(admin.getRegionServers()).thenReturn(List.of(server));
    when(admin.getRegionMetrics(any(), any())).thenReturn(List.of(first, second));
    return MajorCompaction.begin(connection, TABLE, () -> nanos);
  }

  private void state(CompactionState state) throws IOException {
    when(admin.getCompactionState(TABLE)).thenReturn(state);
  }

  private static void done(RegionMetrics region) {
    when(region.getLastMajorCompactionTimestamp()).thenReturn(System.currentTimeMillis());
  }

  /** Between two regions HBase compacts nothing for a moment. */
  @Test
  void aLookThatMeetsNoneIsNotItsEnd() throws IOException {
    MajorCompaction compaction = begin();
    state(CompactionState.NONE);
    done(first);
    assertFalse(compaction.ended());
    assertTrue(compaction.toString().contains("not done [second]"), compaction.toString());
    verify(admin, times(1)).majorCompact(TABLE);
  }

  @Test
  void itEndsWhenAllRegionsAreDoneAndNothingCompacts() throws IOException {
    MajorCompaction compaction = begin();
    done(first);
    done(second);
    state(CompactionState.MAJOR);
    assertFalse(compaction.ended());
    state(CompactionState.NONE);
    assertTrue(compaction.ended());
  }

  /** HBase has forgotten one of two: what is done already is not done once more. */
  @Test
  void afterAWhileOnlyWhatIsNotDoneIsAskedForAgain() throws IOException {
    MajorCompaction compaction = begin();
    done(first);
    state(CompactionState.MAJOR);
    nanos = TimeUnit.SECONDS.toNanos(60);
    assertFalse(compaction.ended());
    verify(admin, never()).majorCompactRegion(any());
    state(CompactionState.NONE);
    assertFalse(compaction.ended());
    assertFalse(compaction.ended());
    verify(admin, times(1)).majorCompactRegion(second.getRegionName());
    verify(admin, never()).majorCompactRegion(first.getRegionName());
    verify(admin, times(1)).majorCompact(TABLE);
  }

  /** A minor compaction may take the file of a major one. */
  @Test
  void whatWasDoneStaysDone() throws IOException {
    MajorCompaction compaction = begin();
    state(CompactionState.MAJOR);
    done(first);
    assertFalse(compaction.ended());
    when(first.getLastMajorCompactionTimestamp()).thenReturn(0L);
    done(second);
    state(CompactionState.NONE);
    assertTrue(compaction.ended());
  }

  @Test
  void anOlderOneAndNoFileAtAllAreNotTheSame() throws IOException {
    when(first.getStoreFileCount()).thenReturn(0);
    when(second.getLastMajorCompactionTimestamp()).thenReturn(1L);
    MajorCompaction compaction = begin();
    state(CompactionState.NONE);
    assertFalse(compaction.ended());
    done(second);
    assertTrue(compaction.ended());
  }
}
