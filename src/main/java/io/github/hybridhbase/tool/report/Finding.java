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
package io.github.hybridhbase.tool.report;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** Something an operator should know: what was seen, what it causes and what remedies it. */
@InterfaceAudience.Private
public final class Finding {
  private final FindingId id;
  private final String subject;
  private final String seen;
  private final String remedy;
  private final long weight;

  /** A finding that weighs as much as any other of its severity. */
  public Finding(FindingId id, String subject, String seen, String remedy) {
    this(id, subject, seen, remedy, 0);
  }

  /**
   * A finding.
   *
   * @param subject what it is about: a path, a key, a server
   * @param seen what was seen, one or two sentences
   * @param remedy the command or property that remedies it; empty for a note with nothing to do
   * @param weight orders findings of one severity, most first; bytes, mostly
   */
  public Finding(FindingId id, String subject, String seen, String remedy, long weight) {
    this.id = id;
    this.subject = subject;
    this.seen = seen;
    this.remedy = remedy;
    this.weight = weight;
  }

  /** What kind it is. */
  public FindingId id() {
    return id;
  }

  /** What it is about. */
  public String subject() {
    return subject;
  }

  /** What was seen. */
  public String seen() {
    return seen;
  }

  /** What fixes it. */
  public String remedy() {
    return remedy;
  }

  /** Worst first. */
  public static List<Finding> sorted(List<Finding> findings) {
    return findings.stream()
        .sorted(
            Comparator.comparing((Finding f) -> f.id.severity())
                .thenComparing(f -> -f.weight)
                .thenComparing(f -> f.id)
                .thenComparing(f -> f.subject))
        .collect(Collectors.toList());
  }

  /** Whether any of them is more than a note. */
  public static boolean serious(List<Finding> findings) {
    return findings.stream().anyMatch(f -> f.id.severity() != Severity.NOTE);
  }

  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", id.id());
    json.put("severity", id.severity().name());
    json.put("subject", subject);
    json.put("seen", seen);
    json.put("causes", id.causes());
    json.put("remedy", remedy);
    return json;
  }

  @Override
  public String toString() {
    return id.severity() + " " + id.id() + " " + subject + ": " + seen;
  }
}
