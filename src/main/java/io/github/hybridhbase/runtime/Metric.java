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

import org.apache.yetus.audience.InterfaceAudience;

/** A counter of {@link HybridMetrics}. */
@InterfaceAudience.Private
public enum Metric {
  SPACE_UNKNOWN("spaceUnknown", "failed reads of the space on SSD"),
  WAL_FALLBACKS("walFallbacks", "WALs that SSD refused, opened on DISK in the same roll"),
  WAL_FALLBACKS_NO_SPACE("walFallbacksNoSpace", "… as no SSD had space"),
  WAL_FALLBACKS_SILENT("walFallbacksSilent", "… as a DataNode did not respond in time"),
  WAL_FALLBACKS_UNDER_REPLICATED(
      "walFallbacksUnderReplicated", "… as fewer replicas than usual were on SSD"),
  WAL_FALLBACKS_REFUSED("walFallbacksRefused", "… for any other cause"),
  WAL_UNDER_REPLICATED("walUnderReplicated", "WALs opened with fewer replicas than configured"),
  WAL_NOT_ON_SSD("walNotOnSsd", "WALs of which HDFS placed a replica elsewhere without an error"),
  WAL_RETURNS("walReturns", "returns of a server's WALs to SSD"),
  WAL_FAILOVERS("walFailovers", "WALs rolled off a stalled DataNode"),
  WAL_FAILOVERS_SILENT("walFailoversSilent", "… which acknowledged nothing: it hung"),
  WAL_FAILOVERS_SLOW("walFailoversSlow", "… which acknowledged too late: a slow disk"),
  WAL_FAILOVER_WAIT("walFailoverWaitMillis", "waiting of WAL writers for failovers"),
  WAL_FAILOVER_SECONDS("walFailoverSeconds", "exclusion of DataNodes from WALs"),
  WAL_RECOVERIES("walRecoveries", "WALs closed by recovering their lease"),
  WAL_RECOVERY_MILLIS("walRecoveryMillis", "time that took; replication waits for it"),
  WAL_FLUSHES("walFlushes", "flushes of WALs that share hsyncs"),
  WAL_SYNCS("walSyncs", "syncs that walFlushes acknowledged"),
  WAL_HSYNCS("walHsyncs", "walFlushes that were hsyncs"),
  WAL_WRITERS_FAILED("walWritersFailed", "WALs that share hsyncs, failed and were rolled"),
  WAL_GATHER_TIMEOUTS("walGatherTimeouts", "flushes that waited for more writers in vain"),
  SCANS("scans", "scans of every replica's medium"),
  SCANS_FAILED("scansFailed", "scans that did not end"),
  SCAN_READS("scanReads", "NameNode calls of scans"),
  POLICIES_RELEASED("policiesReleased", "archived files from which a scan took the policy"),
  TIERED_FILES("tieredFiles", "store files that the tier placed on SSD"),
  TIERED_BYTES("tieredBytes", "their replicas on SSD when complete"),
  TIER_OVER_BUDGET("tierOverBudget", "flushes and compactions kept off SSD by the budget"),
  TIER_REFUSED("tierRefused", "store files whose write to SSD failed"),
  TIER_DIED_BYTES("tierDiedBytes", "replicas of tiered files that a compaction replaced on SSD"),
  TIER_REWRITTEN_BYTES("tierRewrittenBytes", "… that a compaction rewrote to DISK"),
  WRITES_DELAYED(
      "writesDelayed", "write calls throttled as memstores filled faster than they were flushed"),
  WRITE_DELAY("writeDelayMillis", "their delay"),
  HOT_SPLITS("hotSplits", "compactions with a file of hot rows"),
  HOT_COMPACTIONS("hotCompactions", "compactions made for hot rows alone"),
  DRAIN_REQUESTED("drainRequested", "compactions that take tiered files off SSD"),
  HOOK_FAILURES("hookFailures", "failures of the plugin that a hook caught");

  private final String label;
  final String help;

  Metric(String label, String help) {
    this.label = label;
    this.help = help;
  }

  public String label() {
    return label;
  }
}
