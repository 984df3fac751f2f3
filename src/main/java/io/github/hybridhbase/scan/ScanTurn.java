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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.placement.DirectoryState;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** The immutable result of one turn of the {@link ScanChore}. */
@InterfaceAudience.Private
public final class ScanTurn {
  private final long began;
  private final long millis;
  private final List<DirectoryState> found;
  private final ScanReport report;
  private final TierTotals tier;
  private final Expectation expectation;
  private final Optional<String> waiting;
  private final boolean complete;

  /**
   * Creates the result of a turn that ends now.
   *
   * @param began milliseconds since 1970
   * @param waiting moves that await consent; empty if none
   * @param complete whether all files were seen
   */
  ScanTurn(
      long began,
      List<DirectoryState> found,
      ScanReport report,
      TierTotals tier,
      Expectation expectation,
      Optional<String> waiting,
      boolean complete) {
    this.began = began;
    this.millis = Math.max(0, System.currentTimeMillis() - began);
    this.found = List.copyOf(found);
    this.report = report;
    this.tier = tier;
    this.expectation = expectation;
    this.waiting = waiting;
    this.complete = complete;
  }

  /** Milliseconds since 1970. */
  public long began() {
    return began;
  }

  public long millis() {
    return millis;
  }

  public List<DirectoryState> found() {
    return found;
  }

  public ScanReport report() {
    return report;
  }

  public TierTotals tier() {
    return tier;
  }

  public Expectation expectation() {
    return expectation;
  }

  /** Moves that await consent; empty if none. */
  public Optional<String> waiting() {
    return waiting;
  }

  public boolean complete() {
    return complete;
  }
}
