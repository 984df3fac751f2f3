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
package io.github.hybridhbase.tool.site;

import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** A line diff of two texts in the unified format of {@code patch}. Pure. */
@InterfaceAudience.Private
final class LineDiff {
  private static final int CONTEXT = 3;

  private LineDiff() {}

  /**
   * Empty if the texts are equal. Keeps a longest common subsequence: time and memory grow with the
   * product of the line counts between the first and last difference.
   */
  static List<String> of(String name, String before, String after) {
    if (before.equals(after)) {
      return List.of();
    }
    boolean ended = before.endsWith("\n") && after.endsWith("\n");
    List<String> script = script(lines(before, ended), lines(after, ended));
    List<String> out = new ArrayList<>(List.of("--- " + name, "+++ " + name));
    int oldLine = 1;
    int newLine = 1;
    int at = 0;
    while (at < script.size()) {
      if (kept(script.get(at))) {
        at++;
        oldLine++;
        newLine++;
        continue;
      }
      int begin = Math.max(0, at - CONTEXT);
      while (begin < at && !kept(script.get(begin))) {
        begin++;
      }
      int back = at - begin;
      int end = at;
      int last = at;
      while (end < script.size() && end - last <= 2 * CONTEXT) {
        last = kept(script.get(end)) ? last : end;
        end++;
      }
      end = Math.min(script.size(), last + 1 + CONTEXT);
      List<String> hunk = script.subList(begin, end);
      long olds = hunk.stream().filter(one -> one.charAt(0) != '+').count();
      long news = hunk.stream().filter(one -> one.charAt(0) != '-').count();
      out.add(
          "@@ -" + (oldLine - back) + "," + olds + " +" + (newLine - back) + "," + news + " @@");
      out.addAll(hunk);
      oldLine += (int) olds - back;
      newLine += (int) news - back;
      at = end;
    }
    return out;
  }

  private static List<String> lines(String text, boolean ended) {
    List<String> lines = List.of(text.split("\n", -1));
    return ended ? lines.subList(0, lines.size() - 1) : lines;
  }

  private static boolean kept(String line) {
    return line.charAt(0) == ' ';
  }

  private static List<String> script(List<String> before, List<String> after) {
    int head = 0;
    while (head < Math.min(before.size(), after.size())
        && before.get(head).equals(after.get(head))) {
      head++;
    }
    int tail = 0;
    while (tail < Math.min(before.size(), after.size()) - head
        && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
      tail++;
    }
    List<String> out = new ArrayList<>();
    before.subList(0, head).forEach(line -> out.add(" " + line));
    middle(
        before.subList(head, before.size() - tail), after.subList(head, after.size() - tail), out);
    before.subList(before.size() - tail, before.size()).forEach(line -> out.add(" " + line));
    return out;
  }

  private static void middle(List<String> before, List<String> after, List<String> out) {
    int[][] common = new int[before.size() + 1][after.size() + 1];
    for (int i = before.size() - 1; i >= 0; i--) {
      for (int j = after.size() - 1; j >= 0; j--) {
        common[i][j] =
            before.get(i).equals(after.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
        out.add(" " + before.get(i++));
        j++;
      } else if (i < before.size() && (j == after.size() || common[i + 1][j] >= common[i][j + 1])) {
        out.add("-" + before.get(i++));
      } else {
        out.add("+" + after.get(j++));
      }
    }
  }
}
