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
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
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
  private final CompactionContext inner;
  private final TierStore tiered;

  private final SsdTier tier;
  private final Map<Path, NewStoreFile> outputs = new HashMap<>();

  private Split split;
  private boolean leaves;

  TierCompaction(
      StoreEngine<?, ?, ?, ?> engine, CompactionContext inner, TierStore tiered, SsdTier tier) {
    this.engine = engine;
    this.inner = inner;
    this.tiered = tiered;
    this.tier = tier;
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

  /** An output that is about to be created; empty if it is for DISK. */
  Optional<NewStoreFile> newFile(Path path) {
    NewStoreFile file;
    if (split != null && split.makesHot()) {
      split.placed(false);
      long bytes = split.estimate() * tiered.hotReplicas;
      file = new NewStoreFile(Kind.HOT, bytes, tiered.hotOnSsd(request.getFiles()));
    } else if (leaves || request.isMajor() || isOld()) {
      return Optional.empty();
    } else {
      file = new NewStoreFile(Kind.MINOR, request.getSize() * tiered.replicas, 0);
    }
    outputs.put(path, file);
    return Optional.of(file);
  }

  /** Whether an input is; one without HBase's date, e.g. a reference, is old. */
  private boolean isOld() {
    long oldest = System.currentTimeMillis() - tiered.maxAgeMillis;
    return request.getFiles().stream()
        .anyMatch(file -> file.getFileInfo().getCreatedTimestamp() <= oldest);
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
    boolean major = forceMajor || tiered.exit.majorWaits && filesCompacting.isEmpty();
    if (isUserCompaction) {
      tiered.exit.userSelects();
    } else if (!major) {
      guarded(() -> selectExit(filesCompacting, mayUseOffPeak));
    }
    if (!leaves) {
      inner.select(filesCompacting, isUserCompaction, mayUseOffPeak, major);
    }
    request = inner.getRequest();
    if (major && request != null && request.isMajor()) {
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
    CompactionConfiguration most = engine.getCompactionPolicy().getConf();
    List<HStoreFile> run =
        Leavers.run(
            inner.preSelect(filesCompacting),
            file -> tiered.leaving(file.getPath()),
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
      if (leaves || tiered.store.getCompactPriority() <= 0) {
        return; // with too many files HBase's choice is quicker
      }
    }
    CompactionRequestImpl own = new CompactionRequestImpl(run);
    own.setIsMajor(false, run.size() == tiered.store.getStorefilesCount());
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
      guarded(this::begins);
      List<Path> written = inner.compact(throughputController, user);
      guarded(this::ends);
      return written;
    } catch (IOException | RuntimeException | Error e) {
      guarded(() -> failed(HdfsError.of(e).kind.mayBeSsds()));
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
    if (tiered.hot != null) {
      long room = tier.hotRoom(tiered, tiered.hotOnSsd(request.getFiles()));
      split = tiered.hot.split(request, leaves, room).orElse(null);
    }
  }

  private void failed(boolean refused) {
    if (leaves) {
      tiered.exit.fails();
    }
    outputs.keySet().forEach(file -> tier.failed(tiered.key(file), refused));
  }

  private void ends() {
    if (leaves) {
      tiered.exit.ends();
    }
    count(
        request.getFiles().stream().flatMap(file -> tiered.known(file.getPath()).stream()),
        outputs.values());
  }

  /** Counts what becomes of a compaction's inputs on SSD. */
  static void count(Stream<TierFile> inputs, Collection<NewStoreFile> outputs) {
    inputs
        .filter(file -> !file.is(TierFile.Kind.PASSING))
        .forEach(
            file -> {
              boolean hot = file.is(TierFile.Kind.HOT);
              boolean stays =
                  outputs.stream().anyMatch(to -> to.file != null && hot == (to.kind == Kind.HOT));
              HybridMetrics.get()
                  .count(stays ? Metric.TIER_DIED_BYTES : Metric.TIER_REWRITTEN_BYTES, file.bytes);
            });
  }
}
