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

import io.github.hybridhbase.hot.Split;
import io.github.hybridhbase.runtime.Action;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.tier.drain.ExitRequest;
import io.github.hybridhbase.tier.drain.ExitRequest.Limits;
import io.github.hybridhbase.tier.drain.ExitRequest.Take;
import io.github.hybridhbase.tier.drain.StoreTierConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionConfiguration;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HBase's own compaction of a store, known to its thread while it runs, with the tier's selection
 * if the tier requested it. One thread at a time.
 */
@InterfaceAudience.Private
final class TierCompaction extends CompactionContext {
  private static final ThreadLocal<TierCompaction> RUNNING = new ThreadLocal<>();

  private final StoreEngine<?, ?, ?, ?> engine;
  private final HStore store;
  private final CompactionContext inner;
  private final Runnable userSelects;
  private final BiConsumer<List<Path>, Throwable> failed;
  private final List<Path> placedFiles = new ArrayList<>();
  private final BiFunction<CompactionRequestImpl, Boolean, Optional<Split>> splits;

  private Split split;

  /** Null if HBase compacts for reasons of its own. */
  private final ExitRequest exit;

  /** When the oldest file that the tier chose was written; 0 if HBase chose, or all must leave. */
  private long writtenMillis;

  /**
   * @param exit null if HBase compacts for reasons of its own
   * @param userSelects run before a user's compaction selects
   * @param failed accepts the output placed on SSD if the compaction fails
   * @param splits called before it runs, with whether it takes files off SSD; empty for one output
   */
  TierCompaction(
      StoreEngine<?, ?, ?, ?> engine,
      HStore store,
      CompactionContext inner,
      ExitRequest exit,
      Runnable userSelects,
      BiConsumer<List<Path>, Throwable> failed,
      BiFunction<CompactionRequestImpl, Boolean, Optional<Split>> splits) {
    this.engine = engine;
    this.store = store;
    this.inner = inner;
    this.exit = exit;
    this.userSelects = userSelects;
    this.failed = failed;
    this.splits = splits;
  }

  /** No failure of the SSD tier keeps HBase from writing the file. */
  static void guarded(Action<?> part) {
    Failures.guarded(
        "The SSD tier could not serve a store file; it is written as without the SSD tier.", part);
  }

  static Optional<TierCompaction> running(StoreEngine<?, ?, ?, ?> engine) {
    return Optional.ofNullable(RUNNING.get()).filter(running -> running.engine == engine);
  }

  static Optional<Split> runningSplit(StoreEngine<?, ?, ?, ?> engine) {
    return running(engine).map(running -> running.split);
  }

  /**
   * @param hotOnSsd use of SSD by its hot input files
   */
  NewStoreFile newFile(StoreTierConfig config, long hotOnSsd) {
    if (split != null && split.makesHot()) {
      return NewStoreFile.hot(split.estimate() * config.hotReplicas(), hotOnSsd);
    }
    NewStoreFile.Kind kind =
        exit != null
            ? NewStoreFile.Kind.EXIT
            : request.isMajor() ? NewStoreFile.Kind.MAJOR : NewStoreFile.Kind.MINOR;
    // One without HBase's date, e.g. a reference, is old.
    long oldest = Math.max(0, System.currentTimeMillis() - written(request));
    return new NewStoreFile(kind, request.getSize() * config.replicas(), oldest);
  }

  void placed(Path file) {
    placedFiles.add(file);
  }

  private static long written(CompactionRequestImpl request) {
    return request.getFiles().stream()
        .mapToLong(file -> file.getFileInfo().getCreatedTimestamp())
        .min()
        .orElse(0);
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
    if (isUserCompaction) {
      userSelects.run();
    }
    boolean selected = inner.select(filesCompacting, isUserCompaction, mayUseOffPeak, forceMajor);
    request = inner.hasSelection() ? inner.getRequest() : null;
    return selected;
  }

  /**
   * Selects files that must leave, or HBase's own choice: a minor compaction, unless it takes every
   * file.
   */
  private void selectExit(
      List<HStoreFile> filesCompacting,
      boolean isUserCompaction,
      boolean mayUseOffPeak,
      boolean forceMajor)
      throws IOException {
    CompactionConfiguration most = engine.getCompactionPolicy().getConf();
    List<HStoreFile> eligible = inner.preSelect(filesCompacting);
    List<HStoreFile> run =
        exit.choose(
            eligible,
            new Limits(most.getMaxFilesToCompact(), most.getMaxCompactSize(mayUseOffPeak)));
    if (exit.whole() && run.size() != store.getStorefilesCount()) {
      run = List.of(); // some are being compacted
    }
    boolean usual =
        !run.isEmpty()
            && (forceMajor || engine.needsCompaction(filesCompacting))
            && inner.select(filesCompacting, isUserCompaction, mayUseOffPeak, forceMajor);
    Collection<HStoreFile> usualFiles = usual ? inner.getRequest().getFiles() : List.of();
    // A requested major compaction takes all files, those on SSD among them.
    Take take = usual && forceMajor ? Take.USUAL : exit.take(eligible, run, usualFiles);
    if (take != Take.USUAL) {
      CompactionRequestImpl own =
          new CompactionRequestImpl(take == Take.RUN ? run : List.<HStoreFile>of());
      own.setIsMajor(false, own.getFiles().size() == store.getStorefiles().size());
      inner.forceSelect(own);
      writtenMillis = own.isAllFiles() ? 0 : written(own);
    }
    request = inner.getRequest();
    selected(request);
    if (forceMajor && request.isMajor()) {
      exit.takesMajor();
    }
  }

  @Override
  public void forceSelect(CompactionRequestImpl forced) {
    inner.forceSelect(forced);
    super.forceSelect(forced);
    if (exit != null) {
      selected(forced);
    }
  }

  private void selected(CompactionRequestImpl files) {
    exit.selected(
        files.getFiles().stream()
            .map(file -> file.getPath().getName())
            .collect(Collectors.toList()));
  }

  @Override
  public List<Path> compact(ThroughputController throughputController, User user)
      throws IOException {
    RUNNING.set(this);
    try {
      guarded(() -> split = splits.apply(request, exit != null).orElse(null));
      List<Path> written = inner.compact(throughputController, user);
      guarded(() -> keepTime(written));
      return written;
    } catch (IOException | RuntimeException | Error e) {
      failed.accept(placedFiles, e);
      throw e;
    } finally {
      RUNNING.remove();
      split = null;
    }
  }

  /** HBase decides by its files' times when a major compaction is due; this was none. */
  private void keepTime(List<Path> written) throws IOException {
    for (Path file : writtenMillis > 0 ? written : List.<Path>of()) {
      store.getFileSystem().setTimes(file, writtenMillis, -1);
    }
  }
}
