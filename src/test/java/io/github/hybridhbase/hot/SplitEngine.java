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

import io.github.hybridhbase.hot.HotFiles.PairPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreEngine.IOExceptionRunnable;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HBase's store engine with the plugin's compactor and nothing else of the plugin: splits every
 * compaction by a hash of the row, and compacts the files that a test names.
 */
@InterfaceAudience.Private
public class SplitEngine extends DefaultStoreEngine {
  /** One row in so many is hot, by a hash; 0 for none split. */
  static final String ONE_IN = "test.hot.one.in";

  /** Added to the hash. */
  static final String SALT = "test.hot.salt";

  /** Whether the rows of a store's hot files are hot instead, if it has any. */
  static final String BY_FILTER = "test.hot.by.filter";

  /** Of the compaction that runs. */
  private Split split;

  /** What the next compaction takes. */
  volatile List<HStoreFile> next = List.of();

  /** Whether compactions are split. */
  volatile boolean splits = true;

  /** Run around the compaction's marker and its swap in memory. */
  volatile Marker marker = IOExceptionRunnable::run;

  /** Steps around the writing of a marker. */
  interface Marker {
    void write(IOExceptionRunnable writer) throws IOException;
  }

  static boolean isHot(byte[] row, int oneIn, long salt) {
    return Math.floorMod(HeatSketch.mix(HeatSketch.hash(row) + salt), oneIn) == 0;
  }

  @Override
  protected void createCompactor(Configuration of, HStore store) throws IOException {
    super.createCompactor(of, store);
    int oneIn = of.getInt(ONE_IN, 0);
    long salt = of.getLong(SALT, 0);
    Predicate<byte[]> hot = row -> isHot(row, oneIn, salt);
    boolean byFilter = of.getBoolean(BY_FILTER, false);
    if (oneIn > 0) {
      compactor =
          new SplitCompactor(
              of,
              store,
              () -> {
                if (!splits) {
                  return Optional.empty();
                }
                Predicate<byte[]> had =
                    byFilter ? HotFiles.rows(store.getStorefiles()) : HotFiles.NONE;
                split = new Split(had == HotFiles.NONE ? hot : had, 1_000, Long.MAX_VALUE);
                return Optional.of(split);
              });
      HotBlocks.over(
          of,
          store.getColumnFamilyDescriptor().getBlocksize(),
          () -> split != null && split.makesHot());
    }
  }

  @Override
  protected void createCompactionPolicy(Configuration of, HStore store) throws IOException {
    super.createCompactionPolicy(of, store);
    if (of.getInt(ONE_IN, 0) > 0) {
      compactionPolicy = new PairPolicy(of, store);
    }
  }

  @Override
  public CompactionContext createCompaction() {
    CompactionContext inner = super.createCompaction();
    return new CompactionContext() {
      @Override
      public List<HStoreFile> preSelect(List<HStoreFile> filesCompacting) {
        return inner.preSelect(filesCompacting);
      }

      @Override
      public boolean select(
          List<HStoreFile> filesCompacting,
          boolean isUserCompaction,
          boolean mayUseOffPeak,
          boolean forceMajor) {
        Collection<HStoreFile> there = getStoreFileManager().getStoreFiles();
        List<HStoreFile> files = new ArrayList<>(next);
        files.retainAll(there);
        boolean all = files.size() == there.size();
        request = new CompactionRequestImpl(files);
        request.setIsMajor(all, all);
        inner.forceSelect(request);
        return true;
      }

      @Override
      public List<Path> compact(ThroughputController throughputController, User user)
          throws IOException {
        return inner.compact(throughputController, user);
      }
    };
  }

  @Override
  public List<HStoreFile> commitStoreFiles(List<Path> files, boolean isCompaction, boolean validate)
      throws IOException {
    SplitCompactor.Commit hbases = some -> super.commitStoreFiles(some, isCompaction, validate);
    return compactor instanceof SplitCompactor
        ? ((SplitCompactor) compactor).commit(files, hbases)
        : hbases.of(files);
  }

  @Override
  public void replaceStoreFiles(
      Collection<HStoreFile> compactedFiles,
      Collection<HStoreFile> newFiles,
      IOExceptionRunnable walMarkerWriter,
      Runnable actionUnderLock)
      throws IOException {
    super.replaceStoreFiles(
        compactedFiles, newFiles, () -> marker.write(walMarkerWriter), actionUnderLock);
  }
}
