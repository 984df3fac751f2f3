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
package io.github.hybridhbase.page;

import io.github.hybridhbase.placement.ClusterLook;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.SpaceLook;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.scan.ScanChore.ScanTurn;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A cluster's placement as {@code check} or the active master saw it. Findings, text, JSON and page
 * are functions of it. Immutable.
 */
@InterfaceAudience.Private
public final class PlacementSnapshot {
  final String source;
  final long at;
  public final Layout layout;
  public final HybridSettings settings;
  public final ClusterLook look;
  public final Optional<ScanTurn> scan;
  final String noScan;
  final Diagnosis others;

  /**
   * @param source for people
   * @param at milliseconds since 1970
   * @param scan empty before the first
   * @param noScan why there is no newer scan, a sentence; empty if current
   * @param others findings of other checks, and what they could not check
   */
  public PlacementSnapshot(
      String source,
      long at,
      Layout layout,
      HybridSettings settings,
      ClusterLook look,
      Optional<ScanTurn> scan,
      String noScan,
      Diagnosis others) {
    this.source = source;
    this.at = at;
    this.layout = layout;
    this.settings = settings;
    this.look = look;
    this.scan = scan;
    this.noScan = noScan;
    this.others = others;
  }

  /** A sentence if the HDFS has not answered for a while. */
  Optional<String> stale(SpaceLook space) {
    return space.isStale(at, settings.periodSeconds())
        ? Optional.of(
            "HDFS was last asked "
                + (at - space.at()) / 1_000
                + " s ago, and has not answered since.")
        : Optional.empty();
  }
}
