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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.testing.HostileText;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Whatever files are called that somebody has put among HBase's, they are looked at. */
@InterfaceAudience.Private
class HostileNamesTest {
  private static final int CASES = 3_000;
  private static final String HFILE = "0123456789abcdef0123456789abcdef";
  private static final String STORE = "/hbase/data/default/t/" + HFILE + "/f";
  private static final String[] NAMES =
      ("H,H.H,H_SeqId_7_,H_SeqId_7_.H,H_del,t=H-H,n=t=H-H,t=H-H.H,.hybrid-probe-x,..,H..,H.a b")
          .replace("H", HFILE)
          .split(",");

  private final HostileText text = new HostileText(getClass().getSimpleName());
  private final Random random = text.random();

  /** A path as HDFS allows it, which forbids most of the worst. */
  private String path(String above) {
    while (true) {
      String path = above + "/" + text.next(NAMES);
      if (path.length() < 8_000 && DFSUtil.isValidName(path)) {
        return path;
      }
    }
  }

  @Test
  void eachBelongsToAComponentOrToNone() {
    Layout layout = new Layout(new Path("hdfs://nn:1/hbase"), new Path("hdfs://nn:1/wal"));
    String[] above = ("/hbase /wal /hbase/data /hbase/MasterData /wal/WALs / " + STORE).split(" ");
    for (int i = 0; i < CASES; i++) {
      String name = path(above[random.nextInt(above.length)].replaceAll("/$", ""));
      Path path = new Path("hdfs", "nn:1", random.nextBoolean() ? name : path(name));
      assertNotNull(layout.componentOf(path));
      assertNotNull(layout.componentOfDirectory(path));
      assertTrue(!layout.isDeletedSoon(path) || layout.componentOf(path).isPresent(), name);
    }
  }
}
