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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.runtime.Component;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class LocalShareTest {
  private static FileBlocks wal(String server, String dataNode, String address) {
    return new FileBlocks(
        new Path("/hbase/WALs/" + server + ",16020,1/log"),
        8,
        1,
        (byte) 0,
        false,
        List.of(
            new FileBlocks.Block(8, List.of(StorageType.SSD), List.of(dataNode), List.of(address))),
        0);
  }

  private static LocalShare share(Set<String> addresses) {
    return new LocalShare(region -> Optional.empty(), host -> addresses);
  }

  @Test
  void aServerNamedByItsAddressIsOnTheHostThatTheDataNodeNames() {
    LocalShare share = share(Set.of());
    share.add(Component.WAL, wal("127.0.0.1", "localhost", "127.0.0.1"));
    assertEquals(8, share.localSsdBytes());
    assertEquals("", share.warning());
  }

  @Test
  void aServersNameThatResolvesToTheDataNodesAddressIsLocal() {
    LocalShare share = share(Set.of("10.0.0.7", "10.1.0.7"));
    share.add(Component.WAL, wal("rs7.example.org", "node7", "10.1.0.7"));
    assertEquals(8, share.localSsdBytes());
    assertEquals("", share.warning());
  }

  @Test
  void namesThatMatchNoDataNodeAreToldBesideTheZero() {
    LocalShare share = share(Set.of("10.0.0.8"));
    share.add(Component.WAL, wal("rs8", "node9", "10.0.0.9"));
    assertEquals(0, share.localSsdBytes());
    assertEquals("names match no DataNode: rs8", share.warning());
    assertEquals(List.of("rs8"), share.toJson().get("unmatchedHosts"));
  }
}
