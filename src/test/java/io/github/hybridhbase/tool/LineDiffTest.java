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
package io.github.hybridhbase.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.tool.SiteFile.LineDiff;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class LineDiffTest {

  @Test
  void aChangeStandsAmongThreeLinesOfContext() {
    assertEquals(
        List.of(
            "--- f", "+++ f", "@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"),
        LineDiff.of("f", "1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nfive\n6\n7\n8\n9"));
    assertEquals(List.of(), LineDiff.of("f", "1\n", "1\n"));
  }

  @Test
  void whatFollowsTheLastLineEndIsNoLine() {
    assertEquals(
        List.of("--- f", "+++ f", "@@ -1,2 +1,2 @@", " 1", "-2", "+3"),
        LineDiff.of("f", "1\n2\n", "1\n3\n"));
  }

  @Test
  void farChangesAreTwoHunks() {
    String before = String.join("\n", "a b c d e f g h i j k l m".split(" "));
    List<String> diff = LineDiff.of("f", before, before.replace("a", "A").replace("m", "M"));
    assertEquals(2, diff.stream().filter(line -> line.startsWith("@@")).count(), diff::toString);
  }

  /** Random texts, applied line by line: what comes out is the other text. */
  @Test
  void whatItSaysTurnsOneTextIntoTheOther() {
    long seed = 20_261_122;
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      String before = text(random);
      String after = text(random);
      assertEquals(
          after,
          apply(before, LineDiff.of("f", before, after)),
          "seed " + seed + " round " + round);
    }
  }

  private static String text(Random random) {
    List<String> lines = new ArrayList<>();
    for (int i = random.nextInt(40); i >= 0; i--) {
      lines.add(String.valueOf((char) ('a' + random.nextInt(4))));
    }
    return String.join("\n", lines);
  }

  private static String apply(String before, List<String> diff) {
    String[] old = before.split("\n", -1);
    List<String> out = new ArrayList<>();
    int at = 0;
    for (String line : diff) {
      if (line.startsWith("@@")) {
        int start = Integer.parseInt(line.replaceAll("@@ -(\\d+),.*", "$1")) - 1;
        while (at < start) {
          out.add(old[at++]);
        }
        int news = Integer.parseInt(line.replaceAll(".*\\+(\\d+),.*", "$1")) - 1;
        assertEquals(out.size(), news, line);
      } else if (line.startsWith(" ") || line.startsWith("-") && !line.startsWith("---")) {
        assertEquals(old[at++], line.substring(1));
        if (line.startsWith(" ")) {
          out.add(line.substring(1));
        }
      } else if (line.startsWith("+") && !line.startsWith("+++")) {
        out.add(line.substring(1));
      }
    }
    while (at < old.length) {
      out.add(old[at++]);
    }
    return String.join("\n", out);
  }
}
