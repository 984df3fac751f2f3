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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreConfigInformation;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.compactions.ExploringCompactionPolicy;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HBase's default choice of files to compact, for a store whose compactions may be split. A hot
 * file and its cold file count as one: otherwise a store with {@code compaction.min} of 2 would
 * compact the pair without end, and the periodic major compaction would rewrite an idle pair,
 * though HBase spares a single file.
 */
@InterfaceAudience.Private
public final class PairPolicy extends ExploringCompactionPolicy {
  /** More hot files do not raise the threshold: HBase has to merge them soon. */
  private static final int MOST = 2;

  private final int least;

  public PairPolicy(Configuration conf, StoreConfigInformation store) {
    super(conf, store);
    least = comConf.getMinFilesToCompact();
  }

  private void threshold(Collection<HStoreFile> files) {
    setMinThreshold(least + Math.min(MOST, HotFiles.count(files)));
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
