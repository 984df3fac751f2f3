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
package io.github.hybridhbase.placement;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.FlushDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.FlushDescriptor.FlushAction;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rescue for a system component's failing flush: it demotes the directories that SSD refuses, so
 * that the flush ends on DISK before HBase aborts the server ({@code HStore.flushCache} gives up
 * after ten attempts, a second apart).
 *
 * <p>One daemon thread, {@code hybrid-flush-fallback}, ends when idle. Calls during its work are
 * dropped; the next attempt calls again. The space monitor adopts the demotions.
 */
@InterfaceAudience.Private
public final class FlushFallback {
  /** Response time above which the NameNode counts as unavailable. */
  private static final long PROMPT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Longest sleep of HDFS's client after its last retry, before which flushes do not continue. */
  private static final long RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final ServerPlacement placement;
  private final List<DirectoryRule> rules;
  private final Executor executor;
  private final LongSupplier clock;

  /** Whether a last call has come. It counts also if it is dropped, because one waits then. */
  private final AtomicBoolean last = new AtomicBoolean();

  private OptionalLong unavailable = OptionalLong.empty();

  /**
   * The rescue for a server's system tables; empty if not declared for SSD.
   *
   * @throws IOException if the root directory cannot be resolved
   */
  public static Optional<FlushFallback> ofSystemTables(Configuration conf) throws IOException {
    HybridSettings settings = HybridSettings.read(conf);
    if (!settings.mode().places() || !settings.policy(Component.META).wantsSsd()) {
      return Optional.empty();
    }
    ServerPlacement placement = ServerPlacement.of(conf, settings);
    return Optional.of(
        new FlushFallback(
            placement,
            placement.layout().rules(settings).stream()
                .filter(rule -> rule.component() == Component.META)
                .collect(Collectors.toList())));
  }

  public FlushFallback(ServerPlacement placement, List<DirectoryRule> rules) {
    this(
        placement,
        rules,
        DaemonThreads.pool("hybrid-flush-fallback", 1, 1, new ThreadPoolExecutor.DiscardPolicy()),
        System::nanoTime);
  }

  FlushFallback(
      ServerPlacement placement, List<DirectoryRule> rules, Executor executor, LongSupplier clock) {
    this.executor = executor;
    this.clock = clock;
    this.placement = placement;
    this.rules =
        rules.stream()
            .filter(rule -> rule.policy().wantsSsd())
            .collect(Collectors.toUnmodifiableList());
  }

  /**
   * Requests help on another thread. Never blocks, never throws.
   *
   * @param lastCall whether HBase may give up before the next call; then the directories are
   *     demoted whatever a probe shows, unless the NameNode was unavailable just before, which
   *     delays all flushes
   */
  public void call(boolean lastCall) {
    if (lastCall) {
      last.set(true);
    }
    executor.execute(this::help);
  }

  private void help() {
    boolean lastCall = last.getAndSet(false);
    for (DirectoryRule rule : rules) {
      long asked = clock.getAsLong();
      boolean answers = placement.takesWrites(rule);
      long now = clock.getAsLong();
      if (!answers || now - asked > PROMPT_NANOS) {
        unavailable = OptionalLong.of(now);
      }
      if (answers) {
        boolean recovers =
            unavailable.isPresent() && now - unavailable.getAsLong() < RECOVERY_NANOS;
        placement.demote(rule, lastCall && !recovers);
      }
    }
  }

  /**
   * A detector of failing flushes of one region. HBase reports each attempt of a store's flush but
   * no failure, so a second attempt before an end means that the first failed. Any thread; never
   * blocks.
   */
  @InterfaceAudience.Private
  public static final class Tries {
    /** Attempts, of HBase's ten, after which probes are no longer trusted. */
    private static final int TRUSTED = 4;

    private final FlushFallback fallback;

    private final Map<String, Integer> tries = new ConcurrentHashMap<>();

    public Tries(FlushFallback fallback) {
      this.fallback = fallback;
    }

    /**
     * Records an attempt.
     *
     * @param failure of the previous attempt; empty if unknown, which counts as SSD's
     */
    public void tried(String family, Optional<HdfsError.Kind> failure) {
      int now = tries.merge(family, 1, Integer::sum);
      if (now > 1 && failure.map(HdfsError.Kind::mayBeSsds).orElse(true)) {
        fallback.call(now > TRUSTED);
      }
    }

    public void done(String family) {
      tries.remove(family);
    }
  }

  /**
   * A listener on the WAL of the master's local store that detects flushes which do not finish:
   * that store has no coprocessors, but HBase writes start and end of every flush into its WAL
   * ({@code HRegion.internalPrepareFlushStores}). Other edits cost one comparison.
   */
  public static final class MasterStoreWatch implements WALActionsListener {
    private static final Logger LOG = LoggerFactory.getLogger(MasterStoreWatch.class);

    /** Period of checks of a running flush. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int LOOKS = 15;

    /** Remaining checks, from six seconds on, at which earlier probes are no longer trusted. */
    private static final int LAST_CALLS = LOOKS - 2;

    /** A timer of its own, since checks of WALs may block on a NameNode. */
    private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("hybrid-store-watch");

    private final FlushFallback flushFallback;

    private final AtomicLong underWay = new AtomicLong();

    private final AtomicLong started = new AtomicLong();

    public MasterStoreWatch(FlushFallback flushFallback) {
      this.flushFallback = flushFallback;
    }

    @Override
    public void visitLogEntryBeforeWrite(RegionInfo region, WALKey key, WALEdit edit) {
      try {
        if (edit.isMetaEdit()) {
          for (Cell cell : edit.getCells()) {
            FlushDescriptor marker = WALEdit.getFlushDescriptor(cell);
            if (marker != null) {
              seen(marker.getAction());
            }
          }
        }
      } catch (IOException | RuntimeException | LinkageError e) {
        HybridMetrics.get().count(Metric.HOOK_FAILURES);
        LOG.debug("A marker of the master store was not understood", e);
      }
    }

    private void seen(FlushAction action) {
      if (action == FlushAction.START_FLUSH) {
        long flush = started.incrementAndGet();
        underWay.set(flush);
        later(flush, LOOKS);
      } else {
        underWay.set(0);
      }
    }

    private void later(long flush, int looks) {
      var unused =
          timer.schedule(
              () -> {
                if (looks > 0 && underWay.get() == flush) {
                  flushFallback.call(looks <= LAST_CALLS);
                  later(flush, looks - 1);
                }
              },
              PATIENCE_NANOS,
              TimeUnit.NANOSECONDS);
    }
  }
}
