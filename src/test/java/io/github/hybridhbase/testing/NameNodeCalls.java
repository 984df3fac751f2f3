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
package io.github.hybridhbase.testing;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.test.LambdaTestUtils.VoidCallable;
import org.apache.hadoop.test.MetricsAsserts;
import org.apache.yetus.audience.InterfaceAudience;

/** What the NameNode of a {@link TypedCluster} was asked, by its own counters. Immutable. */
@InterfaceAudience.Private
public final class NameNodeCalls {
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

  private final String source;
  private final String[] names;

  /**
   * Counts these calls.
   *
   * @param names as HDFS's metrics have them, such as {@code GetListing}
   */
  public NameNodeCalls(TypedCluster cluster, String... names) {
    this.source = "RpcDetailedActivityForPort" + cluster.hdfs().getNameNodePort();
    this.names = names.clone();
  }

  /**
   * All so far, by name; 0 for what was never asked. HDFS counts a call after it has answered it,
   * so what is read has stood still for a moment.
   */
  public Map<String, Long> soFar() {
    Map<String, Long> before = read();
    while (true) {
      LockSupport.parkNanos(SETTLE_NANOS); // there is no event to await
      Map<String, Long> now = read();
      if (now.equals(before)) {
        return now;
      }
      before = now;
    }
  }

  private Map<String, Long> read() {
    MetricsRecordBuilder metrics = MetricsAsserts.getMetrics(source);
    Map<String, Long> counts = new TreeMap<>();
    for (String name : names) {
      try {
        counts.put(name, MetricsAsserts.getLongCounter(name + "NumOps", metrics));
      } catch (AssertionError e) {
        counts.put(name, 0L); // HDFS has no counter of a call before the first one
      }
    }
    return counts;
  }

  /** Those of some work, by name; without what it did not ask. */
  public Map<String, Long> of(VoidCallable work) throws Exception {
    Map<String, Long> before = soFar();
    work.call();
    Map<String, Long> asked = soFar();
    asked.replaceAll((name, count) -> count - before.get(name));
    asked.values().removeIf(count -> count == 0);
    return asked;
  }
}
