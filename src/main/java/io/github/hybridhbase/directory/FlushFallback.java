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
package io.github.hybridhbase.directory;

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.Mode;
import io.github.hybridhbase.hdfs.DaemonThreads;
import io.github.hybridhbase.placement.DirectoryRule;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Sees to it that a flush of a system component which keeps failing ends on DISK before HBase gives
 * up ({@code HStore.flushCache} tries ten times, a second apart, and then the server aborts):
 * probes the component's directories and demotes those from SSD that refuse.
 *
 * <p>One daemon thread, {@code hybrid-flush-fallback}, that ends when idle; while it works, further
 * calls for help are dropped, since the next try of the flush calls again. The space monitor takes
 * over what was demoted here.
 */
@InterfaceAudience.Private
public final class FlushFallback {
  /** A NameNode that answers later than this was unavailable. */
  private static final long PROMPT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** As long as HDFS's client may sleep after its last try: flushes go on only then. */
  private static final long RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final ServerPlacement placement;
  private final List<DirectoryRule> rules;
  private final Executor executor;
  private final LongSupplier clock;

  /** When the NameNode was unavailable last; of the one thread. */
  private OptionalLong unavailable = OptionalLong.empty();

  /**
   * For hbase:meta and the other system tables of a server; empty where they are not meant for SSD.
   *
   * @throws IOException where the root directory cannot be named
   */
  public static Optional<FlushFallback> ofSystemTables(Configuration conf) throws IOException {
    HybridSettings settings = HybridSettings.read(conf);
    if (settings.mode() == Mode.OFF || !settings.policy(Component.META).wantsSsd()) {
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

  /** Makes a rescue for these directories; those not meant for SSD are left out. */
  public FlushFallback(ServerPlacement placement, List<DirectoryRule> rules) {
    this(
        placement,
        rules,
        DaemonThreads.pool("hybrid-flush-fallback", 1, 1, new ThreadPoolExecutor.DiscardPolicy()),
        System::nanoTime);
  }

  /** As the other one, with the thread that helps and a clock of nanoseconds. */
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
   * Asks for help; done later and on another thread. Never blocks, never throws.
   *
   * @param lastCall whether HBase may give up before the next call: then the directories are
   *     demoted whatever a probe says, and the space monitor restores them. Not if the NameNode was
   *     unavailable a moment ago, which holds flushes up on every medium
   */
  public void call(boolean lastCall) {
    executor.execute(() -> help(lastCall));
  }

  /** What {@link #call} does. */
  private void help(boolean lastCall) {
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
}
