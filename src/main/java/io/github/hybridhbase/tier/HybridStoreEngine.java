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

import io.github.hybridhbase.hdfs.HdfsError;
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
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.monitoring.MonitoredTask;
import org.apache.hadoop.hbase.regionserver.CreateStoreFileWriterParams;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;
import org.apache.hadoop.hbase.regionserver.compactions.ExploringCompactionPolicy;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A {@link DefaultStoreEngine} that lets the server's SSD tier place each new file. Acts as its
 * parent until the region is open and the tier serves the store, and after any failure. Set by
 * {@link TierService#engineInto}.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridStoreEngine extends DefaultStoreEngine {
  /** Null if HBase lacks this form. */
  private static final MethodHandle SHORT_COMMIT = CommitForm.shortForm(MethodHandles.lookup());

  private static final ThreadLocal<Set<String>> ASKING = new ThreadLocal<>();

  /** {@code StoreFileWriter.ENABLE_HISTORICAL_COMPACTION_FILES}. */
  private static final String HISTORICAL_FILES = "hbase.enable.historical.compaction.files";

  private HStore store;
  private Configuration storeConf;

  /**
   * A {@link DefaultStoreFlusher} that reports failures and, once more, writes a system store's
   * file that SSD refused: HBase may not retry ({@code hbase.hstore.flush.retries.number}).
   */
  private final class Flusher extends DefaultStoreFlusher {
    private volatile boolean writing;

    Flusher(Configuration conf, HStore store) {
      super(conf, store);
    }

    @Override
    public List<Path> flushSnapshot(
        MemStoreSnapshot snapshot,
        long cacheFlushId,
        MonitoredTask status,
        ThroughputController throughputController,
        FlushLifeCycleTracker tracker,
        Consumer<Path> writerCreationTracker)
        throws IOException {
      writing = false;
      try {
        return super.flushSnapshot(
            snapshot, cacheFlushId, status, throughputController, tracker, writerCreationTracker);
      } catch (IOException | RuntimeException | Error e) {
        flushFailed(kind(e, writing));
        if (!writing || system == null || !system.failed("a flush", e)) {
          throw e;
        }
        return super.flushSnapshot(
            snapshot, cacheFlushId, status, throughputController, tracker, writerCreationTracker);
      }
    }
  }

  /** Before the writer exists SSD cannot be the cause. */
  static HdfsError.Kind kind(Throwable cause, boolean writing) {
    HdfsError.Kind kind = HdfsError.of(cause).kind();
    return kind.mayBeSsds() && !writing ? HdfsError.Kind.OTHER : kind;
  }

  /** Null in a store of users. */
  private volatile SystemFiles system;

  /** Null until the store is served. */
  private volatile TierStore tiered;

  volatile SsdTier tier;

  @Override
  protected void createCompactor(Configuration conf, HStore of) throws IOException {
    super.createCompactor(conf, of);
    if (compactor.getClass() == DefaultCompactor.class && splits(conf)) {
      TierCompaction.guarded(
          () -> {
            compactor = new SplitCompactor(conf, of, () -> TierCompaction.runningSplit(this));
            HotBlocks.over(
                conf,
                of.getColumnFamilyDescriptor().getBlocksize(),
                () -> TierCompaction.runningSplit(this).filter(Split::makesHot).isPresent());
          });
    }
  }

  @Override
  protected void createCompactionPolicy(Configuration conf, HStore of) throws IOException {
    super.createCompactionPolicy(conf, of);
    if (compactionPolicy.getClass() == ExploringCompactionPolicy.class && splits(conf)) {
      TierCompaction.guarded(() -> compactionPolicy = new PairPolicy(conf, of));
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
    super.createComponents(conf, of, comparator);
    this.store = of;
    this.storeConf = conf;
    if (storeFlusher.getClass() == DefaultStoreFlusher.class) {
      TierCompaction.guarded(() -> storeFlusher = new Flusher(conf, of));
    }
    TierCompaction.guarded(() -> system = SystemFiles.of(of, conf).orElse(null));
  }

  private void flushFailed(HdfsError.Kind cause) {
    TierStore at = tiered;
    if (at != null) {
      TierCompaction.guarded(() -> tier.flushFailed(at, cause.mayBeSsds()));
    }
  }

  /** See {@link TierService#engineInto}. */
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
    if (tiered != null) {
      return;
    }
    Optional<StoreTierConfig> config =
        StoreTierConfig.of(
            store, storeConf, settings, requireWritingToTmpDirFirst(), compactionPolicy);
    if (config.isEmpty()) {
      return;
    }
    TierStore served = new TierStore(store, config.get(), with.newExit(), this::compacting);
    if (config.get().hotPolicy.wantsSsd() && whyNotSplit().isEmpty()) {
      served.hot(
          new HotStore(
              store,
              HybridKeys.HOT_SHARE.get(storeConf),
              StoreTierConfig.replication(store, storeConf),
              store.getMemStoreFlushSize(),
              file -> served.bytesOnSsd(file) > 0));
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
    if (!(compactor instanceof SplitCompactor) || !(compactionPolicy instanceof PairPolicy)) {
      return "its compactor or its compaction policy is not HBase's default, or this HBase has"
          + " another form of them";
    }
    return ((PairPolicy) compactionPolicy).whyNot();
  }

  Optional<HotStore> hot() {
    return served().map(TierStore::hot);
  }

  Optional<TierStore> served() {
    return Optional.ofNullable(tiered);
  }

  /** Before another server opens the store. */
  void detach() {
    TierStore was = tiered;
    tiered = null;
    if (was != null) {
      tier.detach(was);
    }
  }

  static boolean isServed(HStore store) {
    return store.getStoreEngine() instanceof HybridStoreEngine
        && ((HybridStoreEngine) store.getStoreEngine()).isServed();
  }

  boolean isServed() {
    TierStore at = tiered;
    return at != null && at.serves() && tier.open();
  }

  @Override
  public StoreFileWriter createWriter(CreateStoreFileWriterParams params) throws IOException {
    if (!params.isCompaction() && storeFlusher instanceof Flusher) {
      ((Flusher) storeFlusher).writing = true;
    }
    TierStore at = tiered;
    if (at == null && system == null) {
      return super.createWriter(params);
    }
    AtomicBoolean placed = new AtomicBoolean();
    params.writerCreationTracker(
        beforeFirst(
            file -> TierCompaction.guarded(() -> placed.set(place(at, file, params))),
            params.writerCreationTracker()));
    StoreFileWriter writer = super.createWriter(params);
    if (placed.get()) {
      TierCompaction.guarded(() -> opened(at, writer));
    }
    return writer;
  }

  /**
   * HBase passes each path before it creates the file: the live file first, then perhaps a
   * historical one.
   */
  private static Consumer<Path> beforeFirst(Consumer<Path> place, Consumer<Path> tracker) {
    AtomicBoolean first = new AtomicBoolean(true);
    return file -> {
      if (first.compareAndSet(true, false)) {
        place.accept(file);
      }
      if (tracker != null) {
        tracker.accept(file);
      }
    };
  }

  private boolean place(TierStore at, Path file, CreateStoreFileWriterParams params)
      throws IOException {
    if (params.fileStoragePolicy() != null && !params.fileStoragePolicy().isEmpty()) {
      return false;
    }
    if (system != null) {
      system.place(file);
      return false; // the tier neither charges nor rewrites it
    }
    if (!params.isCompaction()) {
      long bytes = store.getSnapshotSize().getDataSize() * at.config.replicas;
      return tier.place(at, file, new NewStoreFile(NewStoreFile.Kind.FLUSH, bytes, 0, 0));
    }
    Optional<TierCompaction> running = TierCompaction.running(this);
    return running.isPresent() && placeOutput(at, file, running.get());
  }

  private boolean placeOutput(TierStore at, Path file, TierCompaction running) throws IOException {
    boolean placed = false;
    try {
      NewStoreFile output =
          running.newFile(at.config, hotOnSsd(at, running.getRequest().getFiles()));
      placed = tier.place(at, file, output);
    } finally {
      if (placed) {
        running.placed(file);
      } else {
        hotIsNotPlaced();
      }
    }
    return placed;
  }

  private void hotIsNotPlaced() {
    TierCompaction.runningSplit(this).filter(Split::makesHot).ifPresent(Split::notPlaced);
  }

  private void opened(TierStore at, StoreFileWriter writer) throws IOException {
    if (tier.isCreated(at, writer.getPath())) {
      TierStore.mark(writer);
    } else {
      hotIsNotPlaced();
    }
  }

  private static long hotOnSsd(TierStore at, Collection<HStoreFile> files) {
    return files.stream().filter(HotFiles::isOn).mapToLong(at::bytesOnSsd).sum();
  }

  private Optional<Split> split(CompactionRequestImpl request, boolean leavesSsd) {
    TierStore at = tiered;
    HotStore hot = at == null ? null : at.hot();
    if (hot == null) {
      return Optional.empty();
    }
    long room = tier.hotRoom(at, hotOnSsd(at, request.getFiles()));
    return hot.split(request, leavesSsd, room, at.config.hotReplicas);
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
      report(files, committed);
    }
  }

  /**
   * @param committed null if the commit failed
   */
  private void report(List<Path> files, List<HStoreFile> committed) {
    TierStore at = tiered;
    if (at == null) {
      return;
    }
    TierCompaction.guarded(
        () -> {
          if (committed == null) {
            if (files.size() > 1 && at.hot() != null) {
              at.hot().commitFailed();
            }
            files.forEach(file -> tier.failed(at, file, false));
            return;
          }
          if (committed.stream().anyMatch(HotFiles::isOn)) {
            HybridMetrics.get().count(Metric.HOT_SPLITS);
          }
          committed.forEach(
              file ->
                  tier.committed(at, file.getPath(), HotFiles.length(file), at.bytesOnSsd(file)));
        });
  }

  @Override
  public CompactionContext createCompaction() {
    return new TierCompaction(
        this,
        store,
        super.createCompaction(),
        served().orElse(null),
        this::split,
        this::compactionFailed);
  }

  private void compactionFailed(List<Path> placed, Throwable cause) {
    if (system != null) {
      TierCompaction.guarded(() -> system.failed("a compaction", cause));
    }
    TierStore at = tiered;
    if (at != null) {
      TierCompaction.guarded(
          () -> {
            boolean refused = HdfsError.of(cause).kind().mayBeSsds();
            placed.forEach(file -> tier.failed(at, file, refused));
          });
    }
  }

  private Set<String> compacting() {
    Set<String> names = new HashSet<>();
    ASKING.set(names);
    try {
      // HBase passes them only to its engine's needsCompaction.
      store.needsCompaction();
    } finally {
      ASKING.remove();
    }
    return names;
  }

  @Override
  public boolean needsCompaction(List<HStoreFile> filesCompacting) {
    Set<String> names = ASKING.get();
    if (names != null) {
      filesCompacting.forEach(file -> names.add(file.getPath().getName()));
    }
    return super.needsCompaction(filesCompacting);
  }
}
