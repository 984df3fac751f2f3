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

import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
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
    return DataNodeReader.parse("h1:9866", "/r1", "In Service", jmx);
  }

  @Test
  void mediaAndLoadAreReadAsHadoopWritesThem() {
    DataNodeState node =
        parse(
            bean(
                "\"DataPort\":\"9866\",\"XceiverCount\":9,\"ActiveTransferThreadCount\":7,"
                    + "\"VolumeInfo\":\"{\\\"/a\\\":{\\\"storageType\\\":\\\"SSD\\\"},"
                    + "\\\"/b\\\":{\\\"storageType\\\":\\\"DISK\\\"}}\""));
    assertEquals(Set.of(StorageType.SSD, StorageType.DISK), node.types());
    assertEquals(OptionalInt.of(7), node.load());
    assertTrue(node.hasSsd() && node.inService());
    assertEquals("/r1", node.rack());
  }

  @Test
  void olderLinesHaveAnotherNameForLoad() {
    assertEquals(OptionalInt.of(9), parse(bean("\"DataPort\":\"9866\",\"XceiverCount\":9")).load());
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
      assertTrue(node.types().isEmpty() && node.load().isEmpty(), jmx);
      assertFalse(node.hasSsd(), jmx);
    }
  }
}
