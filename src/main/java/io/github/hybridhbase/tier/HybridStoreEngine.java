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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.CreateStoreFileWriterParams;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
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

  private HStore store;
  private Configuration storeConf;

  /** Empty-handed until the SSD tier takes the store in. */
  private volatile Attachment attachment;

  /** The tier that serves the store, and what it knows of it. */
  private static final class Attachment {
    private final SsdTier tier;
    private final TrackedStore tracked;

    Attachment(SsdTier tier, TrackedStore tracked) {
      this.tier = tier;
      this.tracked = tracked;
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
  }

  private void flushFailed(Throwable cause) {
    Attachment at = attachment;
    if (at != null) {
      guarded(() -> at.tier.flushFailed(at.tracked, HdfsError.of(cause).kind().mayBeSsds()));
    }
  }

  /** Takes the store into a server's SSD tier, unless nothing of it is the SSD tier's business. */
  void attach(SsdTier tier, HybridSettings settings) {
    StoreTierConfigReader.of(store, storeConf, settings, requireWritingToTmpDirFirst())
        .ifPresent(
            config ->
                attachment =
                    new Attachment(tier, tier.attach(config, this::compacting, parents())));
  }

  /** Where files lie that the store refers to since a split; a quick compaction may end that. */
  private Set<Path> parents() {
    Set<Path> parents = new HashSet<>();
    for (HStoreFile file : store.getStorefiles()) {
      if (file.isReference() && !HFileLink.isHFileLink(file.getPath())) {
        parents.add(StoreFileInfo.getReferredToFile(file.getPath()).getParent());
      }
    }
    return parents;
  }

  /** Takes it out, before another server opens it. */
  void detach() {
    Attachment was = attachment;
    attachment = null;
    if (was != null) {
      was.tier.detach(was.tracked);
    }
  }

  /** Files came into the store that no writer of its own has written. */
  void loaded() {
    Attachment at = attachment;
    if (at != null) {
      at.tier.lookAgain(at.tracked);
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
          request.isMajor() ? NewStoreFile.Kind.MAJOR : NewStoreFile.Kind.MINOR;
      // An age costs a NameNode call for each input, and a major compaction never goes to SSD.
      long age = request.isMajor() ? 0 : oldest(request);
      NewStoreFile newFile = new NewStoreFile(kind, request.getSize() * replicas, age);
      if (at.tier.place(at.tracked, file, newFile)) {
        running.placedFiles.add(file);
      }
    }
  }

  private static long oldest(CompactionRequestImpl request) throws IOException {
    long oldest = Long.MAX_VALUE;
    for (HStoreFile file : request.getFiles()) {
      oldest = Math.min(oldest, file.getModificationTimestamp());
    }
    return Math.max(0, System.currentTimeMillis() - oldest);
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
            Map<String, Long> lengths = new HashMap<>();
            for (HStoreFile file : committed) {
              lengths.put(file.getPath().getName(), file.getReader().length());
            }
            at.tier.committed(at.tracked, lengths);
          });
    }
    return committed;
  }

  @Override
  public CompactionContext createCompaction() {
    return new Selection(super.createCompaction());
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

    Selection(CompactionContext inner) {
      this.inner = inner;
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
      boolean selected = inner.select(filesCompacting, isUserCompaction, mayUseOffPeak, forceMajor);
      request = inner.hasSelection() ? inner.getRequest() : null;
      return selected;
    }

    @Override
    public void forceSelect(CompactionRequestImpl forced) {
      inner.forceSelect(forced);
      super.forceSelect(forced);
    }

    @Override
    public List<Path> compact(ThroughputController throughputController, User user)
        throws IOException {
      RUNNING.set(this);
      try {
        return inner.compact(throughputController, user);
      } catch (IOException | RuntimeException | Error e) {
        failed(e);
        throw e;
      } finally {
        RUNNING.remove();
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
