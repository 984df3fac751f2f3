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
  /** The view of the cluster that a verdict is of. */
  @InterfaceAudience.Private
  public enum View {
    DOCTOR(
        "This cluster cannot do all that is declared",
        "This cluster can do what is declared, but something is in its way",
        "This cluster can do what is declared",
        "blocks ('hbase-hybrid audit')"),
    AUDIT("servers, settings ('hbase-hybrid doctor')"),
    PAGE("HDFS's settings ('hbase-hybrid doctor')");

    private final String error;
    private final String warning;
    private final String fine;
    private final String notChecked;

    View(String notChecked) {
      this(
          "The placement does not hold",
          "The placement holds, but something is in its way",
          "Everything is where it is declared to be",
          notChecked);
    }

    View(String error, String warning, String fine, String notChecked) {
      this.error = error;
      this.warning = warning;
      this.fine = fine;
      this.notChecked = notChecked;
    }

    public String notChecked() {
      return notChecked;
    }
  }

  private static final String MISPLACED = "Not everything is where it is declared to be";

  private final View view;
  private final List<Finding> findings;
  private final List<String> missing;

  public Verdict(View view, List<Finding> findings, List<String> missing) {
    this.view = view;
    this.findings = List.copyOf(findings);
    this.missing = List.copyOf(missing);
  }

  /** At least WARNING if a fact is missing; NOTE for no findings. */
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
   * missing and there is no error.
   */
  public String level() {
    Severity worst = worst();
    if (worst != Severity.ERROR && !missing.isEmpty()) {
      return "unknown";
    }
    return findings.isEmpty() ? "fine" : worst.name().toLowerCase(Locale.ROOT) + "s";
  }

  /** As {@code 1 error, 2 warnings}, or {@code no findings}. */
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
   * Without a warning or error also what this view does not look at; "Not known" if a fact is
   * missing and there is no error.
   */
  public String line() {
    Severity worst = worst();
    if (worst == Severity.ERROR) {
      return view.error + " (" + counts() + ").";
    }
    if (!missing.isEmpty()) {
      return "Not known, since this was not seen: " + missing.get(0) + " (" + counts() + ").";
    }
    if (worst == Severity.WARNING) {
      return warning() + " (" + counts() + ").";
    }
    return view.fine + " (" + counts() + "). Not checked here: " + view.notChecked + ".";
  }

  private String warning() {
    if (view == View.DOCTOR) {
      return view.warning;
    }
    boolean misplaced = findings.stream().anyMatch(one -> one.id() == FindingId.MISPLACED);
    return misplaced ? MISPLACED : view.warning;
  }
}
