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

import io.github.hybridhbase.runtime.MetricDeclaration.GaugeGroup;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.yetus.audience.InterfaceAudience;

/** The gauges of the active master's last look at SSD. */
@InterfaceAudience.Private
public final class SpaceMetrics extends GaugeGroup {
  private static final String CAPACITY = "ssdCapacityBytes";
  private static final String USED = "ssdUsedBytes";
  private static final String FREE = "ssdFreeBytes";
  private static final String NODES = "ssdDataNodes";
  private static final String FULL = "ssdDataNodesFull";
  private static final String LOOKS_KNOWN = "ssdSpaceKnown";

  SpaceMetrics(MetricRegistry registry) {
    super(registry);
    declare(CAPACITY, "SSD of all DataNodes in service");
    declare(USED, "blocks on SSD");
    declare(FREE, "free on SSD");
    declare(NODES, "DataNodes in service that have SSD");
    declare(FULL, "… without space for a WAL's block");
    declare(LOOKS_KNOWN, "HDFS instances whose space on SSD is known");
  }

  /**
   * In bytes.
   *
   * @param nodesFull DataNodes without space for a WAL's block
   */
  public void known(Object monitor, long capacity, long used, long free, int nodes, int nodesFull) {
    Map<String, Long> values = new HashMap<>();
    values.put(CAPACITY, capacity);
    values.put(USED, used);
    values.put(FREE, free);
    values.put(NODES, (long) nodes);
    values.put(FULL, (long) nodesFull);
    values.put(LOOKS_KNOWN, 1L);
    publish(monitor, values);
  }

  /** Also for uncertain space. */
  public void unknown(Object monitor) {
    publish(monitor, Map.of());
  }
}
