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
import java.util.Locale;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A running sum over files, in bytes of all replicas: a file of 10 bytes with three replicas counts
 * 30. Misplaced are replicas on a medium that the wanted policy excludes. Not thread-safe.
 */
@InterfaceAudience.Private
public final class ByteTotals {
  private long files;
  private long ssdFiles;
  private long mixedFiles;
  private long ssdBytes;
  private long diskBytes;
  private long otherBytes;
  private long misplacedFiles;
  private long misplacedBytes;
  private long underReplicatedBlocks;

  /**
   * Adds one file.
   *
   * @param wanted the policy to follow; {@link StoragePolicy#NONE} accepts any medium
   */
  public void add(FileBlocks file, StoragePolicy wanted) {
    files++;
    long onSsd = file.replicas(StorageType.SSD);
    if (onSsd > 0) {
      ssdFiles += onSsd == file.replicas() ? 1 : 0;
      mixedFiles += onSsd < file.replicas() ? 1 : 0;
    }
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

  public long files() {
    return files;
  }

  public long ssdFiles() {
    return ssdFiles;
  }

  public long mixedFiles() {
    return mixedFiles;
  }

  /** Files by medium, since the length of an open file is not known. */
  public String byMedium() {
    return String.format(
        Locale.ROOT,
        "%,d, of which %,d on SSD, %,d in part, %,d not",
        files,
        ssdFiles,
        mixedFiles,
        files - ssdFiles - mixedFiles);
  }

  public long ssdBytes() {
    return ssdBytes;
  }

  public long diskBytes() {
    return diskBytes;
  }

  public long otherBytes() {
    return otherBytes;
  }

  public long bytes() {
    return ssdBytes + diskBytes + otherBytes;
  }

  public long misplacedFiles() {
    return misplacedFiles;
  }

  public long misplacedBytes() {
    return misplacedBytes;
  }

  public long underReplicatedBlocks() {
    return underReplicatedBlocks;
  }
}
