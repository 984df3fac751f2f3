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
import java.util.function.UnaryOperator;
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

  private final String server;
  private final boolean require;

  /** Whether a server that lacks something is kept from serving. */
  private final boolean refuses;

  private final Set<WriterShortfall> said = new HashSet<>();
  private WriterFacts facts;
  private volatile boolean settled;

  /** What the server's first WAL was refused for, and every other is; null for nothing. */
  private volatile String refusal;

  private boolean judged;
  private boolean ended;

  /**
   * Watches over the writers of a server.
   *
   * @param ownProvider whether the facts are of the server's own provider, not of one of a group or
   *     of hbase:meta
   */
  WriterWatch(String server, WriterFacts facts, Mode mode, boolean ownProvider) {
    this.server = server;
    this.facts = facts;
    this.require = mode == Mode.REQUIRE;
    this.refuses = require && ownProvider;
  }

  /** Tells what is known so far. */
  void tell() {
    learn(known -> known);
  }

  /** The server has ended; a roll that is under way may open one more file. */
  synchronized void end() {
    ended = true;
    HybridMetrics.get().writersEnded(server);
  }

  /**
   * A writer of the plugin has opened a file.
   *
   * @param unknownOutput class of its output where that does not tell its pipeline, else ""
   */
  void opened(String unknownOutput) {
    settled = true;
    learn(known -> known.opened(unknownOutput));
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
    if (ended) {
      return;
    }
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
