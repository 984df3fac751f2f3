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

import io.github.hybridhbase.config.Watermarks;
import io.github.hybridhbase.hdfs.SsdSpace;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Whether what is read of SSD can be relied on. After its restart a NameNode that is out of safe
 * mode may know some of its DataNodes only: little space, or none, and in the next looks what is
 * used comes back as if it had been written. So a reading counts once the number of DataNodes and
 * their SSD have stood for a while, but for a tenth; until then nothing is certain, as in the first
 * looks of a new master. Immutable.
 */
@InterfaceAudience.Private
public final class Settling {
  private static final long MOST_SECONDS = 60;

  /** DataNodes that come and go among many unsettle nothing, up to this share of them. */
  private static final double NEAR = 0.1;

  /**
   * Where it never stands still, one look counts after so many times the time to settle: the one
   * with the largest free share meanwhile, so that a single low reading takes nothing off SSD.
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

  /** Nothing was read yet; what is read settles in the dwell of the space monitor, 60 s at most. */
  public static Settling of(Watermarks watermarks) {
    return within(Math.min(TimeUnit.SECONDS.toNanos(MOST_SECONDS), watermarks.dwellNanos()));
  }

  /** Nothing was read yet; what is read settles in so many nanoseconds, 0 for at once. */
  public static Settling within(long nanos) {
    return new Settling(
        nanos, false, Optional.empty(), Optional.empty(), Optional.empty(), 0, 0, 0, true);
  }

  /**
   * The next look.
   *
   * @param read the space; empty where it could not be read, which is certain as well once nothing
   *     was read for the time to settle
   * @param now the clock's nanoseconds
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

  /** Whether the last look is certain, be it that the space could not be read. */
  public boolean settled() {
    return settled;
  }

  /**
   * The space of the last look, or the roomiest since it was certain last where it never stood
   * still; empty where it could not be read or is not certain.
   */
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
