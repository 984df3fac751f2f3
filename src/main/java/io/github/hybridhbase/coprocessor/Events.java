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
package io.github.hybridhbase.coprocessor;

import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId.Severity;
import io.github.hybridhbase.report.Report.Section;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/** The last {@value #MOST} beginnings and ends of findings above a note. Thread-safe. */
@InterfaceAudience.Private
final class Events {
  static final int MOST = 20;

  private final Deque<String[]> last = new ArrayDeque<>();
  private Map<String, String> open = new TreeMap<>();

  /**
   * @param now milliseconds since 1970
   */
  synchronized void notice(List<Finding> findings, long now) {
    Map<String, String> next = new TreeMap<>();
    for (Finding finding : findings) {
      if (finding.id().severity != Severity.NOTE) {
        next.put(finding.id().id() + " " + finding.subject, finding.seen());
      }
    }
    open.keySet().stream()
        .filter(one -> !next.containsKey(one))
        .forEach(one -> add(now, one, "ended"));
    next.forEach(
        (one, seen) -> {
          if (!open.containsKey(one)) {
            add(now, one, seen);
          }
        });
    open = next;
  }

  private void add(long now, String what, String seen) {
    String time = Instant.ofEpochMilli(now).truncatedTo(ChronoUnit.SECONDS).toString();
    last.addFirst(new String[] {time, what, seen});
    if (last.size() > MOST) {
      last.removeLast();
    }
  }

  /** The newest first. */
  synchronized Section section() {
    Section section = new Section("events", "Events", "time", "finding", "what");
    last.forEach(
        one ->
            section.row(Map.of("time", one[0], "finding", one[1], "seen", one[2]), (Object[]) one));
    return section;
  }
}
