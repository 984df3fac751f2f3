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
package io.github.hybridhbase.wal.fallback;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A WAL to create, from the arguments of {@code AbstractProtobufLogWriter.initOutput}. */
@InterfaceAudience.Private
public final class NewWal {
  private static final Logger LOG = LoggerFactory.getLogger(NewWal.class);

  public final FileSystem fs;
  public final Path path;
  public final boolean overwritable;
  public final short replication;

  /** HBase's own, shared by all its WALs; may be null. */
  public final StreamSlowMonitor monitor;

  public NewWal(
      FileSystem fs,
      Path path,
      boolean overwritable,
      short replication,
      StreamSlowMonitor monitor) {
    this.fs = fs;
    this.path = path;
    this.overwritable = overwritable;
    this.replication = replication;
    this.monitor = monitor;
  }

  /**
   * Whether the file is below our WAL root. HBase 3.0 also opens a remote cluster's logs with this
   * writer.
   */
  public boolean isOurs(Configuration conf) {
    try {
      Path root = CommonFSUtils.getWALRootDir(conf);
      String rootName = root.getFileSystem(conf).makeQualified(root).toString();
      return fs.makeQualified(path).toString().startsWith(rootName + Path.SEPARATOR);
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Could not determine whether the WAL {} is below this HBase's WAL root: HBase's own "
              + "writer opens it, and the server aborts if SSD refuses it. Check hbase.wal.dir.",
          path,
          e);
      return false;
    }
  }
}
