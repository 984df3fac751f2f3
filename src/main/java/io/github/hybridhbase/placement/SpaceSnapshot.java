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
package io.github.hybridhbase.placement;

import io.github.hybridhbase.hdfs.SsdSpace;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** An observation of SSD by the space monitor. Immutable. */
@InterfaceAudience.Private
public final class SpaceSnapshot {
  @InterfaceAudience.Private
  public enum ProbeResult {
    NONE("no probe"),
    GOOD("a probe block on SSD"),
    /** HDFS accepted the block and placed it on another medium. */
    ELSEWHERE("a probe block on another medium than SSD"),
    /** The block was refused, or has fewer replicas than on DISK. */
    REFUSED("a refused probe block");

    private final String text;

    ProbeResult(String text) {
      this.text = text;
    }
  }

  private final Optional<SsdSpace> space;
  private final Headroom headroom;
  private final ProbeResult probe;
  private final boolean settled;

  /**
   * @param space empty if unreadable
   */
  public SpaceSnapshot(Optional<SsdSpace> space, Headroom headroom) {
    this(space, headroom, ProbeResult.NONE, true);
  }

  private SpaceSnapshot(
      Optional<SsdSpace> space, Headroom headroom, ProbeResult probe, boolean settled) {
    this.space = space;
    this.headroom = headroom;
    this.probe = probe;
    this.settled = settled;
  }

  public SpaceSnapshot with(ProbeResult result) {
    return new SpaceSnapshot(space, headroom, result, settled);
  }

  public SpaceSnapshot unsettled() {
    return new SpaceSnapshot(Optional.empty(), headroom, probe, false);
  }

  Optional<SsdSpace> space() {
    return space;
  }

  public Headroom headroom() {
    return headroom;
  }

  boolean settled() {
    return settled;
  }

  ProbeResult probe() {
    return probe;
  }

  /** Whether SSD is known to be absent; HDFS itself then uses DISK. */
  boolean noSsd() {
    return space.isPresent() && space.get().capacity() == 0;
  }

  /** Why a component is demoted, for people. */
  String why() {
    return (probe == ProbeResult.REFUSED
            ? "SSD refused a probe block: if it has space, look for a quota, load or failed volumes"
                + " ('hbase-hybrid doctor'). "
            : "")
        + this;
  }

  @Override
  public String toString() {
    return space
            .map(SsdSpace::toString)
            .orElse(settled ? "SSD space cannot be read" : "SSD space is not certain yet")
        + ", headroom for a DataNode "
        + headroom
        + ", "
        + probe.text;
  }
}
