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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Divides the memory of sketches among one server's stores whose compactions may be split, and
 * chooses the one whose compaction pays first. For the tier's thread.
 */
@InterfaceAudience.Private
public final class HotRows {
  /** 1 % of a heap of 4 GB. */
  static final long MOST_BYTES = 40L << 20;

  private final String server;

  public HotRows(String server) {
    this.server = server;
  }

  public void turn(Collection<HotStore> all, long nowNanos) {
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
                .map(store -> store.heat)
                .filter(heat -> heat.sketch != null)
                .collect(Collectors.toList()),
            MOST_BYTES);
    all.stream() // one file a turn, of the store that has waited longest
        .filter(HotStore::isToWrite)
        .max(Comparator.comparingLong(store -> nowNanos - store.writtenNanos))
        .ifPresent(store -> store.write(nowNanos));
    tell(all, bytes);
  }

  /**
   * Gives each store the memory that its sketch wants; if that is too much in total, at most its
   * part of the gain.
   *
   * @return bytes in use
   */
  static long divide(List<StoreHeat> all, long mostBytes) {
    long wanted = all.stream().mapToLong(heat -> heat.sketch.wantedBytes()).sum();
    double gains = Math.max(1e-9, all.stream().mapToDouble(heat -> heat.gain).sum());
    for (StoreHeat heat : all) {
      heat.sketch.fit(
          wanted <= mostBytes ? Long.MAX_VALUE : (long) (mostBytes * (heat.gain / gains)));
    }
    return all.stream().mapToLong(heat -> heat.sketch.bytes()).sum();
  }

  private void tell(Collection<HotStore> all, long sketchBytes) {
    double payback = all.stream().mapToDouble(store -> store.payback).min().orElse(0);
    Map<String, Long> gauges = new HashMap<>();
    gauges.put("hotBytes", all.stream().mapToLong(HotStore::hotBytes).sum());
    gauges.put(
        "hotDiskReads",
        Math.round(all.stream().mapToDouble(store -> store.reads.diskPerSecond).sum()));
    gauges.put("hotGetsPercent", percent(all, store -> store.caughtNow));
    for (int i = 0; i < HybridMetrics.HOT_SHARES.length; i++) {
      int share = i;
      gauges.put(HybridMetrics.HOT_CAUGHT_BY.get(i), percent(all, store -> store.caughtBy(share)));
    }
    gauges.put("hotSketchBytes", sketchBytes);
    gauges.put("hotPaybackSeconds", Double.isInfinite(payback) ? 0 : Math.round(payback));
    HybridMetrics.get().hot.publish(server, gauges);
  }

  private static long percent(Collection<HotStore> all, ToDoubleFunction<HotStore> share) {
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
   * @param room bytes of SSD for a store's hot files, one replica
   */
  public static Optional<HotStore> choose(
      Collection<HotStore> all, ToLongFunction<HotStore> room, long nowNanos) {
    double bytes = Math.max(1, all.stream().mapToLong(HotStore::bytes).sum());
    Optional<HotStore> best =
        all.stream()
            .filter(store -> store.heat.sketch != null)
            .filter(
                store -> {
                  long cache = (long) (store.cacheBytes() * (store.bytes() / bytes));
                  return store.pays(room.applyAsLong(store), cache, nowNanos);
                })
            .min(Comparator.comparingDouble(store -> store.payback));
    best.ifPresent(store -> store.asks(nowNanos));
    return best;
  }
}
