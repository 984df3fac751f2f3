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
package io.github.hybridhbase.wal;

import io.github.hybridhbase.config.Mode;
import io.github.hybridhbase.metrics.Failures;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.WriterShortfall;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells log, gauges and JMX what of one server's WAL writers is not in force. The plugin's writers
 * tell it that they were made; where a WAL was made and none did, HBase used its own. Each cause is
 * said once a server. Thread-safe, throws nothing but a refusal; called when a WAL is opened or
 * handed out.
 */
@InterfaceAudience.Private
final class WriterWatch {
  private static final Logger LOG = LoggerFactory.getLogger(WriterWatch.class);

  /** By the name of the directory of a server's WALs, which is the server's own. */
  private static final ConcurrentMap<String, WriterWatch> LIVE = new ConcurrentHashMap<>();

  private final String server;
  private final boolean require;

  /** Whether a server that lacks something is kept from serving. */
  private final boolean refuses;

  private final Set<WriterShortfall> said = new HashSet<>();
  private WriterFacts facts;
  private int users;
  private volatile boolean settled;

  /** What the server's first WAL was refused for, and every other is; null for nothing. */
  private volatile String refusal;

  private boolean judged;

  private WriterWatch(String server, WriterFacts facts, Mode mode, boolean ownProvider) {
    this.server = server;
    this.facts = facts;
    this.require = mode == Mode.REQUIRE;
    this.refuses = require && ownProvider;
  }

  /**
   * Watches over a server, as one more provider of it; the first one's arguments count.
   *
   * @param ownProvider whether that is the server's own, not one of a group or of hbase:meta
   */
  static WriterWatch start(String server, WriterFacts facts, Mode mode, boolean ownProvider) {
    WriterWatch watch =
        LIVE.compute(
            server,
            (name, known) -> {
              WriterWatch one =
                  known == null ? new WriterWatch(name, facts, mode, ownProvider) : known;
              one.users++;
              return one;
            });
    watch.learn(known -> known);
    return watch;
  }

  /** One provider of the server has ended. */
  void stop() {
    LIVE.computeIfPresent(
        server,
        (name, watch) -> {
          if (--watch.users > 0) {
            return watch;
          }
          HybridMetrics.get().writersEnded(name);
          return null;
        });
  }

  /**
   * A writer of the plugin has opened a file.
   *
   * @param unknownOutput class of its output where that does not tell its pipeline, else ""
   */
  static void opened(Path file, String unknownOutput) {
    WriterWatch watch = LIVE.get(file.getParent().getName());
    if (watch != null) {
      watch.settled = true;
      watch.learn(facts -> facts.opened(unknownOutput));
    }
  }

  /**
   * A WAL is about to be handed out: its first file is open.
   *
   * @throws IOException in {@code hbase.hybrid.mode=require}, for this WAL and all later ones,
   *     where the server's first one showed that its writers cannot do what is asked of them; HBase
   *     ends a server that has no WAL
   */
  void handedOut() throws IOException {
    if (!settled) {
      settled = true;
      learn(facts -> facts.made == WriterFacts.Made.OURS ? facts : facts.openedByOthers());
    }
    if (refuses) {
      judge();
      if (refusal != null) {
        throw new IOException(refusal);
      }
    }
  }

  /** Once: what goes missing later does not take a running server down. */
  private synchronized void judge() {
    if (!judged) {
      judged = true;
      refusal = WriterStatus.of(facts).refusal().orElse(null);
    }
  }

  private void learn(UnaryOperator<WriterFacts> news) {
    try {
      report(news);
    } catch (RuntimeException | LinkageError e) {
      Failures.swallowed("Could not tell what of the WAL writers is in force.", e);
    }
  }

  private synchronized void report(UnaryOperator<WriterFacts> news) {
    facts = news.apply(facts);
    WriterStatus status = WriterStatus.of(facts);
    HybridMetrics.get().writers(server, status.missing(), status.shortfalls());
    for (WriterShortfall shortfall : status.shortfalls()) {
      if (said.add(shortfall)) {
        String text = "Not in force for the WALs of " + server + ": " + shortfall;
        if (require) {
          LOG.error(text);
        } else {
          LOG.warn(text);
        }
      }
    }
  }
}
