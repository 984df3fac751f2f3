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

import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.Replicas;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;

/** HBase's directories on an HDFS without an HBase: what a placement needs, nothing else. */
@InterfaceAudience.Private
final class HBaseOnHdfs {
  static final String WAL = "/hbase/WALs/h1,16020,1/h1%2C16020%2C1.1";
  static final String META = "/hbase/data/hbase/meta/1588230740/info/";
  static final String STORE =
      "/hbase/MasterData/data/master/store/1595e783b53d99cd5eef43b6debb2682";
  static final String TABLE = "/hbase/data/default/t/0123456789abcdef0123456789abcdef/cf/";

  private static final String[] DIRECTORIES = {
    "/hbase/WALs/h1,16020,1",
    STORE + "/proc",
    META,
    TABLE,
    "/hbase/oldWALs",
    "/hbase/archive",
    "/hbase/staging"
  };

  private final TypedCluster cluster;
  private final DistributedFileSystem fs;

  /** Lays it out anew. */
  HBaseOnHdfs(TypedCluster cluster) throws IOException {
    this.cluster = cluster;
    this.fs = cluster.fs();
    fs.delete(new Path("/hbase"), true);
    for (String directory : DIRECTORIES) {
      fs.mkdirs(new Path(directory));
    }
  }

  Configuration conf() {
    return cluster.conf();
  }

  DistributedFileSystem fs() {
    return fs;
  }

  /**
   * Puts a file there whose blocks were written under a policy, as a rename within HDFS leaves it.
   */
  Path file(String path, int length, StoragePolicy born) throws Exception {
    Path nursery = new Path("/nursery-" + born);
    fs.mkdirs(nursery);
    fs.setStoragePolicy(nursery, born.name());
    Path file = new Path(path);
    Path young = new Path(nursery, "young");
    DFSTestUtil.createFile(fs, young, length, (short) 3, 1);
    Replicas.await(fs, young, 3);
    fs.mkdirs(file.getParent());
    if (!fs.rename(young, file)) {
      throw new IOException("could not rename to " + file);
    }
    return file;
  }

  /** Opens a file for writing and flushes one kilobyte to its DataNodes. */
  FSDataOutputStream open(String path) throws IOException {
    FSDataOutputStream out = fs.create(new Path(path));
    out.write(new byte[1024]);
    out.hflush();
    return out;
  }

  /** One whose policy it has kept, as the plugin creates them. */
  Path pinned(String path, int length, StoragePolicy policy) throws Exception {
    Path file = file(path, length, policy);
    policy(path, policy);
    return file;
  }

  void policy(String path, StoragePolicy policy) throws IOException {
    fs.setStoragePolicy(new Path(path), policy.name());
  }
}
