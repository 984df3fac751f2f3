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

import io.github.hybridhbase.tool.plan.Demand.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** A way to serve a {@link Demand}, with its drives. Immutable; the formulae are pure. */
@InterfaceAudience.Private
public final class Setup {
  /** Seeks a second of an HDD; with blocks of 8 KB a read that misses memory is one. */
  private static final double SEEKS = 150;

  /** C at 8 KB over 64 KB: 1.42 (run-reads-8k.json), 1.51 (run-hot-learnt.json). */
  private static final double LARGE_BLOCKS = 1.45;

  /**
   * Bytes of edits a second that an HDD follows with WAL, flushes and compactions: 218 updates of
   * 1,000 bytes on one 19 times slower (run-writes-waits.json). Its emulator counts each request as
   * a seek; a disk may follow more.
   */
  private static final double HDD_FOLLOWS = 218.3 * 19 * 1_000;

  /** Bytes that stock writes to a store's medium per byte of edits (ExitSimulationTest). */
  private static final double COMPACTED = 5.5;

  /**
   * Part of the hottest rows' reads that their file answered: 1.39 times all HDD at 8 KB and 10 %
   * (run-hot-learnt.json); 0.75 at 64 KB (run-paper.json).
   */
  private static final double HOT_CAUGHT = 0.6;

  /** Hot rows are split off if they answer this many times their part of the reads. */
  private static final double HOT_WORTH = 1.5;

  /** 2.84 times all HDD with 75 % of the data (run-share-75.json). */
  private static final double CACHE_CAUGHT = 0.8;

  private static final double CACHED_BLOCK = 8_192;

  private static final double HDD_USE = 0.8;
  private static final double SSD_USE = 0.7;

  /** WALs, catalogs and master's store, of user data (run-paper.json). */
  private static final double SYSTEM_SHARE = 0.005;

  /** HBase flushes after 1 h and keeps old WALs for 20 minutes. */
  private static final double WAL_SECONDS = 4_800;

  /** Young files leave SSD after an hour, and are compacted there. */
  private static final double YOUNG_SECONDS = 7_200;

  private static final double FULL_WRITES = 1_825;
  private static final double AMPLIFICATION = 1.5;
  private static final double LIFE_SECONDS = 5 * 365.25 * 86_400;

  /**
   * Where WALs go. The gain is over all HDD where writes outran it, the geometric mean of updates,
   * A and F; the longest operation is of the same and earlier runs (run-writes-waits.json).
   */
  @InterfaceAudience.Private
  public enum Wals {
    /** Durable: one hsync a seek (run-paper.json). */
    HDD("", 1, 44, 7),
    /** Durable: filesystem provider, 100 writers, only WALs (hsync-1460-iops.json). */
    STOCK_KEY("stock's key", 4.8, 1_799, 28),
    /** Durable: 100 clients (run-paper.json). Without the tier nothing delays writers. */
    PLUGIN_WALS("this plugin", 4.8, 7_820, 28),
    PLUGIN("this plugin", 5.8, 7_820, 2);

    private final String label;
    private final double gain;
    final double durable;
    final double longest;

    Wals(String label, double gain, double durable, double longest) {
      this.label = label;
      this.gain = gain;
      this.durable = durable;
      this.longest = longest;
    }

    boolean isPlugin() {
      return this == PLUGIN || this == PLUGIN_WALS;
    }
  }

  /** The choices, stock first. */
  @InterfaceAudience.Private
  public enum Kind {
    HDD_64("all HDD, 64 KB blocks", List.of(Wals.HDD)),
    HDD_8("all HDD, 8 KB blocks", List.of(Wals.HDD)),
    STOCK_KEY("WALs on SSD by stock's key", List.of(Wals.STOCK_KEY)),
    CACHE(
        "bucket cache of %s %%",
        List.of(Wals.HDD, Wals.STOCK_KEY, Wals.PLUGIN_WALS, Wals.PLUGIN), .1, .25, .5, .75),
    FAMILY("family at ONE_SSD", List.of(Wals.HDD, Wals.STOCK_KEY, Wals.PLUGIN_WALS)),
    ALL_SSD("all SSD", List.of(Wals.STOCK_KEY, Wals.PLUGIN_WALS)),
    PLUGIN_WALS("plugin, WALs alone", List.of(Wals.PLUGIN_WALS)),
    PLUGIN("plugin, with the SSD tier", List.of(Wals.PLUGIN)),
    /** With blocks of 8 KB 25 % gained no more than 10 % (run-hot-learnt.json). */
    HOT_ONE("hot rows, %s %%, ONE_SSD", List.of(Wals.PLUGIN), .01, .02, .05, .1),
    HOT_ALL("hot rows, %s %%, ALL_SSD", List.of(Wals.PLUGIN), .01, .02, .05, .1);

    private final String label;
    private final List<Wals> wals;
    private final double[] shares;

    Kind(String label, List<Wals> wals, double... shares) {
      this.label = label;
      this.wals = wals;
      this.shares = shares.length == 0 ? new double[] {0} : shares;
    }

    boolean isHot() {
      return this == HOT_ONE || this == HOT_ALL;
    }

    boolean isStock() {
      return ordinal() < PLUGIN_WALS.ordinal();
    }
  }

