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
package io.github.hybridhbase.bed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One DataNode of three, each a process, or all of them, are stopped at random moments under load;
 * then the RegionServer is killed. The times are printed and decide nothing.
 *
 * <p>{@code -Dstall.what=stock} is HBase alone, {@code off} the plugin without fail-over; {@code
 * -Dstall.writers=1,10,100 -Dstall.stops=5 -Dstall.seconds=10 -Dstall.seed=N}.
 */
@Tag("long")
class StallIT {
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  @ParameterizedTest
  @ValueSource(strings = {"hflush", "hsync"})
  void nothingAcknowledgedIsLostAndNoServerAborts(String sync) throws Exception {
    String seed = System.getProperty("stall.seed", Long.toString(System.nanoTime()));
    System.out.println("StallIT -Dstall.seed=" + seed);
    StallBench.Outcome outcome =
        StallBench.measure(
            StallBench.kind(),
            System.getProperty("stall.what", "plugin"),
            sync,
            System.getProperty("stall.writers", "10"),
            System.getProperty("stall.stops", "2"),
            System.getProperty("stall.seconds", "10"),
            seed);
    assertTrue(outcome.values > 0);
    assertTrue(outcome.failOvers > 0 || !oneOfThePlugin(), "as the plugin is shipped");
    assertEquals(0, outcome.lost);
    assertEquals(List.of(), outcome.aborts);
    // Away and back, its own WAL and that of hbase:meta.
    assertTrue(outcome.mostRolls <= 4, outcome.mostRolls + " rolls of a server for one stop");
  }

  private static boolean oneOfThePlugin() {
    return StallBench.kind() == Stalls.Kind.ONE
        && System.getProperty("stall.what", "plugin").equals("plugin");
  }

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void noDataNodeIsLeftWhereAllStop() throws Exception {
    StallBench.Outcome outcome =
        StallBench.measure(Stalls.Kind.ALL, "plugin", "hflush", "3", "3", "5", "1");
    assertTrue(outcome.values > 0);
    assertEquals(0, outcome.failOvers, "each would be a false alarm");
    assertEquals(0, outcome.lost);
    assertEquals(List.of(), outcome.aborts);
  }
}
