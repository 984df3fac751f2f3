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
package io.github.hybridhbase.bed;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** What came of a campaign, as Markdown. For one thread. */
@InterfaceAudience.Private
final class CampaignReport {
  /** Of all faults of one kind. */
  private static final class Sum {
    private int times;
    private int aborts;
    private int undone;
    private long mostSeconds;
  }

  private static final int SEVERAL = 3;

  private final String what;
  private final Map<Fault.Kind, Sum> sums = new EnumMap<>(Fault.Kind.class);
  private final List<String> aborts = new ArrayList<>();
  private final List<String> ends = new ArrayList<>();
  private List<String> allAborts = List.of();

  /** What an admin does is none. */
  int faults;

  /** How many faults running were not done. */
  int undone;

  long minutes;
  String outcome = "not ended";

  /** Of files of hot rows at the end; null if none are expected. */
  Long hotBytes;

  CampaignReport(String what) {
    this.what = what;
  }

  /**
   * One more; returns what servers that have aborted since said.
   *
   * @param said what there was to say; begins with "not done" where it was not
   * @param everAborted as {@link Bed#aborts} has them
   * @param seconds until all served again, which is not waited for after a deed of an admin
   */
  List<String> add(Fault fault, String said, List<String> everAborted, long seconds) {
    List<String> aborted = aborted(words(fault.kind) + " " + said, everAborted);
    Sum sum = sums.computeIfAbsent(fault.kind, any -> new Sum());
    sum.times++;
    sum.aborts += aborted.size();
    boolean done = !said.startsWith("not done");
    sum.undone += done ? 0 : 1;
    sum.mostSeconds = Math.max(sum.mostSeconds, seconds);
    if (!fault.kind.isAdmins()) {
      faults += done ? 1 : 0;
      undone = done ? 0 : undone + 1;
    }
    return aborted;
  }

  /** Notes those that have come since the last call; in any order, as servers are read in turns. */
  List<String> aborted(String when, List<String> everAborted) {
    List<String> fresh = new ArrayList<>(everAborted);
    allAborts.forEach(fresh::remove);
    allAborts = everAborted;
    fresh.forEach(line -> aborts.add(when + ": " + line));
    return fresh;
  }

  /** A process that was not killed and was gone; the fault is null before the first one. */
  void ended(Fault fault, String process) {
    ends.add((fault == null ? "at the start" : words(fault.kind)) + ": " + process);
  }

  /**
   * Kinds of faults, not deeds, that came several times and were not done once, and files of hot
   * rows if there are to be some.
   */
  List<String> neverDone() {
    List<String> never =
        sums.entrySet().stream()
            .filter(each -> !each.getKey().isAdmins())
            .filter(each -> each.getValue().times >= SEVERAL)
            .filter(each -> each.getValue().undone == each.getValue().times)
            .map(each -> words(each.getKey()))
            .collect(Collectors.toList());
    if (hotBytes != null && hotBytes == 0) {
      never.add("file of hot rows");
    }
    return never;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(String.format("## %s%n%n%d faults in %d minutes. ", what, faults, minutes))
        .append(outcome)
        .append(hotBytes == null ? "" : " Files of hot rows have " + hotBytes + " bytes.")
        .append("\n\n| | times | not done | aborts | most seconds until all served |\n")
        .append("| --- | --- | --- | --- | --- |\n");
    sums.forEach(
        (kind, of) ->
            text.append(
                String.format(
                    "| %s | %d | %d | %d | %d |%n",
                    words(kind), of.times, of.undone, of.aborts, of.mostSeconds)));
    list(text, "Servers that aborted", aborts);
    list(text, "Processes that had ended of themselves and were started again", ends);
    return text.toString();
  }

  private static String words(Fault.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static void list(StringBuilder text, String what, List<String> lines) {
    text.append("\n").append(what).append(lines.isEmpty() ? ": none.\n" : ":\n\n");
    lines.forEach(
        line -> text.append("- `").append(line.replaceAll("/\\S*/bed-", "bed-")).append("`\n"));
  }
}
