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

import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.regionserver.CreateStoreFileWriterParams;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HBase's own store engine, which asks the server's SSD tier where each new file is to be written.
 *
 * <p>Does nothing else than its parent until the region is open and the SSD tier serves the store;
 * whatever fails in it, the file is written as stock would. {@link TierService#engineInto} names it
 * in the server's memory; a site file that names it in {@code hbase.hstore.engine.class} works too.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridStoreEngine extends DefaultStoreEngine {
  /** Null where HBase has no such form. */
  private static final MethodHandle SHORT_COMMIT = CommitForm.shortForm(MethodHandles.lookup());

  /** Where this thread wants to be told which files are being compacted. */
  private static final ThreadLocal<Set<String>> ASKING = new ThreadLocal<>();

  /** {@code StoreFileWriter.ENABLE_HISTORICAL_COMPACTION_FILES}, from HBase 2.6.1 on. */
  private static final String HISTORICAL_FILES = "hbase.enable.historical.compaction.files";

  private HStore store;
  private Configuration storeConf;

  /** Empty-handed until the SSD tier takes the store in. */
  private volatile Attachment attachment;

  /** Null if the last try of a flush did not fail, or was asked after. */
  private volatile HdfsErrorKind flushFailure;

  /** The tier that serves the store, and what it knows of it. */
  private static final class Attachment {
    private final SsdTier tier;
    private final HBaseStore open;
    private final TrackedStore tracked;

    Attachment(SsdTier tier, StoreTierConfig config, HBaseStore open) {
      this.tier = tier;
      this.open = open;
      this.tracked = tier.attach(config, open);
    }
  }

  @Override
  protected void createComponents(Configuration conf, HStore of, CellComparator comparator)
      throws IOException {
    super.createComponents(conf, of, comparator);
    this.store = of;
    this.storeConf = conf;
    if (storeFlusher.getClass() == DefaultStoreFlusher.class) {
      Guarded.run(() -> storeFlusher = new ReportingFlusher(conf, of, this::flushFailed));
    }
    if (conf.getBoolean(HISTORICAL_FILES, false)) {
      // HBase writes historical files for its own engine alone; this one writes as that one does.
      conf.set(STORE_ENGINE_CLASS_KEY, DefaultStoreEngine.class.getName());
    }
  }

  private void flushFailed(HdfsErrorKind cause) {
    flushFailure = cause;
    Attachment at = attachment;
    if (at != null) {
      Guarded.run(() -> at.tier.flushFailed(at.tracked, cause.mayBeSsds()));
    }
  }

  /**
   * What failed the last try of a store's flush, told once; empty if nothing did, or if the store
   * has another engine, so that nobody knows.
   */
  public static Optional<HdfsErrorKind> flushFailure(Store store) {
    Optional<HybridStoreEngine> engine = of(store);
    Optional<HdfsErrorKind> failure = engine.map(one -> one.flushFailure);
    engine.ifPresent(one -> one.flushFailure = null);
    return failure;
  }

  /**
   * Gives the regions that open from now on this engine, unless the site file names one. A table's
   * or family's own engine wins in any case.
   *
   * @param server the server's own configuration, in memory
   */
  public static void nameIn(Configuration server) {
    server.setIfUnset(STORE_ENGINE_CLASS_KEY, HybridStoreEngine.class.getName());
  }

  /** The plugin's engine of a store; empty if it has another. */
  static Optional<HybridStoreEngine> of(Store store) {
    return store instanceof HStore && ((HStore) store).getStoreEngine() instanceof HybridStoreEngine
        ? Optional.of((HybridStoreEngine) ((HStore) store).getStoreEngine())
        : Optional.empty();
  }

  /**
   * Takes the store into a server's SSD tier, unless nothing of it is the SSD tier's business, or
   * it is there: where HBase loads coprocessors anew, their region is open.
   */
  void attach(SsdTier tier, HybridSettings settings) {
    if (attachment != null) {
      return;
    }
    StoreTierConfigReader.of(
            store, storeConf, settings, requireWritingToTmpDirFirst(), compactionPolicy)
        .ifPresent(
            config ->
                attachment =
                    new Attachment(tier, config, new HBaseStore(store, config, this::compacting)));
  }

  /** Takes it out, before another server opens it. */
  void detach() {
    Attachment was = attachment;
    attachment = null;
    if (was != null) {
      was.tier.detach(was.tracked);
    }
  }

  /** The tier that serves the store; empty where none does. */
  Optional<SsdTier> tier() {
    return Optional.ofNullable(attachment).map(at -> at.tier);
  }

  /** Whether the SSD tier is open and the store's new files may go there when there is space. */
  boolean isServed() {
    Attachment at = attachment;
    return at != null && at.tracked.serves() && at.tier.open();
  }

  @Override
  public StoreFileWriter createWriter(CreateStoreFileWriterParams params) throws IOException {
    if (!params.isCompaction() && storeFlusher instanceof ReportingFlusher) {
      ((ReportingFlusher) storeFlusher).writes();
    }
    StoreFileWriter writer = super.createWriter(params);
    Attachment at = attachment;
    if (at != null) {
      Guarded.run(() -> place(at, writer.getPath(), params));
    }
    return writer;
  }

  private void place(Attachment at, Path file, CreateStoreFileWriterParams params)
      throws IOException {
    if (params.fileStoragePolicy() != null && !params.fileStoragePolicy().isEmpty()) {
      return;
    }
    int replicas = at.tracked.config().replicas();
    if (!params.isCompaction()) {
      long bytes = store.getSnapshotSize().getDataSize() * replicas;
      at.tier.place(at.tracked, file, new NewStoreFile(NewStoreFile.Kind.FLUSH, bytes, 0));
      return;
    }
    Optional<TierCompaction> running = TierCompaction.running(this);
    if (running.isPresent() && at.tier.place(at.tracked, file, running.get().newFile(replicas))) {
      running.get().placed(file);
    }
  }

  @Override
  public List<HStoreFile> commitStoreFiles(List<Path> files, boolean isCompaction, boolean validate)
      throws IOException {
    return reported(files, () -> super.commitStoreFiles(files, isCompaction, validate));
  }

  /** Overrides what other lines of HBase have in its place ({@link CommitForm}). */
  public List<HStoreFile> commitStoreFiles(List<Path> files, boolean validate) throws IOException {
    return reported(files, () -> CommitForm.run(SHORT_COMMIT, this, files, validate));
  }

  /** HBase's own commit of finished files. */
  private interface Commit {
    List<HStoreFile> run() throws IOException;
  }

  /** Commits, and tells the SSD tier how that went. */
  private List<HStoreFile> reported(List<Path> files, Commit commit) throws IOException {
    Attachment at = attachment;
    List<HStoreFile> committed;
    try {
      committed = commit.run();
    } catch (IOException | RuntimeException | Error e) {
      if (at != null) {
        Guarded.run(() -> files.forEach(file -> at.tier.failed(at.tracked, file, false)));
      }
      throw e;
    }
    if (at != null) {
      Guarded.run(
          () -> {
            for (HStoreFile file : committed) {
              long bytes = HBaseFiles.bytesOnSsd(file, at.tracked.config().replicas());
              at.tier.committed(at.tracked, file.getPath(), bytes);
            }
          });
    }
    return committed;
  }

  @Override
  public CompactionContext createCompaction() {
    Attachment at = attachment;
    ExitRequest exit = at == null ? null : at.open.asked().orElse(null);
    return new TierCompaction(
        this, store, super.createCompaction(), exit, this::userSelects, this::compactionFailed);
  }

  private void userSelects() {
    Attachment at = attachment;
    if (at != null) {
      at.open.userSelects();
    }
  }

  /** A compaction came to nothing, of whose output these files were placed on SSD. */
  private void compactionFailed(List<Path> placed, Throwable cause) {
    Attachment at = attachment;
    if (at != null) {
      Guarded.run(
          () -> {
            boolean refused = HdfsError.of(cause).kind().mayBeSsds();
            placed.forEach(file -> at.tier.failed(at.tracked, file, refused));
          });
    }
  }

  /** Names of the files that are being compacted, or are selected for it. */
  private Set<String> compacting() {
    Set<String> names = new HashSet<>();
    ASKING.set(names);
    try {
      // HBase shows them to its engine alone.
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
