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
package io.github.hybridhbase.bench;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long flushes take, each of them: HBase's own histogram forgets with every snapshot. Set on
 * the table, so that the servers of all rivals carry it alike.
 */
@InterfaceAudience.Private
public final class FlushWatch implements RegionCoprocessor, RegionObserver {
  private static final Collection<Long> NANOS = new ConcurrentLinkedQueue<>();

  private final Map<Thread, Long> began = new ConcurrentHashMap<>();

  /** What flushes took since the last call. */
  static Percentiles take() {
    Percentiles all = Percentiles.of(NANOS);
    NANOS.clear();
    return all;
  }

  static int count() {
    return NANOS.size();
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preFlush(
      ObserverContext<RegionCoprocessorEnvironment> context, FlushLifeCycleTracker tracker) {
    began.put(Thread.currentThread(), System.nanoTime());
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> context, FlushLifeCycleTracker tracker) {
    Long start = began.remove(Thread.currentThread());
    if (start != null) {
      NANOS.add(System.nanoTime() - start);
    }
  }
}
