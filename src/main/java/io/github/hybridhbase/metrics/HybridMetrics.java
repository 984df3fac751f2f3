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

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The plugin's counters, in HBase's own metrics system: JMX bean {@code
 * Hadoop:service=HBase,name=Hybrid,sub=Hybrid} of every server. One set per process; thread-safe,
 * no lock on counting.
 */
@InterfaceAudience.Private
public final class HybridMetrics {
  /** Every counter, with its name in JMX and its meaning. */
  @InterfaceAudience.Private
  public enum Metric {
    POLICIES_SET("policiesSet", "storage policies the plugin set on directories"),
    POLICY_CONFLICTS(
        "policyConflicts", "looks that found a directory with a policy set by somebody else"),
    PLACEMENT_FAILURES(
        "placementFailures", "looks at a directory that HDFS refused or did not answer"),
    PROBES("probes", "probe blocks asked of HDFS"),
    PROBES_REFUSED("probesRefused", "probe blocks that SSD did not take"),
    GUARD_TURNED_AWAY("guardTurnedAway", "directories the guard turned away from SSD"),
    GUARD_TURNED_BACK("guardTurnedBack", "directories the guard turned back to SSD"),
    GUARD_BLIND("guardBlind", "looks at SSD for which its space could not be read"),
    WAL_FALLBACKS("walFallbacks", "WALs that SSD refused and that were opened on DISK at once"),
    WAL_SHORT("walShort", "WALs opened with fewer replicas than asked, on DISK too"),
    WAL_NOT_ON_SSD("walNotOnSsd", "WALs meant for SSD that HDFS put elsewhere without an error"),
    WAL_RETURNS("walReturns", "times a server's WALs went back to SSD after a fall-back"),
    WAL_FLUSHES("walFlushes", "flushes of asyncfs WALs that share hsyncs"),
    WAL_SYNCS("walSyncs", "syncs those flushes answered; above walFlushes they shared"),
    WAL_HSYNCS("walHsyncs", "those of these flushes that were hsyncs"),
    WAL_WRITERS_FAILED(
        "walWritersFailed", "asyncfs WALs that share hsyncs, failed and were rolled"),
    WAL_APPEND_WAIT("walAppendWaitMicros", "microseconds that appends waited for a flush to leave"),
    WAL_FLUSH_LOCK(
        "walFlushLockMicros",
        "microseconds that flushes held their log's lock: checksums, ciphers"),
    WAL_GATHER_TIMEOUTS("walGatherTimeouts", "flushes that waited in vain for more writers"),
    CENSUSES("censuses", "times the active master read where every replica is"),
    MOVES_ASKED("movesAsked", "misplaced files that HDFS was asked to move"),
    LANDED_FILES("landedFiles", "store files that were born for SSD by the landing"),
    LANDED_BYTES("landedBytes", "bytes of replicas on SSD that these had when they were finished"),
    LANDING_OVER_BUDGET(
        "landingOverBudget",
        "flushes and minor compactions that the landing's budget had no room for"),
    LANDING_REFUSED(
        "landingRefused",
        "store files that could not be written on SSD, as far as the cause can be told"),
    DRAIN_ASKED("drainAsked", "requests to HDFS to move a landed file to DISK"),
    DRAINED_BYTES(
        "drainedBytes",
        "bytes of landed files' replicas that left SSD, were deleted or went to another server"),
    HOOK_FAILURES("hookFailures", "errors of the plugin's own that a hook caught"),
    BORN_FILES("bornFiles", "new store files whose blocks were read back"),
    BORN_MISPLACED("bornMisplaced", "new store files with a replica on the wrong medium"),
    BORN_BYTES_SSD("bornBytesSsd", "bytes of new store files' replicas on SSD"),
    BORN_BYTES_DISK("bornBytesDisk", "bytes of new store files' replicas on DISK"),
    BORN_BYTES_OTHER("bornBytesOther", "bytes of new store files' replicas on any other medium"),
    BORN_UNCHECKED(
        "bornUnchecked", "new store files not read back: too many at once, gone, or not told");

