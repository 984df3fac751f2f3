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
package io.github.hybridhbase.measure;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the RegionServer's bean of WALs says of their syncs in a span. The bean is renewed every ten
 * seconds or so, for the ten before: what it tells until it was renewed twice is also of the time
 * before the span. For one thread.
 */
@InterfaceAudience.Private
final class WalSyncs {
  private static final int RENEWALS = 2;

  private long syncs = -1;
  private int renewals = -1;
  private double most;

  /** The bean as it is now; may be missing. */
  void look(JsonNode bean) {
    long now = bean.path("SyncTime_num_ops").asLong(syncs);
    if (now != syncs) {
      syncs = now;
      renewals++;
    }
    if (renewals >= RENEWALS) {
      most = Math.max(most, bean.path("SyncTime_99th_percentile").asDouble());
    }
  }

  /**
   * The greatest 99th percentile, whole milliseconds; null where the span was too short to tell.
   */
  Double mostP99() {
    return renewals < RENEWALS ? null : most;
  }
}
