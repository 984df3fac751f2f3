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

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.testing.ClusterSpec;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What is compared: HBase by itself, the plugin without its SSD tier, with it, and with an SSD tier
 * that keeps files so briefly that HBase rewrites them to DISK while clients write.
 */
@InterfaceAudience.Private
enum TierRival {
  STOCK,
  OFF,
  ON,
  DRAINED;

  /** Whether files go to SSD. */
  boolean tiered() {
    return this == ON || this == DRAINED;
  }

  /** A cluster of it; the plugin as it ships, but for a budget and an age that fit minutes. */
  ClusterSpec configure(ClusterSpec spec, Options options) {
    switch (this) {
      case STOCK:
        return spec;
      case OFF:
        return spec.plugin().conf("hbase.hybrid.tier.policy", "NONE");
      default:
        return spec.plugin()
            // Else it opens with the first scan, and its space on SSD is certain after a minute.
            .conf(HybridKeys.MOVE_EXISTING.name(), "true")
            .conf(HybridKeys.SSD_DWELL.name(), "1s")
            .conf(HybridKeys.TIER_BUDGET.name(), (long) budgetMb(options) << 20)
            .conf(HybridKeys.TIER_MAX_AGE.name(), age(options) + "s")
            .conf(HybridKeys.SSD_PERIOD.name(), options.number("period", 1) + "s")
            .conf(
                HybridKeys.TIER_WRITE_DELAY.name(),
                options.text("delay", HybridKeys.TIER_WRITE_DELAY.defaultValue()));
    }
  }

  private int budgetMb(Options options) {
    int budget = options.number("budget.mb", 1024);
    return this == DRAINED ? options.number("drained.mb", budget) : budget;
  }

  private int age(Options options) {
    return this == DRAINED ? options.number("drained.age", 5) : options.number("age", 20);
  }
}
