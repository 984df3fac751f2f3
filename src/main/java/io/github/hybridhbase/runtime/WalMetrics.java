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

import io.github.hybridhbase.runtime.MetricDeclaration.Declared;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.yetus.audience.InterfaceAudience;

/** The metrics of WAL bytes, rolls and sync latency, by medium at a WAL's opening. Thread-safe. */
@InterfaceAudience.Private
public final class WalMetrics {
  @InterfaceAudience.Private
  public enum Medium {
    SSD("Ssd"),
    /** Some replicas on SSD: each sync waits for the slowest. */
    MIXED("Mixed"),
    DISK("Disk"),
    /** By HBase's own writer, or by one that publishes no replicas. */
    UNKNOWN("Unknown");

    private final String suffix;

    Medium(String suffix) {
      this.suffix = suffix;
    }

    /** Of metrics' names. */
    public String suffix() {
      return suffix;
    }
  }

  @InterfaceAudience.Private
  public static final class OpenWal {
    public static final OpenWal UNKNOWN = new OpenWal(0, 0, 0, false);

    private final int onSsd;
    private final int replicas;
    private final int wanted;
    private final boolean hsync;

    /**
     * @param replicas 0 if unknown
     * @param wanted replicas
     * @param hsync whether every sync is an hsync, whatever the media
     */
    public OpenWal(int onSsd, int replicas, int wanted, boolean hsync) {
      this.onSsd = onSsd;
      this.replicas = replicas;
      this.wanted = wanted;
      this.hsync = hsync;
    }

    public Medium medium() {
      if (replicas == 0) {
        return Medium.UNKNOWN;
      }
      return onSsd == replicas ? Medium.SSD : onSsd == 0 ? Medium.DISK : Medium.MIXED;
    }

    boolean underReplicated() {
      return replicas > 0 && replicas < wanted;
    }
  }

  private final Map<String, Map<String, OpenWal>> open = new ConcurrentHashMap<>();
  private final Set<String> durable = ConcurrentHashMap.newKeySet();
  private final Counter bytesOnSsd;
  private final Counter bytesOnDisk;
  private final Counter bytesUnknown;
  private final Map<Medium, Counter> rolls = new EnumMap<>(Medium.class);
  private final Map<Medium, Histogram> syncMicros = new EnumMap<>(Medium.class);
  private final Map<Medium, Histogram> syncEdits = new EnumMap<>(Medium.class);

  WalMetrics(Declared declared) {
    String appended = "edits appended to WALs, replicas on that medium";
    bytesOnSsd = declared.counter("walBytesSsd", appended);
    bytesOnDisk = declared.counter("walBytesDisk", appended);
    bytesUnknown = declared.counter("walBytesUnknown", appended);
    for (Medium medium : Medium.values()) {
      String of = medium.suffix;
      rolls.put(medium, declared.counter("walRolls" + of, "opened WALs"));
      syncMicros.put(medium, declared.histogram("walSyncMicros" + of, "latency of syncs"));
      syncEdits.put(medium, declared.histogram("walSyncEdits" + of, "edits per sync"));
      declared.gauge("walsOpen" + of, "open WALs", () -> count(wal -> wal.medium() == medium));
    }
    declared.gauge(
        "walsUnderReplicated",
        "open WALs with fewer replicas than configured",
        () -> count(OpenWal::underReplicated));
    declared.gauge("walsHsync", "open WALs whose every sync is an hsync", this::hsynced);
    declared.gauge(
        "walsHflush",
        "other open WALs: acknowledged edits may be in page caches only",
        () -> count(wal -> true) - hsynced());
    declared.gauge(
        "walsDurable",
        "open WALs whose every sync is an hsync by hbase.hybrid.wal.hsync=auto",
        () -> (long) durable.size());
  }

  private long count(Predicate<OpenWal> which) {
    return open.values().stream().flatMap(logs -> logs.values().stream()).filter(which).count();
  }

  private long hsynced() {
    return open.values().stream()
        .flatMap(logs -> logs.entrySet().stream())
        .filter(log -> log.getValue().hsync || durable.contains(log.getKey()))
        .count();
  }

  /** Whether a log's syncs are hsyncs because its replicas are on SSD. */
  public void durable(String log, boolean now) {
    if (now) {
      durable.add(log);
    } else {
      durable.remove(log);
    }
  }

  /**
   * @param log file name without its number
   */
  public void opened(String server, String log, OpenWal wal) {
    open.computeIfAbsent(server, name -> new ConcurrentHashMap<>()).put(log, wal);
  }

  public OpenWal rolled(String server, String log) {
    OpenWal wal = open.getOrDefault(server, Map.of()).getOrDefault(log, OpenWal.UNKNOWN);
    rolls.get(wal.medium()).increment();
    return wal;
  }

  public void ended(String server) {
    open.remove(server);
  }

  /** No lock, no allocation. */
  public void appended(OpenWal wal, long bytes) {
    if (wal.replicas == 0) {
      bytesUnknown.increment(bytes);
      return;
    }
    if (wal.onSsd > 0) {
      bytesOnSsd.increment(bytes * wal.onSsd);
    }
    if (wal.onSsd < wal.replicas) {
      bytesOnDisk.increment(bytes * (wal.replicas - wal.onSsd));
    }
  }

  /** No lock, no allocation. */
  public void synced(OpenWal wal, long nanos, long edits) {
    Medium medium = wal.medium();
    syncMicros.get(medium).update(nanos / 1_000);
    syncEdits.get(medium).update(edits);
  }
}
