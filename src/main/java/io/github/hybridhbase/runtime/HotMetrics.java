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

import java.util.Map;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.yetus.audience.InterfaceAudience;

/** Gauges of this server's files of hot rows after its last turn. */
@InterfaceAudience.Private
public final class HotMetrics extends GaugeGroup {
  private static final String BYTES = "hotBytes";
  private static final String DISK = "hotDiskReads";
  private static final String CAUGHT = "hotGetsPercent";
  private static final String SKETCHES = "hotSketchBytes";
  private static final String PAYBACK = "hotPaybackSeconds";

  HotMetrics(MetricRegistry registry) {
    super(registry);
    declare(BYTES, "bytes", "lengths of this server's files of hot rows");
    declare(
        DISK,
        "blocks a second",
        "blocks that stores which may have hot rows read from files on DISK");
    declare(
        CAUGHT,
        "percent",
        "share of the counted reads of single rows whose row is in a file of hot rows");
    declare(SKETCHES, "bytes", "memory that counts reads by row");
    declare(
        PAYBACK,
        "seconds",
        "shortest time in which a compaction for hot rows would pay now; 0 if none would");
  }

  /**
   * @param caughtPercent of the stores that have a file of hot rows
   */
  public void seen(
      String server,
      long bytes,
      long diskReads,
      long caughtPercent,
      long sketchBytes,
      long paybackSeconds) {
    tell(
        server,
        Map.of(
            BYTES,
            bytes,
            DISK,
            diskReads,
            CAUGHT,
            caughtPercent,
            SKETCHES,
            sketchBytes,
            PAYBACK,
            paybackSeconds));
  }
}
