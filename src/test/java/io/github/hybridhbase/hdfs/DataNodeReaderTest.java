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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** What a DataNode's own {@code /jmx} answers, for users that are no superuser of HDFS. */
@InterfaceAudience.Private
class DataNodeReaderTest {
  private static String bean(String attributes) {
    return "{\"beans\":[{\"name\":\"Hadoop:service=DataNode,name=DataNodeInfo\","
        + attributes
        + "}]}";
  }

  private static DataNodeState parse(String jmx) {
    JsonObject listed = new JsonObject();
    listed.addProperty("infoAddr", "10.0.0.1:9864");
    listed.addProperty("infoSecureAddr", "10.0.0.1:0");
    listed.addProperty("xferaddr", "10.0.0.1:9866");
    listed.addProperty("location", "/r1");
    listed.addProperty("adminState", "In Service");
    return DataNodeState.of("h1:9866", listed).with(jmx);
  }

  @Test
  void mediaAndLoadAreReadAsHadoopWritesThem() {
    DataNodeState node =
        parse(
            bean(
                "\"DataPort\":\"9866\",\"XceiverCount\":9,\"ActiveTransferThreadCount\":7,"
                    + "\"VolumeInfo\":\"{\\\"/a\\\":{\\\"storageType\\\":\\\"SSD\\\","
                    + "\\\"usedSpace\\\":30,\\\"freeSpace\\\":70,\\\"reservedSpace\\\":0},"
                    + "\\\"/b\\\":{\\\"storageType\\\":\\\"DISK\\\"}}\""));
    assertEquals(Set.of(StorageType.SSD, StorageType.DISK), node.types());
    assertEquals(OptionalInt.of(7), node.load);
    assertTrue(node.hasSsd() && node.inService());
    assertEquals("/r1", node.rack);
    assertEquals("http://10.0.0.1:9864", node.web);
    SsdSpace space = SsdSpace.of(List.of(node));
    assertEquals(
        List.of(100L, 30L, 70L), List.of(space.capacity(), space.used(), space.remaining()));
  }

  @Test
  void olderLinesHaveAnotherNameForLoad() {
    assertEquals(OptionalInt.of(9), parse(bean("\"DataPort\":\"9866\",\"XceiverCount\":9")).load);
  }

  @Test
  void whatIsNoAnswerOfThatDataNodeIsUnknown() {
    for (String jmx :
        new String[] {
          "",
          "<html>",
          "{}",
          bean("\"DataPort\":\"1\",\"XceiverCount\":9"),
          bean("\"DataPort\":\"9866\",\"XceiverCount\":\"many\""),
          bean(
              "\"DataPort\":\"9866\",\"VolumeInfo\":\"{\\\"/a\\\":{\\\"storageType\\\":\\\"TAPE\\\"}}\"")
        }) {
      DataNodeState node = parse(jmx);
      assertTrue(node.types().isEmpty() && node.load.isEmpty(), jmx);
      assertFalse(node.hasSsd(), jmx);
    }
  }
}
