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
package io.github.hybridhbase.hot;

import io.github.hybridhbase.hot.HeatDecision.Verdict;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridMetrics.HotMetrics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The stores of one server whose compactions may be split. Gives sketches to those that read DISK
 * most, within a limit of bytes, and chooses the store whose compaction for hot rows pays first.
 * {@link #add} and {@link #remove} from any thread, the rest from the tier's.
 */
@InterfaceAudience.Private
public final class HotRows {
  static final long MOST_BYTES = 40L << 20;

  /** Blocks per second below which a store has no sketch. */
  static final double LEAST_READS = 0.5;

  private final String server;
  private final long mostBytes;
  private final Set<HotStore> stores = ConcurrentHashMap.newKeySet();

  public HotRows(String server) {
    this(server, MOST_BYTES);
  }

  HotRows(String server, long mostBytes) {
    this.server = server;
    this.mostBytes = mostBytes;
  }

  public void add(HotStore store) {
    stores.add(store);
  }

  public void remove(HotStore store) {
    stores.remove(store);
    store.heat().sketch(null);
  }

  public List<HotStore> stores() {
    return new ArrayList<>(stores);
  }

  /** Looks at each store and gives sketches to those that need them. */
  public void turn(long nowNanos) {
    List<HotStore> all = stores();
    for (HotStore store : all) {
      try {
        store.turn(nowNanos);
      } catch (RuntimeException e) {
        Failures.swallowed("A store's reads could not be looked at; others go on.", e);
      }
    }
    all.sort(Comparator.comparingDouble(HotRows::need).reversed());
    long left = mostBytes;
    for (HotStore store : all) {
      HeatSketch has = store.heat().sketch();
      long bytes = has == null ? HeatSketch.bytes(store.rows()) : has.bytes();
      boolean wanted = need(store) >= LEAST_READS && store.isLarge() && bytes <= left;
      if (wanted) {
        left -= bytes;
      }
      if (wanted && has == null) {
        store.heat().sketch(HeatSketch.ofRows(store.rows()));
      } else if (!wanted && has != null) {
        store.heat().sketch(null);
      }
    }
    tell(all, mostBytes - left);
  }

  private void tell(List<HotStore> all, long sketchBytes) {
    double known = 0;
    double caught = 0;
    double counted = 0;
    double[] caughtBy = new double[HotMetrics.SHARES.length];
    double payback = Double.POSITIVE_INFINITY;
    for (HotStore store : all) {
      if (!Double.isNaN(store.caughtNow())) {
        known += need(store);
        caught += need(store) * store.caughtNow();
      }
      double[] by = store.caughtBy();
      counted += by.length > 0 ? need(store) : 0;
      for (int i = 0; i < by.length; i++) {
        caughtBy[i] += need(store) * by[i];
      }
      payback = Math.min(payback, store.payback());
    }
    HybridMetrics.get()
        .hot()
        .seen(
            server,
            all.stream().mapToLong(HotStore::hotBytes).sum(),
            Math.round(all.stream().mapToDouble(HotStore::diskPerSecond).sum()),
            percent(caught, known),
            percents(caughtBy, counted),
            sketchBytes,
            Double.isInfinite(payback) ? 0 : Math.round(payback));
  }

  private static long[] percents(double[] parts, double all) {
    return DoubleStream.of(parts).mapToLong(part -> percent(part, all)).toArray();
  }

  private static long percent(double part, double all) {
    return all > 0 ? Math.round(100 * part / all) : 0;
  }

  /** A store with a sketch keeps it until another reads twice as much. */
  private static double need(HotStore store) {
    double reads = store.diskPerSecond() + store.ssdPerSecond();
    return store.heat().sketch() == null ? reads : 2 * reads;
  }

  /**
   * The store whose compaction pays first, to be requested; empty if none does.
   *
   * @param room bytes that hot files of a store may take of SSD, all replicas
   */
  public Optional<HotStore> choose(
      ToLongFunction<HotStore> room, ToLongFunction<HotStore> hotReplicas, long nowNanos) {
    HotStore best = null;
    List<HotStore> all = stores();
    double bytes = Math.max(1, all.stream().mapToLong(HotStore::bytes).sum());
    for (HotStore store : all) {
      if (store.heat().sketch() == null) {
        continue;
      }
      HeatDecision decision =
          store.decide(
              room.applyAsLong(store),
              (int) hotReplicas.applyAsLong(store),
              (long) (store.cacheBytes() * (store.bytes() / bytes)),
              nowNanos);
      if (decision.verdict == Verdict.COMPACT
          && (best == null || store.payback() < best.payback())) {
        best = store;
      }
    }
    if (best != null) {
      best.asks(nowNanos);
    }
    return Optional.ofNullable(best);
  }
}
