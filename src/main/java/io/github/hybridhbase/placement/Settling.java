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
import io.github.hybridhbase.runtime.Watermarks;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A filter that passes space readings only once they are stable. A NameNode that has left safe mode
 * may still know only some DataNodes: space seems low, then usage seems to grow. A reading passes
 * once DataNodes and capacity have stayed within a tenth for the settling time. Unsettled at first.
 * Immutable.
 */
@InterfaceAudience.Private
public final class Settling {
  private static final long MOST_SECONDS = 60;

  private static final double NEAR = 0.1;

  /**
   * Settling times after which an unstable reading passes: the one with the largest free
   * percentage, so that a single low reading demotes nothing.
   */
  private static final int PATIENCE = 10;

  private final long nanos;
  private final boolean looked;
  private final Optional<SsdSpace> latest;
  private final Optional<SsdSpace> roomiest;
  private final Optional<SsdSpace> reference;
  private final long referenceSince;
  private final long silentSince;
  private final long unsettledSince;
  private final boolean settled;

  private Settling(
      long nanos,
      boolean looked,
      Optional<SsdSpace> latest,
      Optional<SsdSpace> roomiest,
      Optional<SsdSpace> reference,
      long referenceSince,
      long silentSince,
      long unsettledSince,
      boolean settled) {
    this.nanos = nanos;
    this.looked = looked;
    this.latest = latest;
    this.roomiest = roomiest;
    this.reference = reference;
    this.referenceSince = referenceSince;
    this.silentSince = silentSince;
    this.unsettledSince = unsettledSince;
    this.settled = settled;
  }

  /** A filter that settles within the watermarks' dwell, at most 60 s. */
  public static Settling of(Watermarks watermarks) {
    return within(Math.min(TimeUnit.SECONDS.toNanos(MOST_SECONDS), watermarks.dwellNanos()));
  }

  /**
   * @param nanos settling time; 0 passes everything
   */
  public static Settling within(long nanos) {
    return new Settling(
        nanos, false, Optional.empty(), Optional.empty(), Optional.empty(), 0, 0, 0, true);
  }

  /**
   * @param read empty if unreadable, which is certain after the settling time
   * @param now nanoseconds
   */
  public Settling next(Optional<SsdSpace> read, long now) {
    long since = settled ? now : unsettledSince;
    if (read.isEmpty()) {
      long silent = latest.isPresent() || !looked ? now : silentSince;
      boolean certain = now - silent >= nanos;
      return new Settling(
          nanos, true, read, roomiest, reference, referenceSince, silent, since, certain);
    }
    boolean stands = reference.filter(before -> near(before, read.get())).isPresent();
    long standsSince = stands ? referenceSince : now;
    boolean stood = now - standsSince >= nanos;
    boolean certain = stood || now - since >= PATIENCE * nanos;
    Optional<SsdSpace> best = settled ? read : roomier(roomiest, read.get());
    return new Settling(
        nanos,
        true,
        certain && !stood ? best : read,
        best,
        stands ? reference : read,
        standsSince,
        silentSince,
        since,
        certain);
  }

  /** Whether the last reading is certain, even as "unreadable". */
  public boolean settled() {
    return settled;
  }

  /** The last reading, or the roomiest unstable one; empty if unreadable or uncertain. */
  public Optional<SsdSpace> certain() {
    return settled ? latest : Optional.empty();
  }

  private static Optional<SsdSpace> roomier(Optional<SsdSpace> before, SsdSpace now) {
    return before
        .filter(best -> best.freePercent() >= now.freePercent())
        .or(() -> Optional.of(now));
  }

  private static boolean near(SsdSpace before, SsdSpace now) {
    return near(before.nodes(), now.nodes()) && near(before.capacity(), now.capacity());
  }

  private static boolean near(long before, long now) {
    return Math.abs(now - before) <= NEAR * before;
  }
}
