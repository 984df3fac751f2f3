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
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.yetus.audience.InterfaceAudience;

/** The gauges of the active master's last scan. */
@InterfaceAudience.Private
public final class ScanMetrics extends GaugeGroup {
  static final List<String> COMPONENTS =
      List.of("wal", "master", "meta", "tier", "archive", "user");

  private static final List<String> MEDIA = List.of("Ssd", "Disk", "Other", "Misplaced");

  private static final String MISPLACED = "misplacedBytes";
  private static final String MILLIS = "scanMillis";
  private static final String ENDED = "scanEndedSeconds";
  private static final String FILES = "scanFiles";

  ScanMetrics(MetricRegistry registry) {
    super(registry);
    declare(MISPLACED, "replicas of closed files on the wrong medium");
    for (String component : COMPONENTS) {
      for (String medium : MEDIA) {
        declare(name(component, medium), "replicas of the component's files");
      }
    }
    declare(MILLIS, "duration of the last whole scan");
    declare(ENDED, "its end, since 1970; 0 before the first");
    declare(FILES, "files that it saw");
  }

  private static String name(String component, String medium) {
    return "bytes" + Character.toUpperCase(component.charAt(0)) + component.substring(1) + medium;
  }

  /** One thread. */
  @InterfaceAudience.Private
  public final class Result {
    private final Object source;
    private final Map<String, Long> values = new HashMap<>();

    private Result(Object source) {
      this.source = source;
    }

    /**
     * In bytes of replicas.
     *
     * @param ssd like the next two, with open files
     * @param misplaced of closed files only
     */
    public void component(String component, long ssd, long disk, long other, long misplaced) {
      values.put(name(component, "Ssd"), ssd);
      values.put(name(component, "Disk"), disk);
      values.put(name(component, "Other"), other);
      values.put(name(component, "Misplaced"), misplaced);
      values.merge(MISPLACED, misplaced, Long::sum);
    }

    /**
     * @param endedMillis since 1970
     */
    public void ended(long millis, long endedMillis, long files) {
      values.put(MILLIS, millis);
      values.put(ENDED, endedMillis / 1_000);
      values.put(FILES, files);
      publish(source, values);
    }
  }

  public Result result(Object source) {
    return new Result(source);
  }
}
