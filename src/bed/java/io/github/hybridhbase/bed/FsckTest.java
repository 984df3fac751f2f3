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
package io.github.hybridhbase.bed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class FsckTest {
  private static String replica(String medium) {
    return "DatanodeInfoWithStorage[127.0.0.1:9866,DS-1-2," + medium + "]";
  }

  private static final Fsck FSCK =
      Fsck.parse(
          List.of(
              "Connecting to namenode via http://127.0.0.1:1/fsck?path=%2F",
              "/hbase <dir>",
              "/hbase/WALs/a,1,2/a%2C1%2C2.3 83 bytes, replicated: replication=3, 1 block(s),"
                  + " OPENFORWRITE:  OK",
              "0. BP-1-127.0.0.1-2:blk_1073741836_1012 len=83 Live_repl=3  ["
                  + replica("SSD")
                  + ", "
                  + replica("SSD")
                  + "]",
              "",
              "/hbase/x y 0 bytes, replicated: replication=3, 0 block(s):  OK",
              "/hbase/z 9 bytes, replicated: replication=3, 2 block(s):  OK",
              "0. BP-1-127.0.0.1-2:blk_-7_1 len=4 Live_repl=1  [" + replica("DISK") + "]",
              "Under Construction Block:",
              "1. BP-1-127.0.0.1-2:blk_8_1 len=5 Expected_repl=1  [" + replica("SSD") + "]",
              "Status: HEALTHY"));

  @Test
  void filesAreReadWithTheMediaOfTheirBlocks() {
    assertEquals(
        List.of(
            "/hbase/WALs/a,1,2/a%2C1%2C2.3 open [[SSD, SSD]]",
            "/hbase/x y []", "/hbase/z [[DISK], [SSD]]"),
        List.of(FSCK.toString().split("\n", -1)));
  }

  @Test
  void aFileIsOnAMediumWhereAllItsReplicasAre() {
    Fsck.File wal = FSCK.below("/hbase/WALs").get(0);
    assertTrue(wal.isOpen());
    assertTrue(wal.isAllOn("SSD"));
    assertFalse(wal.isAllOn("DISK"));
    assertFalse(FSCK.files().get(1).isAllOn("SSD"), "it has no blocks");
    assertFalse(FSCK.files().get(2).isAllOn("SSD"));
  }
}
