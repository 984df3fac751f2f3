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

import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** The findings of one view, and what could not be checked. Not thread-safe. */
@InterfaceAudience.Private
public final class Diagnosis {
  private final List<Finding> findings = new ArrayList<>();

  /** What was not seen, by reason. */
  private final Map<String, List<String>> unseen = new LinkedHashMap<>();

  private final List<String> notChecked = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();

  public void add(FindingId id, String subject, Object... facts) {
    findings.add(Finding.of(id, subject, facts));
  }

  public void add(Finding finding) {
    findings.add(finding);
  }

  /** Except a finding that another look has about the same. */
  public void addAll(Diagnosis other) {
    List<Finding> before = List.copyOf(findings);
    other.findings.stream()
        .filter(one -> before.stream().noneMatch(mine -> isSame(mine, one)))
        .forEach(findings::add);
    notChecked.addAll(other.notChecked());
    missing.addAll(other.missing);
  }

  private static boolean isSame(Finding one, Finding other) {
    return one.id() == other.id() && (other.subject + " and ").startsWith(one.subject + " and ");
  }

  public <T> Optional<T> seen(String what, Observed<T> look) {
    if (look.seen().isEmpty()) {
      unseen.computeIfAbsent(look.why(), any -> new ArrayList<>()).add(what);
    }
    return look.seen();
  }

  public void need(String what, Observed<?> look) {
    if (look.seen().isEmpty()) {
      missing(what + ": " + look.why());
    }
  }

  public void missing(String text) {
    missing.add(text);
  }

  /** Unknown facts that the verdict needs, one phrase each. */
  public List<String> missing() {
    return missing;
  }

  public void unchecked(String text) {
    notChecked.add(text);
  }

  /** Worst first, with their causes. */
  public List<Finding> findings() {
    return Finding.sorted(findings);
  }

  public boolean has(FindingId id, String subject) {
    return findings.stream().anyMatch(one -> one.id() == id && one.subject.equals(subject));
  }

  /**
   * @param about a line
   */
  public Report report(String about) {
    return new Report(about, findings(), missing, notChecked());
  }

  public List<String> notChecked() {
    List<String> all = new ArrayList<>(notChecked);
    unseen.forEach((why, what) -> all.add(String.join(", ", what) + ": " + why));
    return all;
  }
}
