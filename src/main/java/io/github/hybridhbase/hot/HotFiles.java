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

import io.github.hybridhbase.runtime.Failures;
import java.io.DataInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreConfigInformation;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.compactions.ExploringCompactionPolicy;
import org.apache.hadoop.hbase.util.BloomFilter;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.yetus.audience.InterfaceAudience;

/** The files of hot rows, marked in their metadata by a key that HBase ignores. */
@InterfaceAudience.Private
public final class HotFiles {
  private static final String KEY = "HYBRID_HOT_ROWS";

  /** HBase's default rate of false positives. */
  static final double FALSE_ROWS = 0.01;

  static final Predicate<byte[]> NONE = row -> false;

  private HotFiles() {}

  static void put(StoreFileWriter writer) throws IOException {
    writer.appendFileInfo(key(), new byte[] {1});
  }

  private static byte[] key() {
    return KEY.getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether it is marked; false for a reference. */
  public static boolean isOn(HStoreFile file) {
    return !file.isReference() && file.getMetadataValue(key()) != null;
  }

  /** As {@link #isOn}, true for references too. */
  public static boolean isIn(HStoreFile file) {
    return file.getMetadataValue(key()) != null;
  }

  /** 0 if HBase has closed the file meanwhile. */
  public static long length(HStoreFile file) {
    StoreFileReader reader = file.getReader();
    return reader == null ? 0 : reader.length();
  }

  static int count(Collection<HStoreFile> files) {
    return (int) files.stream().filter(HotFiles::isOn).count();
  }

  /**
   * The rows of the hot files among these or referred to, by Bloom filters, with 1 % false
   * positives; {@link #NONE} if there is none. Takes microseconds per row. An unreadable filter has
   * no row.
   */
  static Predicate<byte[]> rows(Collection<HStoreFile> files) {
    List<BloomFilter> found = new ArrayList<>();
    for (HStoreFile file : files) {
      StoreFileReader reader = isIn(file) ? file.getReader() : null;
      try {
        BloomFilter filter = reader == null ? null : filter(reader.getHFileReader());
        if (filter != null) {
          found.add(filter);
        }
      } catch (IOException | RuntimeException e) {
        unreadable(e);
      }
    }
    return found.isEmpty() ? NONE : row -> found.stream().anyMatch(filter -> pass(filter, row));
  }

  private static BloomFilter filter(HFile.Reader reader) throws IOException {
    DataInput filter = reader.getGeneralBloomFilterMetadata();
    return filter == null ? null : BloomFilterFactory.createFromMeta(filter, reader);
  }

  private static void unreadable(Exception e) {
    Failures.swallowed("A hot file's filter could not be read; its rows count as cold.", e);
  }

  private static boolean pass(BloomFilter filter, byte[] row) {
    try {
      return filter.contains(row, 0, row.length, null);
    } catch (RuntimeException e) {
      unreadable(e);
      return false;
    }
  }

  /**
   * HBase's default policy with a hot file and its cold file as one: else {@code compaction.min} of
   * 2 would compact the pair without end, and periodic major compactions an idle pair.
   */
  public static final class PairPolicy extends ExploringCompactionPolicy {
    /** More hot files do not raise the threshold: HBase has to merge them soon. */
    private static final int MOST = 2;

    /** Without hot files. */
    private int least;

    public PairPolicy(Configuration conf, StoreConfigInformation store) {
      super(conf, store);
      least = comConf.getMinFilesToCompact();
    }

    /** After {@code update_config}. */
    @Override
    public synchronized void setConf(Configuration conf) {
      super.setConf(conf);
      least = comConf.getMinFilesToCompact();
    }

    /** Why hot files would prevent compactions; empty if they would not. */
    public String whyNot() {
      return comConf.getMaxFilesToCompact() >= least + MOST
          ? ""
          : "hbase.hstore.compaction.max is not above hbase.hstore.compaction.min by " + MOST;
    }

    private synchronized void threshold(Collection<HStoreFile> files) {
      int most = Math.max(least, comConf.getMaxFilesToCompact()); // HBase chooses none above it
      setMinThreshold(Math.min(most, least + Math.min(MOST, HotFiles.count(files))));
    }

    @Override
    public boolean needsCompaction(
        Collection<HStoreFile> storeFiles, List<HStoreFile> filesCompacting) {
      threshold(storeFiles);
      return super.needsCompaction(storeFiles, filesCompacting);
    }

    @Override
    public CompactionRequestImpl selectCompaction(
        Collection<HStoreFile> candidateFiles,
        List<HStoreFile> filesCompacting,
        boolean isUserCompaction,
        boolean mayUseOffPeak,
        boolean forceMajor)
        throws IOException {
      threshold(candidateFiles);
      return super.selectCompaction(
          candidateFiles, filesCompacting, isUserCompaction, mayUseOffPeak, forceMajor);
    }

    @Override
    public boolean shouldPerformMajorCompaction(Collection<HStoreFile> files) throws IOException {
      if (!isPair(files)) {
        return super.shouldPerformMajorCompaction(files);
      }
      for (HStoreFile file : new ArrayList<>(files)) {
        if (super.shouldPerformMajorCompaction(List.of(file))) {
          return true;
        }
      }
      return false;
    }

    /** The output of one compaction of a whole store. */
    private static boolean isPair(Collection<HStoreFile> files) {
      return files != null
          && files.size() > 1
          && HotFiles.count(files) > 0
          && files.stream().allMatch(HStoreFile::isMajorCompactionResult)
          && files.stream().mapToLong(HStoreFile::getMaxSequenceId).distinct().count() == 1;
    }
  }
}
