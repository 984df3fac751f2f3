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
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** An observation for an operator, with its consequence and remedy. Immutable. */
@InterfaceAudience.Private
public final class Finding {
  private static final Set<FindingId> SYMPTOMS =
      EnumSet.of(FindingId.SSD_REFUSES, FindingId.STALLED_DATANODE);

  private final FindingId id;
  public final String subject;
  private final String seen;
  private final String remedy;
  private final long weight;
  private final List<String> about;
  private final boolean forSsd;

  Finding(FindingId id, String subject, String seen, String remedy, long weight) {
    this(id, subject, seen, remedy, weight, List.of(), false);
  }

  private Finding(
      FindingId id,
      String subject,
      String seen,
      String remedy,
      long weight,
      List<String> about,
      boolean forSsd) {
    this.id = id;
    this.subject = subject;
    this.seen = seen;
    this.remedy = remedy;
    this.weight = weight;
    this.about = about;
    this.forSsd = forSsd;
  }

  /**
   * @param subject a path, a key or a server
   * @param facts in the order in which their names first appear in {@link FindingId#seen}, then in
   *     {@link FindingId#remedy}
   */
  public static Finding of(FindingId id, String subject, Object... facts) {
    List<String> words = id.filled(subject, facts);
    return new Finding(id, subject, words.get(0), words.get(1), 0);
  }

  public Finding withWeight(long other) {
    return new Finding(id, subject, seen, remedy, other, about, forSsd);
  }

  /** Adds the paths or DataNodes that it is about; the default is the subject. */
  public Finding about(Collection<String> names) {
    return new Finding(id, subject, seen, remedy, weight, List.copyOf(names), forSsd);
  }

  /** Marks whether SSD is declared for what it is about. */
  public Finding forSsd(boolean declared) {
    return new Finding(id, subject, seen, remedy, weight, about, declared);
  }

  public FindingId id() {
    return id;
  }

  public String seen() {
    return seen;
  }

  public String remedy() {
    return remedy;
  }

  /** Its heading in the documents, to which alerts link too. */
  public String page() {
    return "docs/findings.md#" + id.id();
  }

  private List<String> about() {
    return about.isEmpty() ? List.of(subject) : about;
  }

  /**
   * Worst first, without what another finding explains, unless it is worse than that; its cause
   * then stands before it.
   */
  public static List<Finding> sorted(List<Finding> findings) {
    Map<Finding, Severity> order = new LinkedHashMap<>();
    for (Finding one : findings) {
      List<Finding> causes =
          findings.stream().filter(cause -> cause.explains(one)).collect(Collectors.toList());
      Severity own = one.id.severity;
      if (causes.stream().allMatch(cause -> own.compareTo(cause.id.severity) < 0)) {
        order.merge(one, own, Finding::worse);
        causes.forEach(cause -> order.merge(cause, own, Finding::worse));
      }
    }
    return order.keySet().stream()
        .sorted(
            Comparator.comparing((Finding one) -> order.get(one))
                .thenComparing(one -> one.id.stage)
                .thenComparing(one -> SYMPTOMS.contains(one.id))
                .thenComparing(one -> one.id.severity)
                .thenComparing(one -> -one.weight)
                .thenComparing(Finding::id)
                .thenComparing(one -> one.subject))
        .collect(Collectors.toList());
  }

  private static Severity worse(Severity one, Severity other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private boolean explains(Finding of) {
    if (id == of.id) {
      return false;
    }
    switch (of.id) {
      case TIER_CLOSED:
        return id == FindingId.NO_SSD || id == FindingId.SSD_SPACE;
      case SSD_REFUSES:
        return keepsOffSsd();
      case STALLED_DATANODE:
        return keepsOffSsd() && about().containsAll(of.about());
      case UNDER_REPLICATED:
        return keepsOffSsd() && of.forSsd;
      case MISPLACED:
        return of.forSsd && (keepsOffSsd() || id == FindingId.STALLED_DATANODE)
            || id.stage == Stage.POLICY && of.about().stream().allMatch(this::covers);
      default:
        return false;
    }
  }

  private boolean keepsOffSsd() {
    return id.stage == Stage.SSD && id != FindingId.STALLED_DATANODE;
  }

  private boolean covers(String path) {
    return about().stream().anyMatch(top -> path.equals(top) || path.startsWith(top + "/"));
  }

  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", id.id());
    json.put("severity", id.severity.name());
    json.put("subject", subject);
    json.put("seen", seen);
    json.put("causes", id.causes);
    json.put("remedy", remedy());
    return json;
  }

  @Override
  public String toString() {
    return id.severity + " " + id.id() + " " + subject + ": " + seen;
  }
}
