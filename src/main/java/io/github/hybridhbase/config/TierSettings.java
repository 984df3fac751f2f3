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
package io.github.hybridhbase.config;

import org.apache.yetus.audience.InterfaceAudience;

/** The settings {@code hbase.hybrid.tmp.*} of the SSD tier. Immutable. */
@InterfaceAudience.Private
public final class TierSettings {
  private final TierBudget budget;
  private final int maxAgeSeconds;
  private final int drainRate;
  private final int periodSeconds;
  private final int writeDelayMillis;

  TierSettings(
      TierBudget budget,
      int maxAgeSeconds,
      int drainRate,
      int periodSeconds,
      int writeDelayMillis) {
    this.budget = budget;
    this.maxAgeSeconds = maxAgeSeconds;
    this.drainRate = drainRate;
    this.periodSeconds = periodSeconds;
    this.writeDelayMillis = writeDelayMillis;
  }

  public TierBudget budget() {
    return budget;
  }

  /** Age after which a file on SSD moves to DISK. */
  public int maxAgeSeconds() {
    return maxAgeSeconds;
  }

  /** Files per second that a server requests HDFS to move. */
  public int drainRate() {
    return drainRate;
  }

  public int periodSeconds() {
    return periodSeconds;
  }

  /** Maximum delay of a write call; 0 for none. */
  public int writeDelayMillis() {
    return writeDelayMillis;
  }
}
