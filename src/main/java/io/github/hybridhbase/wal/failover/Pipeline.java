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

import java.io.OutputStream;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The media of a file being written, from the NameNode's allocation ({@code
 * LocatedBlock.getLocations}), without an RPC.
 */
@InterfaceAudience.Private
public final class Pipeline {
  private static final DatanodeInfo[] UNKNOWN = {};

  private Pipeline() {}

  private static StorageType medium(DatanodeInfo replica) {
    StorageType type =
        replica instanceof DatanodeInfoWithStorage
            ? ((DatanodeInfoWithStorage) replica).getStorageType()
            : null;
    return type == null ? StorageType.DEFAULT : type;
  }

  /** Empty if unknown. */
  public static List<StorageType> media(DatanodeInfo[] pipeline) {
    return Stream.of(known(pipeline)).map(Pipeline::medium).collect(Collectors.toList());
  }

  /** False if unknown. No allocation. */
  public static boolean everyReplicaOnSsd(DatanodeInfo[] pipeline) {
    for (DatanodeInfo replica : known(pipeline)) {
      if (medium(replica) != StorageType.SSD) {
        return false;
      }
    }
    return known(pipeline).length > 0;
  }

  /** Changes when a DataNode fails. Empty before the first block, after close, and without HDFS. */
  public static DatanodeInfo[] of(FSDataOutputStream stream) {
    OutputStream wrapped = stream == null ? null : stream.getWrappedStream();
    if (wrapped instanceof CryptoOutputStream) {
      wrapped = ((CryptoOutputStream) wrapped).getWrappedStream();
    }
    return wrapped instanceof DFSOutputStream
        ? known(((DFSOutputStream) wrapped).getPipeline())
        : UNKNOWN;
  }

  private static DatanodeInfo[] known(DatanodeInfo[] pipeline) {
    return pipeline == null ? UNKNOWN : pipeline;
  }
}
