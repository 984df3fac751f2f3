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
package io.github.hybridhbase.tier;

import io.github.hybridhbase.hot.HotBlocks;
import io.github.hybridhbase.hot.HotFiles;
import io.github.hybridhbase.hot.HotFiles.PairPolicy;
import io.github.hybridhbase.hot.HotStore;
import io.github.hybridhbase.hot.Split;
import io.github.hybridhbase.hot.SplitCompactor;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.regionserver.CreateStoreFileWriterParams;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;
import org.apache.hadoop.hbase.regionserver.compactions.ExploringCompactionPolicy;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A {@link DefaultStoreEngine} that lets the server's SSD tier place each new file. Acts as its
 * parent until the region is open and the tier serves the store, and after any failure. Set by
 * {@link #nameIn}.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridStoreEngine extends DefaultStoreEngine {
  /** Null if HBase lacks this form. */
  private static final MethodHandle SHORT_COMMIT = CommitForm.shortForm(MethodHandles.lookup());

  /** {@code StoreFileWriter.ENABLE_HISTORICAL_COMPACTION_FILES}. */
  private static final String HISTORICAL_FILES = "hbase.enable.historical.compaction.files";

  private static final String FLUSH_ATTEMPTS = "hbase.hstore.flush.retries.number";

  private HStore store;
  private Configuration storeConf;

  /** Null in a store of users. */
  private volatile SystemFiles system;

  /** Null until the store is served. */
  volatile TierStore tiered;

  volatile SsdTier tier;

  /** HBase has created its compactor before. */
  @Override
  protected void createCompactionPolicy(Configuration conf, HStore of) throws IOException {
    super.createCompactionPolicy(conf, of);
    if (splits(conf)) {
      TierCompaction.guarded(
          () -> {
            if (compactor.getClass() == DefaultCompactor.class
                && compactionPolicy.getClass() == ExploringCompactionPolicy.class) {
              compactionPolicy = new PairPolicy(conf, of);
              compactor = new SplitCompactor(conf, of, () -> TierCompaction.runningSplit(this));
              HotBlocks.over(
                  conf,
                  of.getColumnFamilyDescriptor().getBlocksize(),
                  () -> TierCompaction.runningSplit(this).filter(Split::makesHot).isPresent());
            }
          });
    }
  }

  /** A compactor with two outputs would not commit historical files. */
  private static boolean splits(Configuration conf) {
    return HybridKeys.HOT_POLICY.get(conf).wantsSsd() && !conf.getBoolean(HISTORICAL_FILES, false);
  }

  @Override
  protected void createComponents(Configuration conf, HStore of, CellComparator comparator)
      throws IOException {
    if (conf.getBoolean(HISTORICAL_FILES, false)) {
      // HBase writes historical files only if DefaultStoreEngine is named; super reads the name.
      conf.set(STORE_ENGINE_CLASS_KEY, DefaultStoreEngine.class.getName());
    }
    if (conf.getInt(FLUSH_ATTEMPTS, 2) < 2) {
      conf.setInt(FLUSH_ATTEMPTS, 2); // the second goes to DISK
    }
    super.createComponents(conf, of, comparator);
    this.store = of;
    this.storeConf = conf;
    TierCompaction.guarded(() -> system = SystemFiles.of(of, conf).orElse(null));
  }

  /**
   * Sets this engine for regions that open later, unless the site file, the table or the family
   * names one.
   *
   * <p>Implementation note: HBase makes a region's stores after its observers; {@code
   * reloadConfiguration} keeps the value. In the site file it would prevent {@code
   * ClientSideRegionScanner} without the plugin's jar from reading snapshots.
   *
   * @param server the in-memory configuration
   */
  public static void nameIn(Configuration server) {
    server.setIfUnset(STORE_ENGINE_CLASS_KEY, HybridStoreEngine.class.getName());
  }

  static Optional<HybridStoreEngine> of(Store store) {
    return store instanceof HStore && ((HStore) store).getStoreEngine() instanceof HybridStoreEngine
        ? Optional.of((HybridStoreEngine) ((HStore) store).getStoreEngine())
        : Optional.empty();
  }

  /** No-op if attached: HBase may reload an open region's coprocessors. */
  void attach(SsdTier with, HybridSettings settings) {
    TierStore served =
        tiered == null ? TierStore.of(store, storeConf, settings, this).orElse(null) : null;
    if (served == null) {
      return;
    }
    if (served.hotPolicy.wantsSsd() && whyNotSplit().isEmpty()) {
      served.hot =
          new HotStore(
              store,
              HybridKeys.HOT_SHARE.get(storeConf),
              served.allReplicas,
              store.getMemStoreFlushSize(),
              file -> served.bytesOnSsd(file) > 0,
              ((SplitCompactor) compactor)::isAllRead);
    }
    with.attach(served);
    tier = with;
    tiered = served;
  }

  /** Empty if compactions are split as declared. */
  String whyNotSplit() {
    if (!HybridKeys.HOT_POLICY.get(storeConf).wantsSsd()) {
      return "";
    }
    String off = HotStore.off(store, !BloomFilterFactory.isGeneralBloomEnabled(storeConf));
    if (!off.isEmpty()) {
      return off;
    }
    return compactor instanceof SplitCompactor
        ? ""
        : "its compactor or its compaction policy is not HBase's default, or HBase splits its"
            + " compactions by version";
  }

  /** Before another server opens the store. */
  void detach() {
    TierStore was = tiered;
    tiered = null;
    if (was != null) {
      tier.ledger.detach(was);
    }
  }

  /** Whether new files of the store may go to SSD. */
  static boolean isServed(HStore store) {
    HybridStoreEngine engine = of(store).orElse(null);
    TierStore at = engine == null ? null : engine.tiered;
    return at != null && at.serves() && engine.tier.open();
  }

  @Override
  public StoreFileWriter createWriter(CreateStoreFileWriterParams params) throws IOException {
    TierStore at = tiered;
    if (at == null && system == null) {
      return super.createWriter(params);
    }
    Consumer<Path> tracker = params.writerCreationTracker();
    AtomicBoolean asked = new AtomicBoolean();
    AtomicReference<NewStoreFile> placed = new AtomicReference<>();
    params.writerCreationTracker(
        file -> { // HBase has yet to create it; a historical one may follow
          if (asked.compareAndSet(false, true)) {
            TierCompaction.guarded(() -> placed.set(place(at, file, params)));
          }
          if (tracker != null) {
            tracker.accept(file);
          }
        });
    StoreFileWriter writer = super.createWriter(params);
    if (placed.get() != null) {
      TierCompaction.guarded(() -> opened(at, placed.get(), writer));
    }
    return writer;
  }

  /** Null if the tier does not place it on SSD. */
  private NewStoreFile place(TierStore at, Path file, CreateStoreFileWriterParams params)
      throws IOException {
    if (params.fileStoragePolicy() != null && !params.fileStoragePolicy().isEmpty()) {
      return null;
    }
    if (system != null) {
      system.place(file, !params.isCompaction());
      return null; // the tier neither charges nor rewrites it
    }
    NewStoreFile output =
        params.isCompaction()
            ? TierCompaction.running(this).flatMap(of -> of.newFile(file)).orElse(null)
            : new NewStoreFile(
                NewStoreFile.Kind.FLUSH, store.getSnapshotSize().getDataSize() * at.replicas, 0);
    return output != null && tier.place(at, file, output) ? output : null;
  }

  /** HDFS has created the file, perhaps not under its policy. */
  private void opened(TierStore at, NewStoreFile placed, StoreFileWriter writer)
      throws IOException {
    if (!placed.file.isCarried()) {
      tier.failed(at.key(writer.getPath()), false);
      return;
    }
    writer.appendFileInfo(TierStore.MARK, new byte[] {1});
    TierCompaction.runningSplit(this).ifPresent(split -> split.placed(true));
  }

  @Override
  public List<HStoreFile> commitStoreFiles(List<Path> files, boolean isCompaction, boolean validate)
      throws IOException {
    return commit(files, some -> super.commitStoreFiles(some, isCompaction, validate));
  }

  /** Overrides the form of other HBase lines ({@link CommitForm}). */
  public List<HStoreFile> commitStoreFiles(List<Path> files, boolean validate) throws IOException {
    return commit(files, some -> CommitForm.run(SHORT_COMMIT, this, some, validate));
  }

  private List<HStoreFile> commit(List<Path> files, SplitCompactor.Commit hbases)
      throws IOException {
    List<HStoreFile> committed = null;
    try {
      committed =
          compactor instanceof SplitCompactor
              ? ((SplitCompactor) compactor).commit(files, hbases)
              : hbases.of(files);
      return committed;
    } finally {
      List<HStoreFile> done = committed;
      TierCompaction.guarded(() -> report(files, done));
    }
  }

  /**
   * @param committed null if the commit failed
   */
  private void report(List<Path> files, List<HStoreFile> committed) {
    TierStore at = tiered;
    if (system != null && committed != null) {
      system.committed(files);
    }
    if (at == null) {
      return;
    }
    if (committed == null) {
      at.exit.fails();
      files.forEach(file -> tier.failed(at.key(file), false));
      return;
    }
    if (committed.stream().anyMatch(HotFiles::isOn)) {
      HybridMetrics.get().count(Metric.HOT_SPLITS);
    }
    committed.forEach(
        file -> tier.committed(at, file.getPath(), HotFiles.length(file), at.bytesOnSsd(file)));
  }

  @Override
  public CompactionContext createCompaction() {
    TierStore at = tiered;
    CompactionContext hbases = super.createCompaction();
    return at == null ? hbases : new TierCompaction(this, hbases, at, tier);
  }
}
