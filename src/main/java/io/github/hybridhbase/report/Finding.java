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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** An observation for an operator, with its consequence and remedy. Immutable. */
@InterfaceAudience.Private
public final class Finding {
  private final FindingId id;
  private final String subject;
  private final String seen;
  private final String remedy;
  private final long weight;
  private final List<String> about;
  private final boolean forSsd;
  private final boolean alone;
  private final Optional<FindingId> cause;

  Finding(FindingId id, String subject, String seen, String remedy, long weight) {
    this(id, subject, seen, remedy, weight, List.of(), false, false, Optional.empty());
  }

  private Finding(
      FindingId id,
      String subject,
      String seen,
      String remedy,
      long weight,
      List<String> about,
      boolean forSsd,
      boolean alone,
      Optional<FindingId> cause) {
    this.id = id;
    this.subject = subject;
    this.seen = seen;
    this.remedy = remedy;
    this.weight = weight;
    this.about = about;
    this.forSsd = forSsd;
    this.alone = alone;
    this.cause = cause;
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
    return new Finding(id, subject, seen, remedy, other, about, forSsd, alone, cause);
  }

  /** Replaces the remedy by that of another finding, which must not have facts. */
  public Finding withRemedyOf(FindingId other) {
    return new Finding(id, subject, seen, other.remedy(), weight, about, forSsd, alone, cause);
  }

  /** Adds the paths or DataNodes that it is about, or examples; without, the subject is. */
  public Finding about(Collection<String> names) {
    return new Finding(id, subject, seen, remedy, weight, List.copyOf(names), forSsd, alone, cause);
  }

  /** Marks that SSD is declared for what it is about. */
  public Finding forSsd(boolean declared) {
    return new Finding(id, subject, seen, remedy, weight, about, declared, alone, cause);
  }

  /** Marks that it neither follows from another finding nor explains one. */
  public Finding alone() {
    return new Finding(id, subject, seen, remedy, weight, about, forSsd, true, cause);
  }

  Finding because(Optional<FindingId> by) {
    return by.equals(cause)
        ? this
        : new Finding(id, subject, seen, remedy, weight, about, forSsd, alone, by);
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

  /** What to do; if another finding explains it, what to do after that one is resolved. */
  public String remedy() {
    return cause.flatMap(by -> id.remedyAfter(by, remedy)).orElse(remedy);
  }

  long weight() {
    return weight;
  }

  List<String> about() {
    return about.isEmpty() ? List.of(subject) : about;
  }

  boolean isForSsd() {
    return forSsd;
  }

  boolean isAlone() {
    return alone;
  }

  /** The root cause among the list that it was sorted in ({@code Causes}); empty if none. */
  public Optional<FindingId> cause() {
    return cause;
  }

  /** Whether a finding is above a note. */
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
    json.put("remedy", remedy());
    return json;
  }

  /** What was seen, its consequence and the remedy in one line. */
  public String explain() {
    return seen + " " + id.causes() + " " + remedy();
  }

  public String line() {
    return subject + ": " + explain();
  }

  @Override
  public String toString() {
    return id.severity() + " " + id.id() + " " + subject + ": " + seen;
  }
}
