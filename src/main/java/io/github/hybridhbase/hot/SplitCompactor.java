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
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.compactions.AbstractMultiOutputCompactor;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionProgress;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;

/** HBase's own compactor, which splits the output of a compaction that has a {@link Split}. */
@InterfaceAudience.Private
public final class SplitCompactor extends DefaultCompactor {
  private final Supplier<Optional<Split>> splits;
  private final TwoOutputs twoOutputs;

  /**
   * Makes the compactor of a store.
   *
   * @param splits the split of the compaction that runs on the calling thread; empty for one output
   */
  public SplitCompactor(Configuration conf, HStore store, Supplier<Optional<Split>> splits) {
    super(conf, store);
    this.splits = splits;
    this.twoOutputs = new TwoOutputs(conf, store);
  }

  @Override
  public List<Path> compact(
      CompactionRequestImpl request, ThroughputController throughputController, User user)
      throws IOException {
    Optional<Split> split = splits.get();
    return split.isEmpty()
        ? super.compact(request, throughputController, user)
        : twoOutputs.compact(split.get(), request, throughputController, user);
  }

  @Override
  public CompactionProgress getProgress() {
    CompactionProgress one = super.getProgress();
    CompactionProgress two = twoOutputs.getProgress();
    CompactionProgress both =
        new CompactionProgress(one.getTotalCompactingKVs() + two.getTotalCompactingKVs());
    both.currentCompactedKVs = one.getCurrentCompactedKvs() + two.getCurrentCompactedKvs();
    both.totalCompactedSize = one.getTotalCompactedSize() + two.getTotalCompactedSize();
    return both;
  }

  @Override
  public boolean isCompacting() {
    return super.isCompacting() || twoOutputs.isCompacting();
  }

  /** The compactor for two outputs: HBase has that in another branch of its class tree. */
  private static final class TwoOutputs extends AbstractMultiOutputCompactor<SplitWriter> {
    TwoOutputs(Configuration conf, HStore store) {
      super(conf, store);
    }

    List<Path> compact(
        Split split,
        CompactionRequestImpl request,
        ThroughputController throughputController,
        User user)
        throws IOException {
      return compact(
          request,
          defaultScannerFactory,
          (scanner, details, dropBehind, major, tracker) -> {
            SplitWriter writer = new SplitWriter(split, store.getFileSystem());
            initMultiWriter(writer, scanner, details, dropBehind, major, tracker);
            writer.begin();
            return writer;
          },
          throughputController,
          user);
    }

    @Override
    protected List<Path> commitWriter(
        SplitWriter writer, FileDetails details, CompactionRequestImpl request) throws IOException {
      return writer.commit(details.maxSeqId, request.isAllFiles(), request.getFiles());
    }
  }
}
