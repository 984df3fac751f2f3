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
package io.github.hybridhbase.hot;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Blocks per second that clients read from HDFS, of a store's files on DISK and on SSD, and
 * single-row reads: the mean of about the last thousand. Includes a DataNode's page cache, not
 * compactions. One thread.
 */
@InterfaceAudience.Private
final class StoreReads {
  /** Known to 3 %. Older ones count by half. */
  private static final int SAMPLE = 1_000;

  private final double blockBytes;
  private final double hotBlockBytes;
  private final Predicate<HStoreFile> onSsd;
  private Map<String, Long> before = new HashMap<>();
  private int getsBefore;
  private long lookedNanos;
  private boolean looked;
  private double seconds;
  private double disk;
  private double ssd;
  private double gets;

  /** Blocks. */
  double diskPerSecond;

  /** Blocks. */
  double ssdPerSecond;

  /** Single-row reads. */
  double getsPerSecond;

  StoreReads(int blockBytes, Predicate<HStoreFile> onSsd) {
    this.blockBytes = Math.max(1, blockBytes);
    this.hotBlockBytes = Math.max(1, HotBlocks.bytes(blockBytes));
    this.onSsd = onSsd;
  }

  /**
   * @param allGets wraps around
   */
  void look(Collection<HStoreFile> files, int allGets, long nowNanos) {
    Map<String, Long> now = new HashMap<>();
    for (HStoreFile file : files) {
      StoreFileReader reader = file.getReader();
      if (reader == null) {
        continue; // closed
      }
      String name = file.getPath().getName();
      long bytes = bytes(reader.getHFileReader().getContext());
      now.put(name, bytes);
      double read =
          Math.max(0, bytes - before.getOrDefault(name, looked ? 0 : bytes))
              / (HotFiles.isOn(file) ? hotBlockBytes : blockBytes);
      if (onSsd.test(file)) {
        ssd += read;
      } else {
        disk += read;
      }
    }
    if (looked) {
      gets += allGets - getsBefore;
      seconds += Math.max(0, nowNanos - lookedNanos) / 1e9;
    }
    diskPerSecond = disk / Math.max(1e-9, seconds);
    ssdPerSecond = ssd / Math.max(1e-9, seconds);
    getsPerSecond = gets / Math.max(1e-9, seconds);
    if (disk + ssd + gets >= 2 * SAMPLE) {
      disk /= 2;
      ssd /= 2;
      gets /= 2;
      seconds /= 2;
    }
    before = now;
    getsBefore = allGets;
    lookedNanos = nowNanos;
    looked = true;
  }

  /** Blocks. */
  double perSecond() {
    return diskPerSecond + ssdPerSecond;
  }

  /** Since HBase opened the file; 0 if it is not HDFS's. */
  private static long bytes(ReaderContext file) {
    FSDataInputStreamWrapper streams = file.getInputStreamWrapper();
    FSDataInputStream checked = streams.getStream(false);
    FSDataInputStream unchecked = streams.getStream(true);
    return bytes(checked) + (unchecked == checked ? 0 : bytes(unchecked));
  }

  private static long bytes(FSDataInputStream stream) {
    return stream instanceof HdfsDataInputStream
        ? ((HdfsDataInputStream) stream).getReadStatistics().getTotalBytesRead()
        : 0;
  }
}
