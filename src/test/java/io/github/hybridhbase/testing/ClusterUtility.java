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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;

/** Gives the two roots plain names; the test utility would make them random. */
@InterfaceAudience.Private
final class ClusterUtility extends HBaseTestingUtility {
  ClusterUtility(Configuration conf) {
    super(conf);
  }

  @Override
  public Path getDefaultRootDirPath(boolean create) throws IOException {
    return getTestFileSystem().makeQualified(new Path("/hbase"));
  }

  @Override
  public Path createWALRootDir() throws IOException {
    Path root = getTestFileSystem().makeQualified(new Path("/hbase-wal"));
    CommonFSUtils.setWALRootDir(getConfiguration(), root);
    getTestFileSystem().mkdirs(root);
    return root;
  }
}
