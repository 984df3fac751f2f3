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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridKeys.WalHsync;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.WalFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@InterfaceAudience.Private
class PipelineTest {
  private static DatanodeInfo plain() {
    return new DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0.1", "localhost", "uuid", 1, 2, 3, 4))
        .build();
  }

  private static DatanodeInfo on(StorageType type) {
    return new DatanodeInfoWithStorage(plain(), "storage", type);
  }

  @Test
  void onlyAPipelineThatIsKnownToBeAllSsdIsDurableCheaply() {
    DatanodeInfo ssd = on(StorageType.SSD);
    assertTrue(Pipeline.everyReplicaOnSsd(new DatanodeInfo[] {ssd, ssd, ssd}));
    assertFalse(Pipeline.everyReplicaOnSsd(new DatanodeInfo[] {ssd, ssd, on(StorageType.DISK)}));
    // Memory is fast and not durable.
    assertFalse(Pipeline.everyReplicaOnSsd(new DatanodeInfo[] {ssd, on(StorageType.RAM_DISK)}));
    assertFalse(Pipeline.everyReplicaOnSsd(new DatanodeInfo[] {ssd, on(null)}));
    assertFalse(Pipeline.everyReplicaOnSsd(new DatanodeInfo[] {ssd, plain()}));
    assertFalse(Pipeline.everyReplicaOnSsd(new DatanodeInfo[] {ssd, null}));
    assertFalse(Pipeline.everyReplicaOnSsd(new DatanodeInfo[0]));
    assertFalse(Pipeline.everyReplicaOnSsd(null));
  }

  @Test
  void whatIsNotHdfsHasNoPipeline() throws IOException {
    assertEquals(0, Pipeline.of(null).length);
    assertEquals(0, Pipeline.of(new FSDataOutputStream(new ByteArrayOutputStream(), null)).length);
  }

  @ParameterizedTest
  @CsvSource({
    "host%2C16020%2C1700.1700000000000, host%2C16020%2C1700",
    "host%2C16020%2C1700.meta.1700000000000.meta, host%2C16020%2C1700.meta.meta",
    "host%2C16020%2C1700.group-1.1700000000000, host%2C16020%2C1700.group-1",
    "wal, wal",
    ".meta, .meta"
  })
  void aLogKeepsItsNameAcrossRolls(String file, String log) {
    assertEquals(log, WalFiles.log(new Path(file)));
  }

  @ParameterizedTest
  @CsvSource({
    "stock, false",
    "auto, true",
    "' Auto ', true",
    "yes, false",
    "'', false",
    "AUTO, true"
  })
  void hsyncIsAutoOnlyWhereItSaysSo(String value, boolean auto) {
    Configuration conf = new Configuration(false);
    assertFalse((HybridSettings.read(conf).get(HybridKeys.WAL_HSYNC) == WalHsync.AUTO));
    conf.set(HybridKeys.WAL_HSYNC.name(), value);
    assertEquals(auto, (HybridSettings.read(conf).get(HybridKeys.WAL_HSYNC) == WalHsync.AUTO));
  }
}
