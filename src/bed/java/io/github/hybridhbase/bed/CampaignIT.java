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

import io.github.hybridhbase.testing.Line;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A campaign of faults: two minutes, or {@code -Dcampaign.minutes=60} and {@code
 * -Dcampaign.faults=200}, whichever ends later; {@code -Dhybrid.seed=N} repeats one, {@code
 * -Dcampaign.stock=true} on stock HBase, {@code -Dcampaign.kinds=LOSE_SSD,ROLL} of these kinds only
 * ({@link Fault.Kind}). Its report is written to {@code target/campaign}. Which servers aborted is
 * reported and decides nothing: stock under the same seed is what to compare with.
 */
@InterfaceAudience.Private
@Tag("long")
class CampaignIT {
  @Test
  @Timeout(value = 4, unit = TimeUnit.HOURS)
  void noAcknowledgedRowIsLost() throws Exception {
    long seed = Long.getLong("hybrid.seed", System.nanoTime());
    boolean stock = Boolean.getBoolean("campaign.stock");
    Duration length = Duration.ofMinutes(Long.getLong("campaign.minutes", 2));
    int faults = Integer.getInteger("campaign.faults", 0);
    Set<Fault.Kind> kinds = EnumSet.noneOf(Fault.Kind.class);
    for (String kind : System.getProperty("campaign.kinds", "").split(",")) {
      if (!kind.isEmpty()) {
        kinds.add(Fault.Kind.valueOf(kind));
      }
    }
    boolean hot = Boolean.getBoolean("campaign.hot");
    System.out.println("-Dhybrid.seed=" + seed);
    Line line = System.getProperty("hbase.line") == null ? Line.built() : Lines.one();
    Path into =
        Files.createDirectories(Line.base().resolve("target/campaign"))
            .resolve((stock ? "stock-" : "plugin-") + seed + ".md");
    Campaign campaign =
        new Campaign(
            line, seed, stock, kinds.isEmpty() ? EnumSet.allOf(Fault.Kind.class) : kinds, hot);
    CampaignReport report = campaign.run(into, length, faults);
    System.out.println(report.text());
    assertTrue(report.faults() > 0, "no fault was made");
    assertEquals(List.of(), report.neverDone(), "what never happened");
  }
}
