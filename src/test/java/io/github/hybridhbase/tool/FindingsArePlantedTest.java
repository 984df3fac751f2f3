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

import io.github.hybridhbase.coprocessor.VerdictTableTest;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.doctor.DiagnosisTest;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * No finding without a test that plants it, by a check of all findings of a state in {@link
 * DiagnosisTest} or {@link BlocksIT}, or by a cell of {@link VerdictTableTest}.
 */
@InterfaceAudience.Private
class FindingsArePlantedTest {
  /** A check, whose literals are ids and texts. */
  private static final Pattern CHECK =
      Pattern.compile("\\b(?:finds|notes)\\((?:[^;\"]|\"(?:\\\\.|[^\\\\\"])*\")*+");

  private static final Pattern IDS = Pattern.compile("\"([a-z]+(?:[ -][a-z]+)*)\"");

  /** A cell of the table. */
  private static final Pattern CELL = Pattern.compile("\"(?:notes|warnings|errors) [a-z-]+\"");

  private static Stream<String> words(Class<?> test, Pattern statements) throws IOException {
    String path = "src/test/java/" + test.getName().replace('.', '/') + ".java";
    return statements
        .matcher(Files.readString(TypedCluster.baseDirectory().resolve(path)))
        .results()
        .flatMap(statement -> IDS.matcher(statement.group()).results())
        .flatMap(ids -> Stream.of(ids.group(1).split(" ")));
  }

  @Test
  void eachFindingHasATestThatPlantsIt() throws IOException {
    Set<String> lacking =
        Stream.of(FindingId.values())
            .map(FindingId::id)
            .collect(Collectors.toCollection(TreeSet::new));
    words(DiagnosisTest.class, CHECK).forEach(lacking::remove);
    words(BlocksIT.class, CHECK).forEach(lacking::remove);
    words(VerdictTableTest.class, CELL).forEach(lacking::remove);
    assertEquals(Set.of(), lacking);
  }
}
