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

import io.github.hybridhbase.directory.DirectoryState;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** What one turn of the {@link ScanChore} saw; nobody changes it any more. Any thread. */
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
   * Describes a turn that ends now.
   *
   * @param began milliseconds since 1970
   * @param waiting what existing data waits to be moved; empty where none does
   * @param complete whether it came to its end
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

  /** When it began, in milliseconds since 1970. */
  public long began() {
    return began;
  }

  /** How long it took. */
  public long millis() {
    return millis;
  }

  /** The directories that are placed. */
  public List<DirectoryState> found() {
    return found;
  }

  /** Files, added up. */
  public ScanReport report() {
    return report;
  }

  /** What the SSD tier has on SSD. */
  public TierTotals tier() {
    return tier;
  }

  /** What the files were held against. */
  public Expectation expectation() {
    return expectation;
  }

  /** What existing data waits to be moved; empty where none does. */
  public Optional<String> waiting() {
    return waiting;
  }

  /** Whether it came to its end. */
  public boolean complete() {
    return complete;
  }
}
