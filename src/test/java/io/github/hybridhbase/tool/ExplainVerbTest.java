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

import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code hbase-hybrid explain}: a server has no docs, but every finding's words. */
@InterfaceAudience.Private
class ExplainVerbTest {
  private static ToolRun explain(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "explain";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return ToolRun.of(new Configuration(false), all);
  }

  @ParameterizedTest
  @EnumSource(FindingId.class)
  void everyFindingIsExplained(FindingId id) {
    ToolRun run = explain(id.id());
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertTrue(run.out().startsWith(id.severity() + "  " + id.id() + "\n"), run::toString);
    for (String words : new String[] {id.seen(), id.causes(), id.remedy()}) {
      assertTrue(run.out().contains(words), run::toString);
    }
  }

  @Test
  void withoutAnIdAllAreListedAndAWrongOneIsUsage() {
    assertTrue(explain().out().contains("ssd-space"), explain()::toString);
    assertEquals(
        FindingId.values().length, explain("--json").json().getAsJsonArray("findings").size());
    ToolRun wrong = explain("ssd-spcae");
    assertEquals(Exit.USAGE, wrong.exit(), wrong::toString);
    assertTrue(wrong.err().contains("ssd-space"), wrong::toString);
  }
}