  private final Demand demand;
  public final Kind kind;
  final Wals wals;
  final double share;

  Setup(Demand demand, Kind kind, Wals wals, double share) {
    this.demand = demand;
    this.kind = kind;
    this.wals = wals;
    this.share = share;
  }

  /** Stock first. */
  static List<Setup> all(Demand demand) {
    List<Setup> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (double share : kind.shares) {
        for (Wals wals : kind.wals) {
          all.add(new Setup(demand, kind, wals, share));
        }
      }
    }
    return all;
  }

  /** How much there is to operate. */
  int parts() {
    boolean more = kind.ordinal() >= Kind.CACHE.ordinal() && kind.wals.size() > 1 || kind.isHot();
    return wals.ordinal() + (wals.isPlugin() ? 2 : 0) + (more ? 1 : 0);
  }

  /** With what serves the WALs, unless the kind names it. */
  public String name() {
    String name = String.format(Locale.ROOT, kind.label, percent(share));
    boolean says = !kind.isStock() || kind.wals.size() == 1 || wals.label.isEmpty();
    boolean onSsdAnyway = kind == Kind.ALL_SSD && !wals.isPlugin();
    return says || onSsdAnyway ? name : name + ", and " + wals.label;
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f", 100 * share);
  }

  /** Share of reads missing memory that SSD answers. */
  double answered() {
    double skew = demand.skew();
    switch (kind) {
      case FAMILY:
      case ALL_SSD:
        return 1;
      case CACHE:
        // A block holds rows of different heat: the cube root fits the simulator of workload C.
        return CACHE_CAUGHT * Math.pow(share, Math.cbrt(skew));
      case HOT_ONE:
      case HOT_ALL:
        double caught = HOT_CAUGHT * Math.pow(share, skew);
        return caught < HOT_WORTH * share ? 0 : caught;
      default:
        return 0;
    }
  }

  private double copiesOnSsd() {
    switch (kind) {
      case ALL_SSD:
        return demand.replicas;
      case FAMILY:
        return 1;
      case HOT_ONE:
        return share;
      case HOT_ALL:
        return demand.replicas * share;
      default:
        return 0;
    }
  }

  /** HDDs; not rounded. */
  public double hdds() {
    double onHdd = demand.replicas - copiesOnSsd();
    double space = demand.get(Ask.DATA) * onHdd / (HDD_USE * demand.get(Ask.DRIVE));
    double seeks = demand.get(Ask.READS) * (kind == Kind.HDD_64 ? LARGE_BLOCKS : 1);
    double writes = demand.get(Ask.WRITE_RATE) * onHdd / (HDD_FOLLOWS * wals.gain);
    return Math.max(space, seeks * (1 - answered()) / SEEKS + writes);
  }

  /** In bytes. */
  public double ssd() {
    double data = demand.get(Ask.DATA);
    double rate = demand.get(Ask.WRITE_RATE) * demand.replicas;
    double there = data * copiesOnSsd();
    if (kind.isHot()) {
      there *= 2; // a renewed file is there twice
    } else if (kind == Kind.CACHE) {
      there = data * share;
    }
    if (wals != Wals.HDD) {
      there += Math.max(data * SYSTEM_SHARE, rate * WAL_SECONDS);
    }
    if (wals == Wals.PLUGIN) {
      there += rate * YOUNG_SECONDS;
    }
    return Math.max(there / SSD_USE, LIFE_SECONDS * writtenToSsd() * AMPLIFICATION / FULL_WRITES);
  }

  /** Bytes a second. */
  double writtenToSsd() {
    double rate = demand.get(Ask.WRITE_RATE);
    double logs = wals == Wals.HDD ? 0 : rate * demand.replicas;
    // A flush and a minor compaction write each edit.
    double young = wals == Wals.PLUGIN ? 2 * rate * demand.replicas : 0;
    double files = kind.isHot() ? 0 : rate * COMPACTED * copiesOnSsd();
    double cached =
        kind == Kind.CACHE ? demand.get(Ask.READS) * (1 - answered()) * CACHED_BLOCK : 0;
    return logs + young + files + cached;
  }

  /** Infinite without SSD, or if nothing is written. */
  public double years() {
    return years(ssd());
  }

  double years(double ssd) {
    double written = writtenToSsd() * AMPLIFICATION;
    return written == 0
        ? Double.POSITIVE_INFINITY
        : ssd * FULL_WRITES / written / (LIFE_SECONDS / 5);
  }

  /** In prices of an HDD byte. */
  double cost() {
    return hdds() * demand.get(Ask.DRIVE) + ssd() * demand.get(Ask.PRICE_RATIO);
  }

  /** Empty if it meets the demand. */
  public Optional<String> fails() {
    double durable = demand.get(Ask.DURABLE);
    double longest = demand.get(Ask.LONGEST);
    // Not measured; all HDD's by the gain of all SSD.
    double here = kind == Kind.ALL_SSD ? 1 : wals.longest;
    if (durable > wals.durable) {
      return Optional.of(String.format(Locale.ROOT, "%,.0f durable edits/s", wals.durable));
    }
    return longest > 0 && demand.get(Ask.WRITE_RATE) > 0 && here > longest
        ? Optional.of(String.format(Locale.ROOT, "up to %.0f s", here))
        : Optional.empty();
  }
}
