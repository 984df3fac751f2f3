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
import java.util.LongSummaryStatistics;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
   * HBase's default policy, in which a hot file goes with its cold file: alone it would be written
   * anew by each minor compaction of young files, the pair without end where {@code compaction.min}
   * is 2, and an idle pair by periodic major compactions.
   */
  public static final class PairPolicy extends ExploringCompactionPolicy {
    public PairPolicy(Configuration conf, StoreConfigInformation store) {
      super(conf, store);
    }

    @Override
    public boolean needsCompaction(
        Collection<HStoreFile> storeFiles, List<HStoreFile> filesCompacting) {
      return super.needsCompaction(cold(storeFiles), cold(filesCompacting));
    }

    private static List<HStoreFile> cold(Collection<HStoreFile> files) {
      return files.stream().filter(file -> !isOn(file)).collect(Collectors.toList());
    }

    @Override
    protected void filterBulk(ArrayList<HStoreFile> candidates) {
      super.filterBulk(candidates);
      candidates.removeIf(HotFiles::isOn);
    }

    /** Adds the hot files of the cold ones that HBase has chosen. */
    @Override
    protected CompactionRequestImpl createCompactionRequest(
        ArrayList<HStoreFile> candidates, boolean major, boolean offPeak, boolean stuck)
        throws IOException {
      List<HStoreFile> all = new ArrayList<>(candidates);
      keep(all, super.createCompactionRequest(candidates, major, offPeak, stuck).getFiles());
      return new CompactionRequestImpl(all);
    }

    /** Leaves out the newest cold files, and what is as new. */
    @Override
    protected void removeExcessFiles(
        ArrayList<HStoreFile> candidates, boolean userCompaction, boolean major) {
      ArrayList<HStoreFile> left = new ArrayList<>(cold(candidates));
      super.removeExcessFiles(left, userCompaction, major);
      if (!left.containsAll(cold(candidates))) {
        keep(candidates, left);
      }
    }

    /** Leaves what is chosen, and the hot files of it. */
    private static void keep(List<HStoreFile> files, Collection<HStoreFile> chosen) {
      LongSummaryStatistics span =
          chosen.stream().mapToLong(HStoreFile::getMaxSequenceId).summaryStatistics();
      files.removeIf(
          file ->
              isOn(file)
                  ? file.getMaxSequenceId() < span.getMin()
                      || file.getMaxSequenceId() > span.getMax()
                  : !chosen.contains(file));
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
      return files.stream().anyMatch(HotFiles::isOn)
          && files.stream().allMatch(HStoreFile::isMajorCompactionResult)
          && files.stream().mapToLong(HStoreFile::getMaxSequenceId).distinct().count() == 1;
    }
  }
}
