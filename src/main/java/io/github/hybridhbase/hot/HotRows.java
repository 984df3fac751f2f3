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

import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The stores of one server whose compactions may be split. Divides the sketches' memory, and
 * chooses the store whose compaction pays first. {@link #add} and {@link #remove} are for any
 * thread, the rest for the tier's.
 */
@InterfaceAudience.Private
public final class HotRows {
  /** 1 % of a heap of 4 GB. */
  static final long MOST_BYTES = 40L << 20;

  private final String server;
  private final Set<HotStore> stores = ConcurrentHashMap.newKeySet();

  public HotRows(String server) {
    this.server = server;
  }

  public void add(HotStore store) {
    stores.add(store);
  }

  public void remove(HotStore store) {
    stores.remove(store);
  }

  public List<HotStore> stores() {
    return new ArrayList<>(stores);
  }

  public void turn(long nowNanos) {
    List<HotStore> all = stores();
    for (HotStore store : all) {
      try {
        store.turn(nowNanos);
      } catch (RuntimeException e) {
        Failures.swallowed("A store's reads could not be looked at; others go on.", e);
      }
    }
    long bytes =
        divide(
            all.stream()
                .map(HotStore::heat)
                .filter(heat -> heat.sketch() != null)
                .collect(Collectors.toList()),
            MOST_BYTES);
    boolean unused = all.stream().anyMatch(HotStore::write); // one file a turn
    tell(all, bytes);
  }

  /**
   * Gives each store the memory that its sketch wants; if that is too much in total, at most its
   * part of the gain.
   *
   * @return bytes in use
   */
  static long divide(List<StoreHeat> all, long mostBytes) {
    long wanted = all.stream().mapToLong(heat -> heat.sketch().wantedBytes()).sum();
    double gains = Math.max(1e-9, all.stream().mapToDouble(heat -> heat.gain).sum());
    for (StoreHeat heat : all) {
      heat.sketch()
          .fit(wanted <= mostBytes ? Long.MAX_VALUE : (long) (mostBytes * (heat.gain / gains)));
    }
    return all.stream().mapToLong(heat -> heat.sketch().bytes()).sum();
  }

  private void tell(List<HotStore> all, long sketchBytes) {
    double payback = all.stream().mapToDouble(HotStore::payback).min().orElse(0);
    Map<String, Long> gauges = new HashMap<>();
    gauges.put("hotBytes", all.stream().mapToLong(HotStore::hotBytes).sum());
    gauges.put(
        "hotDiskReads",
        Math.round(all.stream().mapToDouble(store -> store.reads.diskPerSecond).sum()));
    gauges.put("hotGetsPercent", percent(all, HotStore::caughtNow));
    for (int i = 0; i < HybridMetrics.HOT_SHARES.length; i++) {
      int share = i;
      gauges.put(HybridMetrics.HOT_CAUGHT_BY.get(i), percent(all, store -> store.caughtBy(share)));
    }
    gauges.put("hotSketchBytes", sketchBytes);
    gauges.put("hotPaybackSeconds", Double.isInfinite(payback) ? 0 : Math.round(payback));
    HybridMetrics.get().hot.publish(server, gauges);
  }

  private static long percent(List<HotStore> all, ToDoubleFunction<HotStore> share) {
    double reads = 0;
    double sum = 0;
    for (HotStore store : all) {
      double known = share.applyAsDouble(store);
      if (!Double.isNaN(known)) {
        reads += store.reads.perSecond();
        sum += store.reads.perSecond() * known;
      }
    }
    return reads > 0 ? Math.round(100 * sum / reads) : 0;
  }

  /**
   * The store whose compaction is to be requested, if any.
   *
   * @param room bytes of SSD for a store's hot files, all replicas
   */
  public Optional<HotStore> choose(
      ToLongFunction<HotStore> room, ToLongFunction<HotStore> hotReplicas, long nowNanos) {
    HotStore best = null;
    List<HotStore> all = stores();
    double bytes = Math.max(1, all.stream().mapToLong(HotStore::bytes).sum());
    for (HotStore store : all) {
      boolean pays =
          store.heat().sketch() != null
              && store.pays(
                  room.applyAsLong(store),
                  (int) hotReplicas.applyAsLong(store),
                  (long) (store.cacheBytes() * (store.bytes() / bytes)),
                  nowNanos);
      if (pays && (best == null || store.payback() < best.payback())) {
        best = store;
      }
    }
    if (best != null) {
      best.asks(nowNanos);
    }
    return Optional.ofNullable(best);
  }
}
