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
package io.github.hybridhbase.wal.failover;

import io.github.hybridhbase.hdfs.NodeProbe;
import java.io.IOException;
import java.util.Collection;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a fail-over needs of the directory that a WAL lies in; each asks the NameNode unless it says
 * otherwise.
 */
@InterfaceAudience.Private
public interface LogDirectory {
  /** Whether it is there, and the NameNode takes writes. */
  boolean takesFiles() throws IOException;

  /**
   * Whether this DataNode takes a block as the WALs here are written, quicker than {@link
   * Verdict#probeMillis()}.
   */
  NodeProbe probe(DatanodeInfo node, Verdict verdict) throws IOException;

  /**
   * Says for all to see which DataNodes this server leaves out now; may be none.
   *
   * @throws java.io.FileNotFoundException where the directory is gone
   */
  void leftOut(Collection<DatanodeInfo> nodes) throws IOException;

  /** It is quick again: WALs that lack replicas are rolled. Asks nobody, never blocks. */
  void backTo(DatanodeInfo node);
}
