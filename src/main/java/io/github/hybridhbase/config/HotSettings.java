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

import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** How files of hot rows are made of one store, see the keys {@code hbase.hybrid.hot.*}. */
@InterfaceAudience.Private
public final class HotSettings {
  private final StoragePolicy policy;
  private final int sharePercent;
  private final int paybackSeconds;

  private HotSettings(StoragePolicy policy, int sharePercent, int paybackSeconds) {
    this.policy = policy;
    this.sharePercent = sharePercent;
    this.paybackSeconds = paybackSeconds;
  }

  /** Those of a store, or of a server: the table's and family's own are in the store's. */
  public static HotSettings of(Configuration conf) {
    return new HotSettings(
        HybridKeys.HOT_POLICY.get(conf),
        HybridKeys.HOT_SHARE.get(conf),
        (int) HybridKeys.HOT_PAYBACK.get(conf).getSeconds());
  }

  /** Whether compactions are split at all. */
  public boolean on() {
    return policy.wantsSsd();
  }

  /** What a file of hot rows is written under. */
  public StoragePolicy policy() {
    return policy;
  }

  /** Percent of a store's bytes, at most. */
  public int sharePercent() {
    return sharePercent;
  }

  /** The longest payback; 0 for no compaction of the plugin's own accord. */
  public int paybackSeconds() {
    return paybackSeconds;
  }
}
