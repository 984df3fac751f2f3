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

import io.github.hybridhbase.report.FindingId.Severity;
import io.github.hybridhbase.runtime.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/** A one-line summary of findings. */
@InterfaceAudience.Private
public final class Verdict {
  private final List<Finding> findings;
  private final List<String> missing;

  public Verdict(List<Finding> findings, List<String> missing) {
    this.findings = List.copyOf(findings);
    this.missing = List.copyOf(missing);
  }

  /** At least WARNING if a fact is missing; NOTE for no findings. */
  public Severity worst() {
    Severity worst =
        findings.stream()
            .map(finding -> finding.id().severity)
            .min(Severity::compareTo)
            .orElse(Severity.NOTE);
    return worst == Severity.NOTE && !missing.isEmpty() ? Severity.WARNING : worst;
  }

  /**
   * {@code errors}, {@code warnings}, {@code notes} or {@code fine}; {@code unknown} if a fact is
   * missing and there is no error.
   */
  public String level() {
    Severity worst = worst();
    if (worst != Severity.ERROR && !missing.isEmpty()) {
      return "unknown";
    }
    return findings.isEmpty() ? "fine" : worst.name().toLowerCase(Locale.ROOT) + "s";
  }

  private String counts() {
    List<String> parts = new ArrayList<>();
    for (Severity severity : Severity.values()) {
      long count = findings.stream().filter(f -> f.id().severity == severity).count();
      if (count > 0) {
        parts.add(Text.count(count, severity.name().toLowerCase(Locale.ROOT)));
      }
    }
    return parts.isEmpty() ? "no findings" : String.join(", ", parts);
  }

  /** OK, WARNING, NOT OK or NOT KNOWN, and the number of findings. */
  public String line() {
    switch (level()) {
      case "errors":
        return "NOT OK: " + counts();
      case "unknown":
        return "NOT KNOWN: " + counts() + "; not seen: " + missing.get(0);
      case "warnings":
        return "WARNING: " + counts();
      default:
        return "OK: " + counts();
    }
  }
}
