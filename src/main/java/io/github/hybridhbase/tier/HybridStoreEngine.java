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
import io.github.hybridhbase.metrics.Failures;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
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
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HBase's own store engine, which asks the server's SSD tier where each new file is to be written.
 *
 * <p>Does nothing else than its parent until the region is open and the SSD tier serves the store;
 * whatever fails in it, the file is written as stock would. Set {@code hbase.hstore.engine.class}
 * to it.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridStoreEngine extends DefaultStoreEngine {
  /** The compaction that runs on this thread. */
  /** Null where HBase has no such form. */
  private static final MethodHandle SHORT_COMMIT = CommitForm.shortForm(MethodHandles.lookup());

  private static final ThreadLocal<Selection> RUNNING = new ThreadLocal<>();

  /** Where this thread wants to be told which files are being compacted. */
  private static final ThreadLocal<Set<String>> ASKING = new ThreadLocal<>();

  /** {@code StoreFileWriter.ENABLE_HISTORICAL_COMPACTION_FILES}, from HBase 2.6.1 on. */
  private static final String HISTORICAL_FILES = "hbase.enable.historical.compaction.files";

  private HStore store;
  private Configuration storeConf;

  /** Empty-handed until the SSD tier takes the store in. */
  private volatile Attachment attachment;

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
      guarded(() -> storeFlusher = new ReportingFlusher(conf, of, this::flushFailed));
    }
    if (conf.getBoolean(HISTORICAL_FILES, false)) {
      // HBase writes historical files for its own engine alone; this one writes as that one does.
      conf.set(STORE_ENGINE_CLASS_KEY, DefaultStoreEngine.class.getName());
    }
  }

  private void flushFailed(Throwable cause) {
    Attachment at = attachment;
    if (at != null) {
      guarded(() -> at.tier.flushFailed(at.tracked, HdfsError.of(cause).kind().mayBeSsds()));
    }
  }

  /** Takes the store into a server's SSD tier, unless nothing of it is the SSD tier's business. */
  void attach(SsdTier tier, HybridSettings settings) {
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

  @Override
  public StoreFileWriter createWriter(CreateStoreFileWriterParams params) throws IOException {
    StoreFileWriter writer = super.createWriter(params);
    Attachment at = attachment;
    if (at != null) {
      guarded(() -> place(at, writer.getPath(), params));
    }
    return writer;
  }

  private void place(Attachment at, Path file, CreateStoreFileWriterParams params)
      throws IOException {
    if (params.fileStoragePolicy() != null && !params.fileStoragePolicy().isEmpty()) {
      return;
    }
    int replicas = at.tracked.config().replicas();
    Selection running = RUNNING.get();
    if (!params.isCompaction()) {
      long bytes = store.getSnapshotSize().getDataSize() * replicas;
      at.tier.place(at.tracked, file, new NewStoreFile(NewStoreFile.Kind.FLUSH, bytes, 0));
    } else if (running != null && running.engine() == this) {
      CompactionRequestImpl request = running.getRequest();
      NewStoreFile.Kind kind =
          running.exit != null
              ? NewStoreFile.Kind.EXIT
              : request.isMajor() ? NewStoreFile.Kind.MAJOR : NewStoreFile.Kind.MINOR;
      NewStoreFile newFile = new NewStoreFile(kind, request.getSize() * replicas, oldest(request));
      if (at.tier.place(at.tracked, file, newFile)) {
        running.placedFiles.add(file);
      }
    }
  }

  /** Age of the oldest file; one that HBase does not date, a reference say, is old. */
  private static long oldest(CompactionRequestImpl request) {
    return Math.max(0, System.currentTimeMillis() - written(request));
  }

  private static long written(CompactionRequestImpl request) {
    return request.getFiles().stream()
        .mapToLong(file -> file.getFileInfo().getCreatedTimestamp())
        .min()
        .orElse(0);
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
        guarded(() -> files.forEach(file -> at.tier.failed(at.tracked, file, false)));
      }
      throw e;
    }
    if (at != null) {
      guarded(
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
    return new Selection(
        super.createCompaction(), at == null ? null : at.open.asked().orElse(null));
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

  /** HBase's own compaction, which says what it is while it runs. */
  private final class Selection extends CompactionContext {
    private final CompactionContext inner;
    private final List<Path> placedFiles = new ArrayList<>();

    /** What the SSD tier asked for; null where HBase compacts for reasons of its own. */
    private final ExitRequest exit;

    /** When the oldest file was written that the SSD tier chose; 0 where HBase chose, or all go. */
    private long writtenMillis;

    Selection(CompactionContext inner, ExitRequest exit) {
      this.inner = inner;
      this.exit = exit;
    }

    HybridStoreEngine engine() {
      return HybridStoreEngine.this;
    }

    @Override
    public List<HStoreFile> preSelect(List<HStoreFile> filesCompacting) {
      return inner.preSelect(filesCompacting);
    }

    @Override
    public boolean select(
        List<HStoreFile> filesCompacting,
        boolean isUserCompaction,
        boolean mayUseOffPeak,
        boolean forceMajor)
        throws IOException {
      if (exit != null) {
        selectExit(filesCompacting, isUserCompaction, mayUseOffPeak, forceMajor);
        return true;
      }
      boolean selected = inner.select(filesCompacting, isUserCompaction, mayUseOffPeak, forceMajor);
      request = inner.hasSelection() ? inner.getRequest() : null;
      return selected;
    }

    /**
     * Takes files that have to leave SSD. Where HBase's own choice holds the first of them it is
     * taken instead: those bytes would be written anyway. A minor compaction, which keeps what
     * major ones go by, unless it takes every file.
     */
    private void selectExit(
        List<HStoreFile> filesCompacting,
        boolean isUserCompaction,
        boolean mayUseOffPeak,
        boolean forceMajor)
        throws IOException {
      List<HStoreFile> run =
          exit.choose(
              inner.preSelect(filesCompacting), compactionPolicy.getConf().getMaxFilesToCompact());
      CompactionRequestImpl own = new CompactionRequestImpl(run);
      own.setIsMajor(false, run.size() == store.getStorefiles().size());
      boolean usual =
          !run.isEmpty()
              && needsCompaction(filesCompacting)
              && inner.select(filesCompacting, isUserCompaction, mayUseOffPeak, forceMajor)
              && inner.getRequest().getFiles().contains(run.get(0));
      if (!usual) {
        inner.forceSelect(own);
        writtenMillis = own.isAllFiles() ? 0 : written(own);
      }
      request = inner.getRequest();
      exit.selected(request.getFiles());
    }

    @Override
    public void forceSelect(CompactionRequestImpl forced) {
      inner.forceSelect(forced);
      super.forceSelect(forced);
      if (exit != null) {
        exit.selected(forced.getFiles());
      }
    }

    @Override
    public List<Path> compact(ThroughputController throughputController, User user)
        throws IOException {
      RUNNING.set(this);
      try {
        List<Path> written = inner.compact(throughputController, user);
        guarded(() -> keepTime(written));
        return written;
      } catch (IOException | RuntimeException | Error e) {
        failed(e);
        throw e;
      } finally {
        RUNNING.remove();
      }
    }

    /** HBase tells by its files' times when a major compaction is due, which this was not. */
    private void keepTime(List<Path> written) throws IOException {
      for (Path file : writtenMillis > 0 ? written : List.<Path>of()) {
        store.getFileSystem().setTimes(file, writtenMillis, -1);
      }
    }

    private void failed(Throwable cause) {
      Attachment at = attachment;
      if (at != null) {
        guarded(
            () -> {
              boolean refused = HdfsError.of(cause).kind().mayBeSsds();
              placedFiles.forEach(file -> at.tier.failed(at.tracked, file, refused));
            });
      }
    }
  }

  /** The SSD tier's part of the work. */
  private interface Part {
    void run() throws IOException;
  }

  /** Nothing that goes wrong in the SSD tier may keep HBase from writing the file. */
  private static void guarded(Part part) {
    try {
      part.run();
    } catch (Throwable t) { // HBase aborts the server on what is no IOException
      Failures.swallowed(
          "The SSD tier could not serve a store file; it is written as without the SSD tier.", t);
    }
  }
}
