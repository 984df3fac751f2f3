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
package io.github.hybridhbase.runtime;

import io.github.hybridhbase.runtime.MetricDeclaration.Type;
import org.apache.yetus.audience.InterfaceAudience;

/** A metric of {@link HybridMetrics}. */
@InterfaceAudience.Private
public enum Metric {
  SPACE_UNKNOWN("spaceUnknown", "reads", "failed reads of the space on SSD"),
  WAL_FALLBACKS(
      "walFallbacks",
      "WALs",
      "WALs that SSD refused and that were opened on DISK in the same roll"),
  WAL_FALLBACKS_NO_SPACE(
      "walFallbacksNoSpace", "WALs", "walFallbacks for which HDFS found no SSD with space"),
  WAL_FALLBACKS_SILENT(
      "walFallbacksSilent", "WALs", "walFallbacks for which a DataNode did not respond in time"),
  WAL_FALLBACKS_UNDER_REPLICATED(
      "walFallbacksUnderReplicated",
      "WALs",
      "walFallbacks that had fewer replicas than usual on SSD"),
  WAL_FALLBACKS_REFUSED(
      "walFallbacksRefused", "WALs", "walFallbacks that a DataNode refused, or with another cause"),
  WAL_UNDER_REPLICATED(
      "walUnderReplicated",
      "WALs",
      "WALs opened with fewer replicas than configured, on any medium"),
  WAL_NOT_ON_SSD(
      "walNotOnSsd",
      "WALs",
      "WALs declared for SSD of which HDFS placed a replica elsewhere without an error"),
  WAL_RETURNS("walReturns", "returns", "returns of a server's WALs to SSD after a fallback"),
  WAL_FAILOVERS("walFailovers", "WALs", "WALs rolled off a stalled DataNode"),
  WAL_FAILOVERS_SILENT(
      "walFailoversSilent", "WALs", "walFailovers whose DataNode acknowledged nothing: it hung"),
  WAL_FAILOVERS_SLOW(
      "walFailoversSlow", "WALs", "walFailovers whose DataNode acknowledged too late: a slow disk"),
  WAL_FAILOVER_WAIT(
      "walFailoverWaitMillis",
      "ms",
      "time that WAL writers waited for a failover, detection included"),
  WAL_FAILOVER_SECONDS(
      "walFailoverSeconds", "seconds", "time that DataNodes were excluded from WALs"),
  WAL_RECOVERIES(
      "walRecoveries",
      "WALs",
      "asyncfs WALs that broke or failed over, closed by recovering their lease"),
  WAL_RECOVERY_MILLIS(
      "walRecoveryMillis",
      "ms",
      "time until walRecoveries were closed; replication of a WAL waits for that"),
  WAL_FLUSHES("walFlushes", "flushes", "flushes of asyncfs WALs that share hsyncs"),
  WAL_SYNCS(
      "walSyncs",
      "syncs",
      "syncs that walFlushes acknowledged; more than walFlushes if syncs share hsyncs"),
  WAL_HSYNCS("walHsyncs", "flushes", "walFlushes that were hsyncs"),
  WAL_WRITERS_FAILED(
      "walWritersFailed", "WALs", "asyncfs WALs that share hsyncs, failed and were rolled"),
  WAL_GATHER_TIMEOUTS(
      "walGatherTimeouts", "flushes", "flushes that waited for more writers without getting one"),
  SCANS("scans", "scans", "scans of every replica's medium by the active master"),
  SCANS_FAILED("scansFailed", "scans", "scans that did not end"),
  SCAN_READS(
      "scanReads", "reads", "NameNode reads of the active master's scans; rises during a scan"),
  POLICIES_RELEASED(
      "policiesReleased",
      "files",
      "archived files that something holds, from which the active master's scan took the policy for"
          + " SSD"),
  TIERED_FILES("tieredFiles", "files", "store files that the SSD tier placed on SSD"),
  TIERED_BYTES("tieredBytes", "bytes", "replicas on SSD of tieredFiles, when they were complete"),
  TIER_OVER_BUDGET(
      "tierOverBudget",
      "flushes and compactions",
      "flushes and minor compactions kept off SSD by the SSD tier's budget"),
  TIER_REFUSED(
      "tierRefused", "files", "store files whose write to SSD failed, probably because of SSD"),
  TIER_DIED_BYTES(
      "tierDiedBytes",
      "bytes",
      "replicas of tiered files that a compaction replaced without a write to DISK"),
  TIER_REWRITTEN_BYTES(
      "tierRewrittenBytes", "bytes", "replicas of tiered files that a compaction rewrote to DISK"),
  WRITES_DELAYED(
      "writesDelayed",
      "calls",
      "write calls that were throttled because memstores filled faster than they were flushed"),
  WRITE_DELAY("writeDelayMillis", "ms", "delay of writesDelayed"),
  HOT_SPLITS(
      "hotSplits",
      "compactions",
      "compactions with a file of hot rows beside the file of all others"),
  HOT_COMPACTIONS("hotCompactions", "compactions", "compactions made for hot rows alone"),
  DRAIN_REQUESTED("drainRequested", "compactions", "compactions that take tiered files off SSD"),
  HOOK_FAILURES("hookFailures", "errors", "failures of the plugin that a hook caught"),
  WALS_DURABLE(
      "walsDurable",
      "WALs",
      "WALs of this server whose every sync is an hsync by hbase.hybrid.wal.hsync=auto",
      Type.GAUGE),
  TIER_BYTES("tierBytes", "bytes", "use of SSD by this server's young store files", Type.GAUGE),
  TIER_SHARE("tierShare", "bytes", "share of SSD of this server's young store files", Type.GAUGE);

  private final String label;
  private final String unit;
  private final String help;
  private final Type type;

  Metric(String label, String unit, String help) {
    this(label, unit, help, Type.COUNTER);
  }

  Metric(String label, String unit, String help, Type type) {
    this.label = label;
    this.unit = unit;
    this.help = help;
    this.type = type;
  }

  public String label() {
    return label;
  }

  public String unit() {
    return unit;
  }

  public String help() {
    return help;
  }

  public boolean isGauge() {
    return type == Type.GAUGE;
  }

  MetricDeclaration declaration() {
    return new MetricDeclaration(label, type, unit, help);
  }
}
