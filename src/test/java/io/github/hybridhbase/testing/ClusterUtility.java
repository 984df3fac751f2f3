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
package io.github.hybridhbase.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * ZooKeeper and HBase on an HDFS that runs already. The two roots have plain names; HBase's own
 * utility would make them random. HBase 3 calls the class above it {@code HBaseTestingUtil}.
 */
@InterfaceAudience.Private
public final class ClusterUtility extends HBaseTestingUtility {
  private final StartMiniClusterOption option;

  private final Optional<Path> elsewhere;

  /**
   * Makes it.
   *
   * @param directory of this machine, below which {@link ClusterSpec#rootElsewhere} puts the root
   */
  ClusterUtility(Configuration conf, ClusterSpec spec, java.nio.file.Path directory) {
    super(conf);
    elsewhere =
        spec.rootElsewhere
            ? Optional.of(new Path(directory.resolve("root").toUri()))
            : Optional.empty();
    option =
        StartMiniClusterOption.builder()
            .numMasters(spec.masters)
            .numRegionServers(spec.regionServers)
            .createWALDir(spec.walDirApart)
            .build();
  }

  void startHBase() throws Exception {
    if (getZkCluster() == null) {
      startMiniZKCluster();
    }
    startMiniHBaseCluster(option);
  }

  void stopHBase() throws IOException {
    shutdownMiniHBaseCluster();
  }

  void restartHBase() throws IOException, InterruptedException {
    restartHBaseCluster(option);
  }

  /** HBase in good order, else by force, then ZooKeeper. */
  void stop(Teardown teardown) {
    if (!teardown.within("stop of HBase", 180, this::shutdownMiniHBaseCluster)) {
      teardown.within("kill of HBase", 60, this::killHBase);
    }
    teardown.within("stop of ZooKeeper", 60, this::shutdownMiniZKCluster);
  }

  private void killHBase() throws IOException {
    MiniHBaseCluster hbase = getMiniHBaseCluster();
    if (hbase == null) {
      return;
    }
    List<Thread> threads = new ArrayList<>(hbase.getMasterThreads());
    threads.addAll(hbase.getRegionServerThreads());
    killMiniHBaseCluster();
    threads.forEach(Thread::interrupt);
  }

  @Override
  public Path getDefaultRootDirPath(boolean create) throws IOException {
    return elsewhere.isPresent()
        ? elsewhere.get()
        : getTestFileSystem().makeQualified(new Path("/hbase"));
  }

  @Override
  public Path createRootDir(boolean create) throws IOException {
    if (elsewhere.isEmpty()) {
      return super.createRootDir(create);
    }
    Path root = elsewhere.get();
    CommonFSUtils.setRootDir(getConfiguration(), root);
    FileSystem local = root.getFileSystem(getConfiguration());
    local.mkdirs(root);
    FSUtils.setVersion(local, root);
    return root;
  }

  @Override
  public Path createWALRootDir() throws IOException {
    Path root = getTestFileSystem().makeQualified(new Path("/hbase-wal"));
    CommonFSUtils.setWALRootDir(getConfiguration(), root);
    getTestFileSystem().mkdirs(root);
    return root;
  }
}
