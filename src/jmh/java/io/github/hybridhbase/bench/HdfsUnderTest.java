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
package io.github.hybridhbase.bench;

import io.github.hybridhbase.testing.TypedHdfs;
import io.github.hybridhbase.testing.VolumeLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** An HDFS as the benchmarks of the log want it. */
@InterfaceAudience.Private
final class HdfsUnderTest {
  private HdfsUnderTest() {}

  /**
   * Starts it.
   *
   * @param base local directory for the NameNode, and for all volumes where there are no disks;
   *     must not exist or be empty
   * @param disks directories for the volumes: DataNode by DataNode, all over again where there are
   *     fewer; may be empty
   * @param dataNodes 1 or more; blocks get as many replicas, 3 at most
   * @param settings beside those of this class
   */
  static TypedHdfs start(Path base, List<Path> disks, int dataNodes, Map<String, String> settings)
      throws IOException {
    Configuration conf = new Configuration();
    conf.setInt("dfs.replication", Math.min(3, dataNodes));
    conf.setLong("dfs.blocksize", 128L << 20);
    conf.setBoolean("dfs.datanode.synconclose", false);
    conf.setLong(TypedHdfs.SPARE, 0);
    settings.forEach(conf::set);
    VolumeLayout volumes = TypedHdfs.SSD_AND_DISK;
    if (!disks.isEmpty()) {
      volumes =
          volumes.in(
              (node, type) ->
                  disks
                      .get(node % disks.size())
                      .resolve(node + "/" + type.name().toLowerCase(Locale.ROOT)));
    }
    return TypedHdfs.start(conf, base, dataNodes, volumes);
  }
}
