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

/** The settings of one store's files of hot rows, see the keys {@code hbase.hybrid.hot.*}. */
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

  /** Of a store, with the table's and family's own, or of a server. */
  public static HotSettings of(Configuration conf) {
    return new HotSettings(
        HybridKeys.HOT_POLICY.get(conf),
        HybridKeys.HOT_SHARE.get(conf),
        (int) HybridKeys.HOT_PAYBACK.get(conf).getSeconds());
  }

  public boolean on() {
    return policy.wantsSsd();
  }

  public StoragePolicy policy() {
    return policy;
  }

  public int sharePercent() {
    return sharePercent;
  }

  /** The longest payback; 0 for no compaction of the plugin's own accord. */
  public int paybackSeconds() {
    return paybackSeconds;
  }
}
