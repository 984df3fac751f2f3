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
package io.github.hybridhbase.report;

import io.github.hybridhbase.report.FindingId.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/** A one-line summary of findings. */
@InterfaceAudience.Private
public final class Verdict {
  private final List<Finding> findings;
  private final List<String> missing;

  public Verdict(List<Finding> findings) {
    this(findings, List.of());
  }

  /**
   * @param missing facts that the verdict needs and that are unknown, one phrase each
   */
  public Verdict(List<Finding> findings, List<String> missing) {
    this.findings = List.copyOf(findings);
    this.missing = List.copyOf(missing);
  }

  /** The worst severity, at least WARNING if a fact is missing; NOTE for no findings. */
  public Severity worst() {
    Severity worst =
        findings.stream()
            .map(finding -> finding.id().severity())
            .min(Severity::compareTo)
            .orElse(Severity.NOTE);
    return worst == Severity.NOTE && !missing.isEmpty() ? Severity.WARNING : worst;
  }

  /**
   * {@code errors}, {@code warnings}, {@code notes} or {@code fine}; {@code unknown} if a fact is
   * missing.
   */
  public String level() {
    Severity worst = worst();
    if (worst != Severity.ERROR && !missing.isEmpty()) {
      return "unknown";
    }
    return findings.isEmpty() ? "fine" : worst.name().toLowerCase(Locale.ROOT) + "s";
  }

  /** The number per severity, as {@code 1 error, 2 warnings}, or {@code no findings}. */
  public String counts() {
    List<String> parts = new ArrayList<>();
    for (Severity severity : Severity.values()) {
      long count = findings.stream().filter(f -> f.id().severity() == severity).count();
      if (count > 0) {
        parts.add(Text.count(count, severity.name().toLowerCase(Locale.ROOT)));
      }
    }
    return parts.isEmpty() ? "no findings" : String.join(", ", parts);
  }

  /**
   * Returns one of these meanings with the counts; "Not known" if a fact is missing and there is no
   * error.
   *
   * @param error meaning if there is an error
   * @param warning meaning if there is a warning and no error
   * @param fine meaning otherwise
   */
  public String line(String error, String warning, String fine) {
    Severity worst = worst();
    if (worst != Severity.ERROR && !missing.isEmpty()) {
      return "Not known, since this was not seen: " + missing.get(0) + " (" + counts() + ").";
    }
    String meaning = worst == Severity.ERROR ? error : worst == Severity.WARNING ? warning : fine;
    return meaning + " (" + counts() + ").";
  }

  /** The line of a scanned placement. */
  public String ofPlacement() {
    boolean observed = findings.stream().anyMatch(finding -> finding.id() == FindingId.OBSERVED);
    if (observed && missing.isEmpty() && worst() == Severity.NOTE) {
      return "Observed: the declaration is not enforced (" + counts() + ").";
    }
    boolean off =
        findings.stream()
            .map(Finding::id)
            .map(FindingId::stage)
            .anyMatch(stage -> stage == Stage.WALS || stage == Stage.DEMOTION);
    if (off && missing.isEmpty() && worst() == Severity.WARNING) {
      return "Not all that is declared for SSD goes there (" + counts() + ").";
    }
    return line(
        "The placement does not hold",
        "The placement holds, but something is in its way",
        "Everything is where it is declared to be");
  }
}
