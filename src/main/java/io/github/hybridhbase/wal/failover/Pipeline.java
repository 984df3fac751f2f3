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
import java.util.ArrayList;
import java.util.List;
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

  /** Empty if unknown. */
  public static List<StorageType> media(DatanodeInfo[] pipeline) {
    List<StorageType> media = new ArrayList<>();
    if (pipeline != null) {
      for (DatanodeInfo replica : pipeline) {
        StorageType type =
            replica instanceof DatanodeInfoWithStorage
                ? ((DatanodeInfoWithStorage) replica).getStorageType()
                : null;
        media.add(type == null ? StorageType.DEFAULT : type);
      }
    }
    return media;
  }

  /** False if unknown. No allocation. */
  public static boolean everyReplicaOnSsd(DatanodeInfo[] pipeline) {
    if (unknown(pipeline)) {
      return false;
    }
    for (DatanodeInfo replica : pipeline) {
      if (!(replica instanceof DatanodeInfoWithStorage)
          || ((DatanodeInfoWithStorage) replica).getStorageType() != StorageType.SSD) {
        return false;
      }
    }
    return true;
  }

  private static boolean unknown(DatanodeInfo[] pipeline) {
    return pipeline == null || pipeline.length == 0;
  }

  /** Changes when a DataNode fails. Empty before the first block, after close, and without HDFS. */
  public static DatanodeInfo[] of(FSDataOutputStream stream) {
    OutputStream wrapped = unwrapped(stream);
    if (!(wrapped instanceof DFSOutputStream)) {
      return UNKNOWN;
    }
    DatanodeInfo[] pipeline = ((DFSOutputStream) wrapped).getPipeline();
    return pipeline == null ? UNKNOWN : pipeline;
  }

  private static OutputStream unwrapped(FSDataOutputStream stream) {
    OutputStream wrapped = stream == null ? null : stream.getWrappedStream();
    return wrapped instanceof CryptoOutputStream
        ? ((CryptoOutputStream) wrapped).getWrappedStream()
        : wrapped;
  }
}
