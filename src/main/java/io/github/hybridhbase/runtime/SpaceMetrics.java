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

/** The gauges of the active master's last look at SSD, one observer per HDFS. */
@InterfaceAudience.Private
public final class SpaceMetrics extends GaugeGroup {
  private static final String CAPACITY = "ssdCapacityBytes";
  private static final String USED = "ssdUsedBytes";
  private static final String FREE = "ssdFreeBytes";
  private static final String NODES = "ssdDataNodes";
  private static final String SHORT = "ssdDataNodesWithoutHeadroom";
  private static final String HEADROOM = "ssdHeadroomBytes";
  private static final String LOOKS_KNOWN = "ssdSpaceKnown";
  private static final String DEMOTED = "componentsDemoted";

  SpaceMetrics(MetricRegistry registry) {
    super(registry);
    declare(CAPACITY, "bytes", "SSD of all DataNodes in service (active master)");
    declare(USED, "bytes", "blocks on SSD (active master)");
    declare(FREE, "bytes", "free on SSD (active master)");
    declare(NODES, "DataNodes", "DataNodes in service that have SSD (active master)");
    declare(
        SHORT,
        "DataNodes",
        "ssdDataNodes without the headroom: they may refuse a WAL (active master)");
    declare(HEADROOM, "bytes", "required free space on a DataNode's SSD (active master)");
    declare(
        LOOKS_KNOWN,
        "HDFS",
        "HDFS instances whose space on SSD is known and certain; fewer than usual if it could not"
            + " be read or has just changed (active master)");
    declare(DEMOTED, "components", "components demoted from SSD (active master)");
  }

  /**
   * Bytes.
   *
   * @param nodesShort DataNodes with less than the headroom free
   */
  public void known(
      Object monitor,
      long capacity,
      long used,
      long free,
      int nodes,
      int nodesShort,
      long headroom,
      int demoted) {
    Map<String, Long> values = new HashMap<>();
    values.put(CAPACITY, capacity);
    values.put(USED, used);
    values.put(FREE, free);
    values.put(NODES, (long) nodes);
    values.put(SHORT, (long) nodesShort);
    values.put(HEADROOM, headroom);
    values.put(LOOKS_KNOWN, 1L);
    values.put(DEMOTED, (long) demoted);
    publish(monitor, values);
  }

  /** Also for uncertain space. */
  public void unknown(Object monitor, int demoted) {
    publish(monitor, Map.of(DEMOTED, (long) demoted));
  }
}
