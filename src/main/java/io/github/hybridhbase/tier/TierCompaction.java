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

import io.github.hybridhbase.hot.HotFiles;
import io.github.hybridhbase.hot.Split;
import io.github.hybridhbase.runtime.Action;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.tier.NewStoreFile.Kind;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * HBase's compaction of a store, known to its thread. Selects files that have to leave SSD, unless
 * a user or a coprocessor asked for others. One thread at a time.
 */
@InterfaceAudience.Private
final class TierCompaction extends CompactionContext {
  private static final ThreadLocal<TierCompaction> RUNNING = new ThreadLocal<>();

  private final StoreEngine<?, ?, ?, ?> engine;
  private final HStore store;
  private final CompactionContext inner;

  /** Null if not served. */
  private final TierStore tiered;

  private final BiFunction<CompactionRequestImpl, Boolean, Optional<Split>> splits;
  private final BiConsumer<Collection<Path>, Throwable> failed;
  private final Map<Path, NewStoreFile> outputs = new HashMap<>();

  private Split split;
  private boolean leaves;

  /**
   * @param splits accepts, before it runs, whether it takes files off SSD; empty for one output
   * @param failed accepts its outputs if it fails
   */
  TierCompaction(
      StoreEngine<?, ?, ?, ?> engine,
      HStore store,
      CompactionContext inner,
      TierStore tiered,
      BiFunction<CompactionRequestImpl, Boolean, Optional<Split>> splits,
      BiConsumer<Collection<Path>, Throwable> failed) {
    this.engine = engine;
    this.store = store;
    this.inner = inner;
    this.tiered = tiered;
    this.splits = splits;
    this.failed = failed;
  }

  /** No failure of the tier prevents HBase's write. */
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

  /** An output that is about to be created. */
  NewStoreFile newFile(Path path) {
    NewStoreFile file = split != null && split.makesHot() ? newHotFile() : newFile();
    outputs.put(path, file);
    return file;
  }

  private NewStoreFile newHotFile() {
    split.placed(false);
    long bytes = split.estimate() * tiered.hotReplicas;
    return new NewStoreFile(Kind.HOT, bytes, 0, tiered.hotOnSsd(request.getFiles()));
  }

  private NewStoreFile newFile() {
    Kind kind = leaves ? Kind.EXIT : request.isMajor() ? Kind.MAJOR : Kind.MINOR;
    long written = // one without HBase's date, e.g. a reference, is old
        request.getFiles().stream()
            .mapToLong(file -> file.getFileInfo().getCreatedTimestamp())
            .min()
            .orElse(0);
    long oldest = Math.max(0, System.currentTimeMillis() - written);
    return new NewStoreFile(kind, request.getSize() * tiered.replicas, oldest, 0);
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
    boolean major =
        forceMajor || tiered != null && tiered.exit.majorWaits && filesCompacting.isEmpty();
    if (tiered != null && isUserCompaction) {
      tiered.exit.userSelects();
    } else if (tiered != null && !major) {
      guarded(() -> selectExit(filesCompacting, mayUseOffPeak));
    }
    if (!leaves) {
      inner.select(filesCompacting, isUserCompaction, mayUseOffPeak, major);
    }
    request = inner.getRequest();
    if (tiered != null && major && request != null && request.isMajor()) {
      tiered.exit.majorWaits = true;
    }
    return request != null;
  }

  private void selectExit(List<HStoreFile> filesCompacting, boolean mayUseOffPeak)
      throws IOException {
    long leaveBy = tiered.exit.leaveBy;
    if (leaveBy == StoreExit.NONE) {
      return;
    }
    Map<String, Long> onSsd = new HashMap<>();
    for (TierFile file : tiered.known()) {
      if (file.is(TierFile.Kind.YOUNG)) {
        onSsd.put(file.name(), file.writtenMillis);
      }
    }
    CompactionConfiguration most = engine.getCompactionPolicy().getConf();
    List<HStoreFile> run =
        Leavers.run(
            inner.preSelect(filesCompacting),
            file -> onSsd.get(file.getPath().getName()),
            HotFiles::length,
            leaveBy,
            System.currentTimeMillis(),
            Math.max(1, most.getMaxFilesToCompact()),
            most.getMaxCompactSize(mayUseOffPeak));
    if (run.isEmpty()) {
      tiered.exit.declines();
      return;
    }
    if (engine.needsCompaction(filesCompacting)
        && inner.select(filesCompacting, false, mayUseOffPeak, false)
        && !inner.getRequest().getFiles().isEmpty()) {
      leaves = inner.getRequest().getFiles().contains(run.get(0));
      if (leaves || store.getCompactPriority() <= 0) {
        return; // with too many files HBase's choice is quicker
      }
    }
    CompactionRequestImpl own = new CompactionRequestImpl(run);
    own.setIsMajor(false, run.size() == store.getStorefilesCount());
    inner.forceSelect(own);
    leaves = true;
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
      if (tiered != null) {
        guarded(this::begins);
      }
      List<Path> written = inner.compact(throughputController, user);
      if (tiered != null) {
        guarded(this::ends);
      }
      return written;
    } catch (IOException | RuntimeException | Error e) {
      if (tiered != null && leaves) {
        tiered.exit.fails();
      }
      guarded(() -> failed.accept(outputs.keySet(), e));
      throw e;
    } finally {
      RUNNING.remove();
      split = null;
    }
  }

  private void begins() {
    if (request.isMajor()) {
      tiered.exit.majorWaits = false;
    }
    if (leaves) {
      tiered.exit.begins();
      HybridMetrics.get().count(Metric.DRAIN_REQUESTED);
    }
    split = splits.apply(request, leaves).orElse(null);
  }

  private void ends() {
    if (leaves) {
      tiered.exit.ends();
    }
    count(
        tiered.known(),
        request.getFiles().stream()
            .map(file -> file.getPath().getName())
            .collect(Collectors.toSet()),
        outputs.values());
  }

  /** Counts what becomes of a compaction's inputs on SSD. */
  static void count(
      Collection<TierFile> known, Set<String> inputs, Collection<NewStoreFile> outputs) {
    for (TierFile file : known) {
      if (inputs.contains(file.name()) && !file.is(TierFile.Kind.PASSING)) {
        boolean hot = file.is(TierFile.Kind.HOT);
        boolean stays =
            outputs.stream().anyMatch(to -> to.file != null && hot == (to.kind == Kind.HOT));
        HybridMetrics.get()
            .count(stays ? Metric.TIER_DIED_BYTES : Metric.TIER_REWRITTEN_BYTES, file.bytes);
      }
    }
  }
}
