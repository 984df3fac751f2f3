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

import io.github.hybridhbase.hdfs.FailFastClient;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/** HBase's fan-out output, or an HDFS stream. Not thread-safe. */
@InterfaceAudience.Private
public interface WalOutput {
  /** {@code AbstractProtobufLogWriter.initOutput} of one file. */
  @FunctionalInterface
  interface Creation {
    /** Creates the file and its first block; if either is refused, throws and leaves it closed. */
    void create(FileSystem client, boolean overwrite, StreamSlowMonitor monitor)
        throws IOException, StreamLacksCapabilityException;
  }

  /** Creates the file and writes its header, whose length in bytes it returns. */
  long create(FileSystem client, boolean overwrite, StreamSlowMonitor monitor)
      throws IOException, StreamLacksCapabilityException;

  /** Of the block; empty if unknown, or nothing is open. */
  DatanodeInfo[] pipeline();

  /** Whether {@link #create} throws if a DataNode refuses, instead of continuing without it. */
  boolean namesRefusals();

  /** Closes what {@link #create} left open, if anything. Never throws. */
  void discard(FailFastClient.Use client);
}
