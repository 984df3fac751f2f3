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
package io.github.hybridhbase.metrics;

import io.github.hybridhbase.metrics.MetricDeclaration.Type;
import org.apache.yetus.audience.InterfaceAudience;

/** A metric of {@link HybridMetrics}, with its name in JMX, unit and meaning. */
@InterfaceAudience.Private
public enum Metric {
  POLICIES_SET("policiesSet", "directories", "storage policies the plugin set on directories"),
  POLICY_CONFLICTS(
      "policyConflicts",
      "looks",
      "looks that found a directory with a policy set by somebody else"),
  PLACEMENT_FAILURES(
      "placementFailures", "looks", "looks at a directory that HDFS refused or did not answer"),
  PROBES("probes", "blocks", "probe blocks asked of HDFS"),
  PROBES_REFUSED("probesRefused", "blocks", "probe blocks that SSD did not take"),
  DEMOTIONS("demotions", "directories", "directories the space monitor demoted from SSD"),
  RESTORATIONS("restorations", "directories", "directories the space monitor restored to SSD"),
  SPACE_UNKNOWN("spaceUnknown", "looks", "looks at SSD for which its space could not be read"),
  WAL_FALLBACKS(
      "walFallbacks",
      "WALs",
      "WALs that SSD refused and that were opened on DISK in the same roll"),
  WAL_FALLBACKS_NO_SPACE(
      "walFallbacksNoSpace",
      "WALs",
      "those of walFallbacks for which HDFS found no SSD with space"),
  WAL_FALLBACKS_SILENT(
      "walFallbacksSilent", "WALs", "those for which a DataNode did not answer in time"),
  WAL_FALLBACKS_UNDER_REPLICATED(
      "walFallbacksUnderReplicated", "WALs", "those that SSD gave fewer replicas than usual"),
  WAL_FALLBACKS_REFUSED(
      "walFallbacksRefused", "WALs", "those that a DataNode refused, or for another cause"),
  WAL_UNDER_REPLICATED(
      "walUnderReplicated", "WALs", "WALs opened with fewer replicas than asked, on DISK too"),
  WAL_NOT_ON_SSD(
      "walNotOnSsd",
      "WALs",
      "WALs meant for SSD of which HDFS put a replica elsewhere without an error"),
  WAL_RETURNS("walReturns", "returns", "times a server's WALs went back to SSD after a fall-back"),
  WAL_FAILOVERS("walFailovers", "WALs", "WALs that were rolled away from a DataNode that stalled"),
  WAL_FAILOVERS_SILENT(
      "walFailoversSilent", "WALs", "those whose DataNode acknowledged nothing: it hung"),
  WAL_FAILOVERS_SLOW(
      "walFailoversSlow", "WALs", "those whose DataNode acknowledged, but too late: a slow disk"),
  WAL_FAILOVER_WAIT(
      "walFailoverWaitMillis",
      "ms",
      "time that writers of WALs waited for such a roll, detection included"),
  WAL_FAILOVER_SECONDS(
      "walFailoverSeconds",
      "seconds",
      "time that DataNodes were left out of WALs before a probe found them quick again"),
  WAL_RECOVERIES(
      "walRecoveries",
      "WALs",
      "asyncfs WALs that broke or failed over, closed by recovering their lease"),
  WAL_RECOVERY_MILLIS(
      "walRecoveryMillis",
      "ms",
      "time until those were closed; replication of a log waits for that"),
  WAL_RECOVERIES_NOT_DURABLE(
      "walRecoveriesNotDurable",
      "WALs",
      "durable WALs whose recovered end could not be made durable: flush the server's tables"),
  WAL_FLUSHES("walFlushes", "flushes", "flushes of asyncfs WALs that share hsyncs"),
  WAL_SYNCS("walSyncs", "syncs", "syncs those flushes answered; above walFlushes they shared"),
  WAL_HSYNCS("walHsyncs", "flushes", "those of these flushes that were hsyncs"),
  WAL_WRITERS_FAILED(
      "walWritersFailed", "WALs", "asyncfs WALs that share hsyncs, failed and were rolled"),
  WAL_APPEND_WAIT("walAppendWaitMicros", "µs", "time that appends waited for a flush to leave"),
  WAL_FLUSH_LOCK(
      "walFlushLockMicros", "µs", "time that flushes held their log's lock: checksums, ciphers"),
  WAL_GATHER_TIMEOUTS(
      "walGatherTimeouts", "flushes", "flushes that waited in vain for more writers"),
  SCANS("scans", "scans", "times the active master read where every replica is"),
  SCANS_FAILED("scansFailed", "scans", "those that began and did not come to their end"),
  SCAN_READS(
      "scanReads",
      "reads",
      "NameNode reads of the active master's scans; rises while one is under way"),
  MOVES_REQUESTED("movesRequested", "files", "misplaced files that HDFS was asked to move"),
  MOVES_DONE("movesDone", "files", "those of them that a later scan found in their place"),
  MOVES_FAILED("movesFailed", "requests", "requests to move a file that HDFS did not take"),
  TIERED_FILES("tieredFiles", "files", "store files that were placed on SSD by the SSD tier"),
  TIERED_BYTES(
      "tieredBytes", "bytes", "bytes of replicas on SSD that these had when they were finished"),
  TIER_OVER_BUDGET(
      "tierOverBudget",
      "flushes and compactions",
      "flushes and minor compactions that the SSD tier's budget had no space for"),
  TIER_REFUSED(
      "tierRefused",
      "files",
      "store files that could not be written on SSD, as far as the cause can be told"),
  TIER_DIED_BYTES(
      "tierDiedBytes",
      "bytes",
      "bytes of tiered files' replicas that a compaction took in and that cost DISK nothing"),
  TIER_REWRITTEN_BYTES(
      "tierRewrittenBytes",
      "bytes",
      "bytes of tiered files' replicas that a compaction took in whose output is on DISK"),
  TIER_SATISFIER_BYTES(
      "tierSatisfierBytes",
      "bytes",
      "bytes of archived tiered files' replicas that HDFS's satisfier was asked to move"),
  WRITES_DELAYED(
      "writesDelayed",
      "calls",
      "calls that waited because memstores filled faster than they were flushed"),
  WRITE_DELAY("writeDelayMillis", "ms", "time that these calls waited"),
  HOT_SPLITS(
      "hotSplits",
      "compactions",
      "compactions with a file of hot rows beside the file of all others"),
  HOT_COMPACTIONS(
      "hotCompactions", "compactions", "compactions that were made for the sake of hot rows alone"),
  DRAIN_REQUESTED(
      "drainRequested",
      "requests",
      "compactions asked of HBase to get tiered files off SSD, and moves asked of HDFS"),
  DRAINED_BYTES(
      "drainedBytes",
      "bytes",
      "bytes of tiered files' replicas that left SSD, were deleted or went to another server"),
  HOOK_FAILURES("hookFailures", "errors", "errors of the plugin's own that a hook caught"),
  NEW_FILES("newFiles", "files", "new store files whose blocks were read back"),
  NEW_FILES_MISPLACED(
      "newFilesMisplaced", "files", "new store files with a replica on the wrong medium"),
  NEW_BYTES_SSD("newBytesSsd", "bytes", "bytes of new store files' replicas on SSD"),
  NEW_BYTES_DISK("newBytesDisk", "bytes", "bytes of new store files' replicas on DISK"),
  NEW_BYTES_OTHER(
      "newBytesOther", "bytes", "bytes of new store files' replicas on any other medium"),
  NEW_FILES_UNCHECKED(
      "newFilesUnchecked",
      "files",
      "new store files not read back: too many at once, gone, or not told"),
  WALS_DURABLE(
      "walsDurable",
      "WALs",
      "WALs of this server whose every sync is an hsync by hbase.hybrid.wal.hsync=auto",
      Type.GAUGE),
  TIER_BYTES("tierBytes", "bytes", "what young store files of this server take of SSD", Type.GAUGE),
  TIER_SHARE(
      "tierShare", "bytes", "what young store files of this server may take of SSD", Type.GAUGE),
  TIER_HELD(
      "tierHeldBytes",
      "bytes",
      "what archived store files of this server take of SSD that something holds, a snapshot say:"
          + " HBase should have deleted them",
      Type.GAUGE);

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