    private final String label;
    private final String help;

    Metric(String label, String help) {
      this.label = label;
      this.help = help;
    }

    /** Name in JMX. */
    public String label() {
      return label;
    }

    /** Meaning, in one line. */
    public String help() {
      return help;
    }
  }

  private static final HybridMetrics INSTANCE = new HybridMetrics();

  private final Map<Metric, Counter> counters = new EnumMap<>(Metric.class);

  private final Set<String> durableLogs = ConcurrentHashMap.newKeySet();

  private final Map<String, Set<Capability>> lacking = new ConcurrentHashMap<>();
  private final Map<String, List<Shortfall>> shortfalls = new ConcurrentHashMap<>();

  private final AtomicLong misplaced = new AtomicLong();

  private final Map<String, Long> bytesOnSsd = new ConcurrentHashMap<>();
  private final Map<String, Long> bytesAllowed = new ConcurrentHashMap<>();

  private HybridMetrics() {
    MetricRegistry registry =
        MetricRegistries.global()
            .create(
                new MetricRegistryInfo(
                    "Hybrid",
                    "Placement of HBase on SSD and HDD",
                    "Hybrid,sub=Hybrid",
                    "HBase",
                    false));
    for (Metric metric : Metric.values()) {
      counters.put(metric, registry.counter(metric.label()));
    }
    registry.register("walsDurable", (Gauge<Integer>) durableLogs::size);
    for (Capability capability : Capability.values()) {
      registry.register(
          capability.gauge(),
          (Gauge<Integer>)
              () -> (int) lacking.values().stream().filter(c -> c.contains(capability)).count());
    }
    registry.register("misplacedBytes", (Gauge<Long>) misplaced::get);
    registry.register("landingBytes", (Gauge<Long>) () -> landing(bytesOnSsd));
    registry.register("landingShare", (Gauge<Long>) () -> landing(bytesAllowed));
  }

  /** The counters of this process. */
  public static HybridMetrics get() {
    return INSTANCE;
  }

  /**
   * What the last census found: bytes of closed files' replicas on the wrong medium. Of interest on
   * the active master only; gauge {@code misplacedBytes}.
   */
  public void misplacedBytes(long bytes) {
    misplaced.set(bytes);
  }

  /**
   * Notes what a server's landed files take of SSD and may take; gauges {@code landingBytes} and
   * {@code landingShare}.
   */
  public void landing(String server, long bytes, long share) {
    bytesOnSsd.put(server, bytes);
    bytesAllowed.put(server, share);
  }

  /** Forgets a server of this process that ended. */
  public void landingEnded(String server) {
    bytesOnSsd.remove(server);
    bytesAllowed.remove(server);
  }

  private static long landing(Map<String, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Notes whether the syncs of a log are made durable by {@code hbase.hybrid.wal.hsync=auto}; gauge
   * {@code walsDurable} is how many are.
   */
  public void durableLog(String log, boolean durable) {
    if (durable) {
      durableLogs.add(log);
    } else {
      durableLogs.remove(log);
    }
  }

  /**
   * Notes what a server of this process asks of its WAL writers and lacks; the gauges of {@link
   * Capability} count such servers.
   */
  public void writers(String server, Set<Capability> lacks, List<Shortfall> why) {
    lacking.put(server, lacks);
    shortfalls.put(server, why);
  }

  /** Forgets the writers of a server of this process that ended. */
  public void writersEnded(String server) {
    lacking.remove(server);
    shortfalls.remove(server);
  }

  /** What is not in force in this process, each cause once. */
  public List<Shortfall> shortfalls() {
    return shortfalls.values().stream()
        .flatMap(List::stream)
        .distinct()
        .sorted(Comparator.comparing(Shortfall::toString))
        .collect(Collectors.toList());
  }

  /** Counts one. */
  public void count(Metric metric) {
    count(metric, 1);
  }

  /** Counts some. */
  public void count(Metric metric, long some) {
    counters.get(metric).increment(some);
  }

  /** What was counted since the process started. */
  public long value(Metric metric) {
    return counters.get(metric).getCount();
  }
}
