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
package io.github.hybridhbase.tool.plan;

import io.github.hybridhbase.placement.Headroom;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.tool.plan.Workload.Input;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The SSD that a workload needs, in bytes of all replicas. Pure.
 *
 * <ul>
 *   <li>WALs in use: HBase flushes the oldest memstore above a number of files of a WAL, and every
 *       memstore at an age unless it is 0. A server so has min(WALs × files × roll size, rate ×
 *       age), and the open file of each WAL.
 *   <li>Old WALs: a rename moves no block, so they stay on SSD until deleted: rate × (retention +
 *       cleaner interval).
 *   <li>Catalogs and master store: their size.
 *   <li>SSD tier: a percentage of the SSD bought, or bytes.
 *   <li>Headroom: {@link Headroom#bytesToReturn} on each DataNode.
 *   <li>Recovered edits of one server that dies: at most its WALs in use, until its regions have
 *       opened. In space that is kept free, since there are none most of the time.
 * </ul>
 */
@InterfaceAudience.Private
public final class SsdNeed {
  /** HBase's default of {@code hbase.regionserver.logroll.multiplier}. */
  private static final double ROLL = 0.5;

  /** As in {@code AbstractFSWAL}. */
  private static final int FEWEST_WALS = 32;

  private static final int WALS_PER_MEMSTORE = 2;

  private static final double SECONDS_A_YEAR = 365.25 * 86_400;

  private final Workload workload;
  private final Map<Component, Double> system = new EnumMap<>(Component.class);
  private final double capacity;
  private final double tier;
  private final double recovered;
  private final Headroom headroom;

  private SsdNeed(Workload workload, double utilisation) {
    this.workload = workload;
    double walReplicas = workload.get(Input.WAL_REPLICATION);
    double replicas = workload.get(Input.REPLICATION);
    double used = walsInUse(workload);
    system.put(Component.WAL, used * walReplicas);
    system.put(Component.ARCHIVE, oldWals(workload, used) * walReplicas);
    system.put(Component.META, workload.get(Input.META) * replicas);
    system.put(Component.MASTER, workload.get(Input.MASTER) * replicas);
    int nodes = (int) workload.get(Input.DATA_NODES);
    this.headroom =
        new Headroom(
            (long) workload.get(Input.SPARE),
            (long) workload.get(Input.WAL_BLOCK),
            walsPerNode(workload),
            0);
    double share = workload.get(Input.TIER) / 100;
    double data = systemBytes() + workload.get(Input.TIER_BYTES);
    this.recovered = used / workload.get(Input.SERVERS) * replicas;
    double free = (double) headroom.bytesToReturn() * nodes + recovered;
    this.capacity = Math.max(data / (utilisation - share), (data + free) / (1 - share));
    this.tier = capacity * share + workload.get(Input.TIER_BYTES);
  }

  /**
   * @param workload with every input set
   * @param utilisation fraction of the capacity that data may use, above the SSD tier's
   * @throws IllegalArgumentException if the SSD tier leaves nothing for other data
   */
  public static SsdNeed of(Workload workload, double utilisation) {
    if (workload.get(Input.TIER) / 100 >= utilisation) {
      throw new IllegalArgumentException("The SSD tier takes all that data may take");
    }
    return new SsdNeed(workload, utilisation);
  }

  private static double rollSize(Workload workload) {
    return workload.get(Input.WAL_BLOCK) * ROLL;
  }

  /** HBase flushes above this number of files of one WAL. */
  static double maxWals(Workload workload) {
    double given = workload.get(Input.MAX_WALS);
    double ofMemstores = WALS_PER_MEMSTORE * workload.get(Input.MEMSTORE) / rollSize(workload);
    return given > 0 ? given : Math.max(FEWEST_WALS, Math.floor(ofMemstores));
  }

  /** As in the space monitor: those of servers, one of hbase:meta, one of the master store. */
  static int walsPerNode(Workload workload) {
    return Headroom.walsPerNode(
        (int) (workload.get(Input.SERVERS) * workload.get(Input.WALS)) + 2,
        (int) workload.get(Input.WAL_REPLICATION),
        (int) workload.get(Input.DATA_NODES));
  }

  private static double walsInUse(Workload workload) {
    double servers = workload.get(Input.SERVERS);
    double rate = workload.get(Input.WRITE_RATE);
    double wals = workload.get(Input.WALS);
    double byNumber = wals * maxWals(workload) * rollSize(workload);
    double age = workload.get(Input.FLUSH_INTERVAL);
    double closed = age > 0 ? Math.min(byNumber, rate / servers * age) : byNumber;
    double most = servers * (closed + wals * rollSize(workload));
    return Math.min(most, written(workload));
  }

  private static double oldWals(Workload workload, double used) {
    double kept = workload.get(Input.WAL_TTL) + workload.get(Input.CLEANER);
    return Math.min(workload.get(Input.WRITE_RATE) * kept, Math.max(0, written(workload) - used));
  }

  /** Of one copy, until the time to predict; infinite in a steady state. */
  private static double written(Workload workload) {
    double seconds = workload.get(Input.AFTER);
    return seconds > 0 ? workload.get(Input.WRITE_RATE) * seconds : Double.POSITIVE_INFINITY;
  }

  /** Bytes on SSD by component, without the SSD tier; {@code archive} stands for old WALs. */
  public Map<Component, Double> system() {
    return Collections.unmodifiableMap(system);
  }

  public double systemBytes() {
    return system.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  public double tierBytes() {
    return tier;
  }

  /** Bytes of the recovered edits of one server, which are not in {@link #bytes}. */
  public double recoveredEdits() {
    return recovered;
  }

  /** Without caches. */
  public double bytes() {
    return systemBytes() + tier;
  }

  public double capacity() {
    return capacity;
  }

  /** Without caches. */
  public double capacityPerNode() {
    return capacity / workload.get(Input.DATA_NODES);
  }

  public Headroom headroom() {
    return headroom;
  }

  public double userBytes() {
    return workload.get(Input.DATA) * workload.get(Input.REPLICATION);
  }

  /** Bytes on SSD divided by those of user data. */
  public double share() {
    return bytes() / userBytes();
  }

  /**
   * Bytes per second that HBase writes to SSD: WALs and, with the SSD tier, each edit once by a
   * flush and once by a minor compaction.
   */
  public double bytesPerSecond() {
    double rate = workload.get(Input.WRITE_RATE);
    double storeFiles = workload.hasTier() ? 2 * workload.get(Input.REPLICATION) : 0;
    return rate * (workload.get(Input.WAL_REPLICATION) + storeFiles);
  }

  /**
   * In years; infinite if nothing is written.
   *
   * @param driveWrites full writes that the maker warrants
   * @param amplification bytes that a drive writes per byte it receives, at least 1
   */
  public double wearYears(double capacityBytes, double driveWrites, double amplification) {
    return capacityBytes * driveWrites / (bytesPerSecond() * amplification) / SECONDS_A_YEAR;
  }

  /** The inverse of {@link #wearYears}. */
  double capacityForLife(double years, double driveWrites, double amplification) {
    return years * SECONDS_A_YEAR * bytesPerSecond() * amplification / driveWrites;
  }
}
