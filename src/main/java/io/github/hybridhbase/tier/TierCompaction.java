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
import java.util.ArrayList;
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

  private final TierStore tiered;
  private final BiFunction<CompactionRequestImpl, Boolean, Optional<Split>> splits;
  private final BiConsumer<List<Path>, Throwable> failed;
  private final List<Path> placedFiles = new ArrayList<>();
  private Split split;

  private boolean leaves;

  private boolean whole;

  /**
   * @param tiered null if not served
   * @param splits accepts, before it runs, whether it takes files off SSD; empty for one output
   * @param failed accepts outputs placed on SSD if it fails
   */
  TierCompaction(
      StoreEngine<?, ?, ?, ?> engine,
      HStore store,
      CompactionContext inner,
      TierStore tiered,
      BiFunction<CompactionRequestImpl, Boolean, Optional<Split>> splits,
      BiConsumer<List<Path>, Throwable> failed) {
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

  /**
   * @param hotOnSsd bytes of hot inputs on SSD
   */
  NewStoreFile newFile(StoreTierConfig config, long hotOnSsd) {
    if (split != null && split.makesHot()) {
      return new NewStoreFile(Kind.HOT, split.estimate() * config.hotReplicas, 0, hotOnSsd);
    }
    Kind kind = leaves ? Kind.EXIT : request.isMajor() ? Kind.MAJOR : Kind.MINOR;
    // One without HBase's date, e.g. a reference, is old.
    long oldest = Math.max(0, System.currentTimeMillis() - written(request.getFiles()));
    return new NewStoreFile(kind, request.getSize() * config.replicas, oldest, 0);
  }

  void placed(Path file) {
    placedFiles.add(file);
  }

  private static long written(Collection<HStoreFile> files) {
    return files.stream()
        .mapToLong(file -> file.getFileInfo().getCreatedTimestamp())
        .min()
        .orElse(0);
  }

  private static Set<String> names(Collection<HStoreFile> files) {
    return files.stream().map(file -> file.getPath().getName()).collect(Collectors.toSet());
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
    if (tiered == null) {
      boolean selected = inner.select(filesCompacting, isUserCompaction, mayUseOffPeak, forceMajor);
      request = inner.getRequest();
      return selected;
    }
    Set<String> compacting = names(filesCompacting);
    boolean lost = tiered.exit.hasLostForced(compacting);
    if (lost && !compacting.isEmpty()) {
      store.triggerMajorCompaction(); // for a later selection
    }
    boolean major = forceMajor || lost && compacting.isEmpty();
    if (isUserCompaction) {
      tiered.exit.userSelects(compacting);
    } else if (!major) {
      guarded(() -> selectExit(filesCompacting, mayUseOffPeak));
    }
    if (!leaves) {
      inner.select(filesCompacting, isUserCompaction, mayUseOffPeak, major);
    }
    request = inner.getRequest();
    if (major && request != null && request.isMajor()) {
      tiered.exit.selectsForced(names(request.getFiles()));
    }
    return request != null;
  }

  private void selectExit(List<HStoreFile> filesCompacting, boolean mayUseOffPeak)
      throws IOException {
    long leaveBy = tiered.exit.leaveBy();
    boolean wantsWhole = tiered.exit.whole();
    if (leaveBy == StoreExit.NONE && !wantsWhole) {
      return;
    }
    CompactionConfiguration most = engine.getCompactionPolicy().getConf();
    List<HStoreFile> eligible = inner.preSelect(filesCompacting);
    List<HStoreFile> run = run(eligible, leaveBy, most, mayUseOffPeak);
    int files = store.getStorefilesCount();
    if (run.isEmpty() && wantsWhole) {
      run = ExitSelection.whole(eligible, files, most.getMaxFilesToCompact());
      whole = !run.isEmpty();
    }
    if (run.isEmpty()) {
      tiered.exit.declines();
      return;
    }
    if (!whole
        && engine.needsCompaction(filesCompacting)
        && inner.select(filesCompacting, false, mayUseOffPeak, false)
        && ExitSelection.isUsual(
            eligible, run, inner.getRequest().getFiles(), store.getCompactPriority() <= 0)) {
      leaves = inner.getRequest().getFiles().contains(run.get(0));
      return;
    }
    CompactionRequestImpl own = new CompactionRequestImpl(run);
    own.setIsMajor(false, run.size() == files);
    inner.forceSelect(own);
    leaves = true;
  }

  private List<HStoreFile> run(
      List<HStoreFile> eligible,
      long leaveBy,
      CompactionConfiguration most,
      boolean mayUseOffPeak) {
    if (leaveBy == StoreExit.NONE) {
      return List.of();
    }
    Map<String, Long> onSsd = new HashMap<>();
    for (TierFile file : tiered.known()) {
      if (file.is(TierFile.Kind.YOUNG)) {
        onSsd.put(file.name(), file.writtenMillis);
      }
    }
    return ExitSelection.run(
        eligible,
        file -> ExitSelection.mayRewrite(file) ? onSsd.get(file.getPath().getName()) : null,
        HotFiles::length,
        leaveBy,
        System.currentTimeMillis(),
        Math.max(1, most.getMaxFilesToCompact()),
        most.getMaxCompactSize(mayUseOffPeak));
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
      guarded(this::begins);
      return inner.compact(throughputController, user);
    } catch (IOException | RuntimeException | Error e) {
      failed.accept(placedFiles, e);
      throw e;
    } finally {
      RUNNING.remove();
      split = null;
    }
  }

  private void begins() {
    if (tiered != null) {
      tiered.exit.selectsForced(Set.of());
    }
    if (leaves) {
      tiered.exit.begins(names(request.getFiles()));
      HybridMetrics.get().count(whole ? Metric.HOT_COMPACTIONS : Metric.DRAIN_REQUESTED);
    }
    split = splits.apply(request, leaves).orElse(null);
  }
}
