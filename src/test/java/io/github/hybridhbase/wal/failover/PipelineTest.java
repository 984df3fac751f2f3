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

import io.github.hybridhbase.runtime.WalFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@InterfaceAudience.Private
class PipelineTest {
  private static DatanodeInfo on(StorageType type) {
    return new DatanodeInfoWithStorage(StalledNodesTest.node(1), "storage", type);
  }

  @Test
  void onlyAPipelineThatIsKnownToBeAllSsdIsDurableCheaply() {
    DatanodeInfo ssd = on(StorageType.SSD);
    assertTrue(Pipeline.everyReplicaOnSsd(new DatanodeInfo[] {ssd, ssd, ssd}));
    // Memory is fast and not durable.
    for (StorageType other : new StorageType[] {StorageType.DISK, StorageType.RAM_DISK, null}) {
      assertFalse(Pipeline.everyReplicaOnSsd(new DatanodeInfo[] {ssd, ssd, on(other)}));
    }
    DatanodeInfo plain = new DatanodeInfoBuilder().setNodeID(ssd).build();
    assertFalse(Pipeline.everyReplicaOnSsd(new DatanodeInfo[] {ssd, plain}));
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
}
