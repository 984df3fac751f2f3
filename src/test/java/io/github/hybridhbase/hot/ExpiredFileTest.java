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
package io.github.hybridhbase.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HBase drops a store file without a successor if its newest cell has expired. A scan holds the
 * files that were split meanwhile, so that they are in the directory when the region opens again.
 */
@InterfaceAudience.Private
class ExpiredFileTest {
  private static final byte[] FAMILY = LocalRegion.FAMILY;
  private static final long TTL = 30_000;
  private static final long SALT = 11;
  private static final int ONE_IN = 4;

  private long clock = 1_700_000_000_000L;
  private LocalRegion region;
  private RegionScanner scan;

  @BeforeEach
  void open() throws Exception {
    EnvironmentEdgeManager.injectEdge(() -> clock);
    region =
        LocalRegion.scratch(
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                .setTimeToLive((int) (TTL / 1000))
                .build(),
            LocalRegion.hot(ONE_IN, SALT));
  }

  @AfterEach
  void close() throws Exception {
    region.close();
    EnvironmentEdgeManager.reset();
  }

  private static List<byte[]> rows(boolean hot) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> Bytes.toBytes("row" + i))
        .filter(row -> SplitEngine.isHot(row, ONE_IN, SALT) == hot)
        .limit(3)
        .collect(Collectors.toList());
  }

  private void put(List<byte[]> rows) throws IOException {
    for (byte[] row : rows) {
      region.region().put(new Put(row).addColumn(FAMILY, row, row));
    }
    region.flush();
  }

  private void delete(List<byte[]> rows) throws IOException {
    for (byte[] row : rows) {
      region.region().delete(new Delete(row));
    }
  }

  private List<String> seen() throws IOException {
    return region.cells(false, HConstants.ALL_VERSIONS);
  }

  /** A scan reads the region's files from now on. */
  private void scanBegins() throws IOException {
    scan = region.region().getScanner(new Scan());
    assertTrue(scan.next(new ArrayList<>()));
  }

  /** HBase looks for expired files whenever it may compact. */
  private void dropExpired() throws IOException {
    region.compact(List.of());
    region.archive();
  }

  /**
   * Rows are deleted before the scan begins, in memory still, and nothing of them is left but in
   * what the scan holds.
   */
  private void deleteHotRows() throws IOException {
    put(rows(false));
    clock += TTL - 10_000;
    put(rows(true));
    delete(rows(true));
    scanBegins();
    region.compact(region.files());
    assertEquals(2, region.files().size());
    purge();
  }

  private void purge() throws IOException {
    region.archive();
    clock += 10_001; // the cold rows have expired
    dropExpired();
    region.flush();
    dropExpired();
    region.compact(region.files());
    region.archive();
    assertTrue(region.store().getCompactedFiles().size() > 1, "the scan holds files");
    assertEquals(List.of(), seen());
    assertEquals(List.of(), region.cells(true, 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void deletedRowsStayDeletedAfterMoveAndCrash(boolean moves) throws Exception {
    deleteHotRows();
    if (moves) {
      region.reopen();
    } else {
      region.reopenAfterCrash();
    }
    assertEquals(List.of(), seen());
  }

  /** The cold file is compacted with an older one, which takes over what it names. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSuccessorOfTheColdFileVouchesToo(boolean splits) throws Exception {
    put(rows(false));
    put(rows(false));
    clock += TTL - 10_000;
    put(rows(true));
    delete(rows(true));
    scanBegins();
    region.compact(region.files().subList(1, 3));
    assertEquals(3, region.files().size());
    region.archive();
    region.engine().splits = splits;
    region.compact(
        region.files().stream().filter(file -> !HotFiles.isOn(file)).collect(Collectors.toList()));
    region.engine().splits = true;
    assertEquals(2, region.files().size());
    purge();
    region.reopenAfterCrash();
    assertEquals(List.of(), seen());
  }

  /** All rows are hot: the cold file, which is empty, does not stay for ever. */
  @Test
  void bothFilesGoWhenAllIsExpired() throws Exception {
    put(rows(true));
    region.compact(region.files());
    assertEquals(2, region.files().size());
    clock += TTL + 1;
    put(rows(false));
    dropExpired();
    assertEquals(1, region.files().size());
  }

  /** HBase compacts all files when the oldest cell has expired, again and again. */
  @Test
  void noMajorCompactionIsDueForWhatIsGone() throws Exception {
    put(rows(false));
    clock += TTL + 1;
    put(rows(true));
    region.compact(region.files());
    for (HStoreFile file : region.files()) {
      assertEquals(clock, file.getMinimumTimestamp().orElseThrow(), file::toString);
    }
  }
}
