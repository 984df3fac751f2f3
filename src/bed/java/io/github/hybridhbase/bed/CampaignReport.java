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

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
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
  private Duration took = Duration.ZERO;
  private int faults;
  private int deeds;
  private int undone;
  private OptionalInt hotCompactions = OptionalInt.empty();
  private String outcome = "not ended";

  CampaignReport(String what) {
    this.what = what;
  }

  /**
   * One more.
   *
   * @param said what there was to say; begins with "not done" where it was not
   * @param aborted what servers that have aborted since said
   * @param seconds until all served again, which is not waited for after a deed of an admin
   */
  void add(Fault fault, String said, List<String> aborted, long seconds) {
    Sum sum = sums.computeIfAbsent(fault.kind(), any -> new Sum());
    sum.times++;
    sum.aborts += aborted.size();
    boolean done = !said.startsWith("not done");
    sum.undone += done ? 0 : 1;
    sum.mostSeconds = Math.max(sum.mostSeconds, seconds);
    if (fault.kind().isAdmins()) {
      deeds++;
    } else {
      faults += done ? 1 : 0;
      undone = done ? 0 : undone + 1;
    }
    aborted.forEach(line -> aborts.add(words(fault.kind()) + " " + said + ": " + line));
  }

  /** Servers that have aborted behind the last fault. */
  void abortedAtTheEnd(List<String> aborted) {
    aborted.forEach(line -> aborts.add("at the end: " + line));
  }

  /** How many faults running were not done. */
  int undone() {
    return undone;
  }

  /**
   * Kinds of faults, not deeds, that came several times and were not done once, and compactions for
   * hot rows if there are hot rows.
   */
  List<String> neverDone() {
    List<String> never = new ArrayList<>();
    sums.forEach(
        (kind, sum) -> {
          if (!kind.isAdmins() && sum.times >= SEVERAL && sum.undone == sum.times) {
            never.add(words(kind));
          }
        });
    if (hotCompactions.isPresent() && hotCompactions.getAsInt() == 0) {
      never.add("compaction for hot rows");
    }
    return never;
  }

  /** How many compactions were for hot rows; not called if there are none. */
  void hotCompactions(int times) {
    hotCompactions = OptionalInt.of(times);
  }

  /** A process that was not killed and was gone; the fault is null before the first one. */
  void ended(Fault fault, String process) {
    ends.add((fault == null ? "at the start" : words(fault.kind())) + ": " + process);
  }

  /** How it came out. */
  void outcome(String text) {
    outcome = text;
  }

  /** How long it has lasted so far. */
  void took(Duration time) {
    took = time;
  }

  /** How many were made; what an admin does is none. */
  int faults() {
    return faults;
  }

  List<String> aborts() {
    return List.copyOf(aborts);
  }

  String text() {
    StringBuilder text = new StringBuilder("## " + what + "\n\n");
    text.append(
        String.format(
            "%d faults, %d deeds of an admin in %d minutes. %s%n%n"
                + "| | times | not done | aborts | most seconds until all served |%n"
                + "| --- | --- | --- | --- | --- |%n",
            faults, deeds, took.toMinutes(), outcome + hot()));
    sums.forEach(
        (kind, sum) ->
            text.append(
                String.format(
                    "| %s | %d | %d | %d | %s |%n",
                    words(kind),
                    sum.times,
                    sum.undone,
                    sum.aborts,
                    kind.isAdmins() ? "-" : sum.mostSeconds)));
    list(text, "Servers that aborted", aborts);
    list(text, "Processes that had ended of themselves and were started again", ends);
    return text.toString();
  }

  private String hot() {
    return hotCompactions.isPresent()
        ? " " + hotCompactions.getAsInt() + " compactions were for hot rows."
        : "";
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
