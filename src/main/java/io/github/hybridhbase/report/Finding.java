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
import io.github.hybridhbase.report.FindingId.Stage;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** An observation for an operator, with its consequence and remedy. */
@InterfaceAudience.Private
public final class Finding {
  private final FindingId id;
  private final String subject;
  private final String seen;
  private final String remedy;
  private final long weight;
  private final Optional<FindingId> cause;

  Finding(FindingId id, String subject, String seen, String remedy, long weight) {
    this(id, subject, seen, remedy, weight, Optional.empty());
  }

  private Finding(
      FindingId id,
      String subject,
      String seen,
      String remedy,
      long weight,
      Optional<FindingId> cause) {
    this.cause = cause;
    this.id = id;
    this.subject = subject;
    this.seen = seen;
    this.remedy = remedy;
    this.weight = weight;
  }

  /**
   * @param subject a path, a key or a server
   * @param facts values in the order in which their names first appear in {@link FindingId#seen},
   *     then in {@link FindingId#remedy}
   */
  public static Finding of(FindingId id, String subject, Object... facts) {
    List<String> words = id.filled(subject, facts);
    return new Finding(id, subject, words.get(0), words.get(1), 0);
  }

  public Finding withWeight(long other) {
    return new Finding(id, subject, seen, remedy, other);
  }

  /** Replaces the remedy by that of another finding, which must not have facts. */
  public Finding withRemedyOf(FindingId other) {
    return new Finding(id, subject, seen, other.remedy(), weight);
  }

  public FindingId id() {
    return id;
  }

  public String subject() {
    return subject;
  }

  public String seen() {
    return seen;
  }

  public String remedy() {
    return remedy;
  }

  /** The finding that explains this one; empty if none of the list it was sorted in does. */
  public Optional<FindingId> cause() {
    return cause;
  }

  /**
   * Returns the findings, worst first, with their causes. Those of the chain stay together, causes
   * before consequences, at the place of the worst of them.
   */
  public static List<Finding> sorted(List<Finding> findings) {
    Optional<FindingId> cause =
        findings.stream()
            .map(Finding::id)
            .filter(id -> id.stage() == Stage.SSD && id.severity() != Severity.NOTE)
            .min(
                Comparator.comparing(Finding::follows)
                    .thenComparing(FindingId::severity)
                    .thenComparing(id -> id));
    Severity chain =
        findings.stream()
            .filter(f -> f.id.stage() != Stage.OTHER)
            .map(f -> f.id.severity())
            .min(Comparator.naturalOrder())
            .orElse(Severity.NOTE);
    return findings.stream()
        .sorted(
            Comparator.comparing((Finding f) -> f.place(chain, cause.isPresent()))
                .thenComparing(f -> f.id.stage())
                .thenComparing(f -> follows(f.id))
                .thenComparing(f -> f.id.severity())
                .thenComparing(f -> -f.weight)
                .thenComparing(f -> f.id)
                .thenComparing(f -> f.subject))
        .map(f -> f.explained(cause))
        .collect(Collectors.toList());
  }

  /** A note goes with the chain only below a cause. */
  private Severity place(Severity chain, boolean explained) {
    boolean its = id.stage() != Stage.OTHER && (explained || id.severity() != Severity.NOTE);
    return its ? chain : id.severity();
  }

  private Finding explained(Optional<FindingId> by) {
    Optional<FindingId> now = follows(id) ? by.filter(one -> one != id) : Optional.empty();
    return now.equals(cause) ? this : new Finding(id, subject, seen, remedy, weight, now);
  }

  private static boolean follows(FindingId id) {
    return id == FindingId.SSD_REFUSES || id.stage().isOffSsd();
  }

  public static boolean serious(List<Finding> findings) {
    return findings.stream().anyMatch(f -> f.id.severity() != Severity.NOTE);
  }

  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", id.id());
    json.put("severity", id.severity().name());
    json.put("subject", subject);
    json.put("seen", seen);
    json.put("cause", cause.map(FindingId::id).orElse(null));
    json.put("causes", id.causes());
    json.put("remedy", remedy);
    return json;
  }

  /** What was seen, its consequence and the remedy in one line. */
  public String explain() {
    return seen + " " + id.causes() + " " + remedy;
  }

  public String line() {
    return subject + ": " + explain();
  }

  @Override
  public String toString() {
    return id.severity() + " " + id.id() + " " + subject + ": " + seen;
  }
}
