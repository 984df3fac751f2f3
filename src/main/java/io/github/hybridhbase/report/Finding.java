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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
   * @param facts in the order in which their names first appear in {@link FindingId#seen}, then in
   *     {@link FindingId#remedy}
   */
  public static Finding of(FindingId id, String subject, Object... facts) {
    List<String> words = id.filled(subject, facts);
    return new Finding(id, subject, words.get(0), words.get(1), 0);
  }

  public Finding withWeight(long other) {
    return new Finding(id, subject, seen, remedy, other, about, forSsd, alone, cause);
  }

  /**
   * @param other must not have facts
   */
  public Finding withRemedyOf(FindingId other) {
    return new Finding(id, subject, seen, other.remedy(), weight, about, forSsd, alone, cause);
  }

  /** Adds the paths or DataNodes that it is about; the default is the subject. */
  public Finding about(Collection<String> names) {
    return new Finding(id, subject, seen, remedy, weight, List.copyOf(names), forSsd, alone, cause);
  }

  /** Marks whether SSD is declared for what it is about. */
  public Finding forSsd(boolean declared) {
    return new Finding(id, subject, seen, remedy, weight, about, declared, alone, cause);
  }

  /** Marks that it neither has a cause nor is one. */
  public Finding alone() {
    return new Finding(id, subject, seen, remedy, weight, about, forSsd, true, cause);
  }

  private Finding because(Optional<FindingId> by) {
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

  /** If another finding explains it, what to do after that one is resolved. */
  public String remedy() {
    return cause.flatMap(by -> id.remedyAfter(by, remedy)).orElse(remedy);
  }

  private long weight() {
    return weight;
  }

  private List<String> about() {
    return about.isEmpty() ? List.of(subject) : about;
  }

  private boolean isForSsd() {
    return forSsd;
  }

  private boolean isAlone() {
    return alone;
  }

  /** The root cause in the list that was {@link #sorted}. */
  public Optional<FindingId> cause() {
    return cause;
  }

  /**
   * Worst first, with causes. Causes and consequences stay together, ordered by stage, at the place
   * of the worst.
   */
  public static List<Finding> sorted(List<Finding> findings) {
    Causes causes = new Causes(findings);
    List<Finding> explained =
        findings.stream()
            .map(one -> one.because(causes.root(one).map(Finding::id)))
            .collect(Collectors.toList());
    Set<FindingId> causing =
        explained.stream().flatMap(one -> one.cause().stream()).collect(Collectors.toSet());
    Severity chain =
        explained.stream()
            .filter(one -> Causes.inChain(one, causing))
            .map(one -> one.id().severity())
            .min(Comparator.naturalOrder())
            .orElse(Severity.NOTE);
    return explained.stream()
        .sorted(
            Comparator.comparing(
                    (Finding one) -> Causes.inChain(one, causing) ? chain : one.id().severity())
                .thenComparing(Causes::stage)
                .thenComparing(one -> Causes.isSymptom(one.id()))
                .thenComparing(one -> one.id().severity())
                .thenComparing(one -> -one.weight())
                .thenComparing(Finding::id)
                .thenComparing(Finding::subject))
        .collect(Collectors.toList());
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

  /** What was seen, consequence and remedy in one line. */
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

  @InterfaceAudience.Private
  private static final class Causes {
    private static final Set<FindingId> CLOSES_TIER =
        EnumSet.of(FindingId.NO_SSD, FindingId.SSD_SPACE);

    private static final int NONE = Integer.MAX_VALUE;

    private final List<Finding> causes;

    private Causes(List<Finding> all) {
      this.causes =
          all.stream()
              .filter(one -> !one.isAlone() && mayCause(one.id()))
              .collect(Collectors.toList());
    }

    private static boolean mayCause(FindingId id) {
      return id.stage() == Stage.SSD || id.stage() == Stage.POLICY;
    }

    private static boolean inChain(Finding one, Set<FindingId> causing) {
      Stage stage = one.id().stage();
      return one.cause().isPresent()
          || causing.contains(one.id())
          || (stage != Stage.OTHER && one.id().severity() != Severity.NOTE);
    }

    private static Stage stage(Finding one) {
      boolean explained = one.cause().isPresent() && one.id().stage() == Stage.OTHER;
      return explained ? Stage.FILES : one.id().stage();
    }

    private static boolean isSymptom(FindingId id) {
      return id == FindingId.SSD_REFUSES || id == FindingId.STALLED_DATANODE;
    }

    private Optional<Finding> root(Finding of) {
      Optional<Finding> cause =
          of.isAlone()
              ? Optional.empty()
              : causes.stream()
                  .filter(one -> rank(one, of) != NONE)
                  .min(
                      Comparator.comparingInt((Finding one) -> rank(one, of))
                          .thenComparing(one -> isSymptom(one.id()))
                          .thenComparing(one -> one.id().severity())
                          .thenComparing(Finding::id));
      return cause.map(one -> root(one).orElse(one));
    }

    /** The preference, lowest first; {@link #NONE} if it does not explain the finding. */
    private int rank(Finding cause, Finding of) {
      FindingId id = cause.id();
      if (id == of.id()) {
        return NONE;
      }
      if (of.id() == FindingId.TIER_CLOSED) {
        return CLOSES_TIER.contains(id) ? 0 : NONE;
      }
      if (id.stage() == Stage.SSD) {
        return id.severity() != Severity.NOTE && keepsOffSsd(cause, of) ? 0 : NONE;
      }
      return id.stage() == Stage.POLICY && of.id().stage() == Stage.FILES && covers(cause, of)
          ? 1
          : NONE;
    }

    private static int closes(Finding cause) {
      return CLOSES_TIER.contains(cause.id()) ? 0 : NONE;
    }

    private static boolean keepsOffSsd(Finding cause, Finding of) {
      FindingId id = of.id();
      if (cause.id() == FindingId.STALLED_DATANODE) {
        return id == FindingId.MISPLACED && of.isForSsd();
      }
      if (id == FindingId.STALLED_DATANODE) {
        return cause.about().containsAll(of.about());
      }
      boolean blocks = id == FindingId.MISPLACED || id == FindingId.UNDER_REPLICATED;
      return id == FindingId.SSD_REFUSES || blocks && of.isForSsd();
    }

    private static boolean covers(Finding cause, Finding of) {
      return of.about().stream()
          .allMatch(
              path ->
                  cause.about().stream()
                      .anyMatch(top -> path.equals(top) || path.startsWith(top + "/")));
    }
  }
}
