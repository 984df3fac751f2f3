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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.FileBlocks;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a number of files add up to. Bytes are of replicas: a file of 10 bytes with three replicas
 * counts 30. Not thread-safe.
 */
@InterfaceAudience.Private
public final class ByteTotals {
  private long files;
  private long ssdBytes;
  private long diskBytes;
  private long otherBytes;
  private long misplacedFiles;
  private long misplacedBytes;
  private long underReplicatedBlocks;

  /**
   * Adds one file.
   *
   * @param wanted the policy its replicas should follow; {@link StoragePolicy#NONE} for any
   */
  public void add(FileBlocks file, StoragePolicy wanted) {
    files++;
    long ssd = file.bytes(StorageType.SSD);
    long disk = file.bytes(StorageType.DISK);
    ssdBytes += ssd;
    diskBytes += disk;
    otherBytes += file.blocks().stream().mapToLong(b -> b.length() * b.replicas().size()).sum();
    otherBytes -= ssd + disk;
    if (file.misplaced(wanted) > 0) {
      misplacedFiles++;
      misplacedBytes += file.misplacedBytes(wanted);
    }
    underReplicatedBlocks += file.underReplicatedBlocks();
  }

  /** Files. */
  public long files() {
    return files;
  }

  /** Bytes of replicas on SSD. */
  public long ssdBytes() {
    return ssdBytes;
  }

  /** Bytes of replicas on DISK. */
  public long diskBytes() {
    return diskBytes;
  }

  /** Bytes of replicas on any other medium. */
  public long otherBytes() {
    return otherBytes;
  }

  /** Bytes of all replicas. */
  public long bytes() {
    return ssdBytes + diskBytes + otherBytes;
  }

  /** Files with a replica on a medium that is not wanted. */
  public long misplacedFiles() {
    return misplacedFiles;
  }

  /** Bytes of replicas on a medium that is not wanted. */
  public long misplacedBytes() {
    return misplacedBytes;
  }

  /** Blocks with fewer replicas than asked for. */
  public long underReplicatedBlocks() {
    return underReplicatedBlocks;
  }
}
