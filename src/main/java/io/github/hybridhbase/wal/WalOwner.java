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
package io.github.hybridhbase.wal;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A check whether a writer opens a log of this cluster. */
@InterfaceAudience.Private
final class WalOwner {
  private static final Logger LOG = LoggerFactory.getLogger(WalOwner.class);

  private WalOwner() {}

  /**
   * Whether a file is below the WAL root of {@code conf}. HBase 3.0 also opens a remote cluster's
   * logs with the same writer.
   */
  static boolean isOurs(Configuration conf, FileSystem fs, Path file) {
    try {
      Path root = CommonFSUtils.getWALRootDir(conf);
      String rootName = root.getFileSystem(conf).makeQualified(root).toString();
      return fs.makeQualified(file).toString().startsWith(rootName + Path.SEPARATOR);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Whose log is {}? It is written as stock HBase does", file, e);
      return false;
    }
  }
}
