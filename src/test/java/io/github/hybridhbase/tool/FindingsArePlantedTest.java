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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.coprocessor.VerdictTableTest;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.doctor.DiagnosisTest;
import io.github.hybridhbase.tool.doctor.ServersDiagnosisTest;
import io.github.hybridhbase.tool.doctor.SsdNodesDiagnosisTest;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * No finding without a test that plants it: each id must be an argument of a check in the tests
 * that plant. That a healthy cluster has none is one assertion for all of them, in {@link
 * DiagnosisTest}, {@link CheckIT} and {@link BlocksIT}.
 */
@InterfaceAudience.Private
class FindingsArePlantedTest {
  /** A check that compares all findings of a run with those listed; the list may be empty. */
  private static final Pattern CHECK =
      Pattern.compile("\\b(?:finds|notes|plants)\\(((?:[^()]|\\([^()]*\\))*)\\);");

  private static String source(Class<?> test) throws IOException {
    String path = "src/test/java/" + test.getName().replace('.', '/') + ".java";
    return Files.readString(TypedCluster.baseDirectory().resolve(path));
  }

  private static Set<FindingId> planted(Class<?> test) throws IOException {
    Set<FindingId> planted = EnumSet.noneOf(FindingId.class);
    Matcher check = CHECK.matcher(source(test));
    while (check.find()) {
      for (FindingId id : FindingId.values()) {
        String arguments = check.group(1);
        if (arguments.matches("(?s).*\\bFindingId\\." + id.name() + "\\b.*")
            || arguments.contains('"' + id.id() + '"')) {
          planted.add(id);
        }
      }
    }
    return planted;
  }

  @Test
  void eachFindingHasATestThatPlantsIt() throws IOException {
    Set<FindingId> lacking = EnumSet.allOf(FindingId.class);
    lacking.removeAll(planted(DiagnosisTest.class));
    lacking.removeAll(planted(ServersDiagnosisTest.class));
    lacking.removeAll(planted(SsdNodesDiagnosisTest.class));
    lacking.removeAll(planted(BlocksIT.class));
    // Each state of the table lists all findings of one severity.
    String states = source(VerdictTableTest.class);
    lacking.removeIf(
        id ->
            Pattern.compile("\"(notes|warnings|errors)[ a-z-]* " + id.id() + "\\b")
                .matcher(states)
                .find());
    assertEquals(EnumSet.noneOf(FindingId.class), lacking);
  }

  @Test
  void healthyClustersAreAssertedToHaveNone() throws IOException {
    assertTrue(source(DiagnosisTest.class).contains("\n    finds(healthy());"));
    assertTrue(source(BlocksIT.class).contains("\n    notes();"));
    assertTrue(source(CheckIT.class).contains("assertEquals(List.of(), run.findings()"));
  }
}
