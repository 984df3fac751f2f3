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
package io.github.hybridhbase.space;

import io.github.hybridhbase.hdfs.SsdSpace;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** What the space monitor saw of SSD at one moment. Immutable. */
@InterfaceAudience.Private
public final class SpaceSnapshot {
  /** What came of a probe block. */
  @InterfaceAudience.Private
  public enum ProbeResult {
    /** None was asked for. */
    NONE,
    /** SSD took every replica. */
    GOOD,
    /** HDFS put replicas elsewhere, all of them: no SSD, but no harm. */
    ELSEWHERE,
    /** HDFS refused the block, or wrote fewer replicas than it does on DISK. */
    REFUSED
  }

  private final Optional<SsdSpace> space;
  private final Headroom headroom;
  private final int serversInTrouble;
  private final ProbeResult probe;
  private final boolean settled;

  /**
   * Describes a look before a probe.
   *
   * @param space what HDFS said of its SSDs; empty where it cannot be read
   * @param headroom what a DataNode needs
   * @param serversInTrouble servers whose WALs fell back to DISK
   */
  public SpaceSnapshot(Optional<SsdSpace> space, Headroom headroom, int serversInTrouble) {
    this(space, headroom, serversInTrouble, ProbeResult.NONE, true);
  }

  private SpaceSnapshot(
      Optional<SsdSpace> space,
      Headroom headroom,
      int serversInTrouble,
      ProbeResult probe,
      boolean settled) {
    this.space = space;
    this.headroom = headroom;
    this.serversInTrouble = serversInTrouble;
    this.probe = probe;
    this.settled = settled;
  }

  /** The same look with what came of a probe. */
  public SpaceSnapshot with(ProbeResult result) {
    return new SpaceSnapshot(space, headroom, serversInTrouble, result, settled);
  }

  /**
   * The same look where the space on SSD is not certain, see {@link Settling}: nothing comes back,
   * and nothing but a refused probe block takes anything away.
   */
  public SpaceSnapshot unsettled() {
    return new SpaceSnapshot(Optional.empty(), headroom, serversInTrouble, probe, false);
  }

  Optional<SsdSpace> space() {
    return space;
  }

  /** What a DataNode needs free. */
  public Headroom headroom() {
    return headroom;
  }

  boolean settled() {
    return settled;
  }

  int serversInTrouble() {
    return serversInTrouble;
  }

  ProbeResult probe() {
    return probe;
  }

  /** Whether SSD is known to be absent: then HDFS itself goes to DISK, and there is no danger. */
  boolean noSsd() {
    return space.isPresent() && space.get().capacity() == 0;
  }

  @Override
  public String toString() {
    return space
            .map(SsdSpace::toString)
            .orElse(settled ? "SSD space cannot be read" : "SSD space is not certain yet")
        + ", headroom for a DataNode "
        + headroom
        + ", probe "
        + probe
        + ", servers that fell back "
        + serversInTrouble;
  }
}
