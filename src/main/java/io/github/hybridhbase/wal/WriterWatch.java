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

import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.WriterShortfall;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A monitor that publishes to log, gauges and JMX which capabilities of one server's WAL writers
 * are not in force; each cause is logged once. If a WAL was opened and no writer of the plugin has
 * reported, HBase used another one. Thread-safe.
 */
@InterfaceAudience.Private
final class WriterWatch {
  private static final Logger LOG = LoggerFactory.getLogger(WriterWatch.class);

  private final String server;
  private final boolean require;

  private final boolean refuses;

  private final LogOnChange logged = new LogOnChange();
  private WriterSupport writers;
  private volatile boolean settled;

  /** Null if no WAL is refused. */
  private volatile String refusal;

  private boolean judged;
  private boolean ended;

  /**
   * @param ownProvider whether they are of the server's own provider, not of a group or hbase:meta
   */
  WriterWatch(String server, WriterSupport writers, Mode mode, boolean ownProvider) {
    this.server = server;
    this.writers = writers;
    this.require = mode == Mode.REQUIRE;
    this.refuses = require && ownProvider;
  }

  void publish() {
    update(known -> known);
  }

  /** Stops publishing: a roll in flight may open one more file. */
  synchronized void end() {
    ended = true;
    HybridMetrics.get().writersEnded(server);
  }

  /**
   * @param unknownOutput class of the output if its pipeline is unknown, otherwise ""
   */
  void opened(String unknownOutput) {
    settled = true;
    update(known -> known.opened(unknownOutput));
  }

  /**
   * Called before a WAL is handed out, when its first file is open.
   *
   * @throws IOException in {@code hbase.hybrid.mode=require}, also for later WALs, if the first one
   *     showed that writers lack a required capability; HBase then ends the server
   */
  void handedOut() throws IOException {
    if (!settled) {
      settled = true;
      update(WriterSupport::openedByHBase);
    }
    if (refuses) {
      judge();
      if (refusal != null) {
        throw new IOException(refusal);
      }
    }
  }

  private synchronized void judge() {
    if (!judged) {
      judged = true;
      refusal = writers.refusal().orElse(null);
    }
  }

  private void update(UnaryOperator<WriterSupport> change) {
    try {
      report(change);
    } catch (RuntimeException | LinkageError e) {
      Failures.swallowed("Could not tell what of the WAL writers is in force.", e);
    }
  }

  private synchronized void report(UnaryOperator<WriterSupport> change) {
    if (ended) {
      return;
    }
    writers = change.apply(writers);
    List<WriterShortfall> shortfalls = writers.shortfalls();
    HybridMetrics.get().writers(server, shortfalls);
    for (WriterShortfall shortfall : shortfalls) {
      String text = "Not in force for the WALs of " + server + ": " + shortfall;
      if (logged.changed(shortfall, text)) {
        if (require) {
          LOG.error(text);
        } else {
          LOG.warn(text);
        }
      }
    }
  }
}
