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
package io.github.hybridhbase.docs;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.FindingId.Severity;
import io.github.hybridhbase.runtime.HybridKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code docs/findings.md} is made of {@code findings.properties}: {@code mvn test
 * -Dtest=FindingsPageTest -Dhybrid.docs.write=true} writes it anew.
 */
@InterfaceAudience.Private
class FindingsPageTest {
  private static final Path PAGE = Path.of("docs/findings.md");
  private static final String MARK = "<!-- findings -->\n";
  private static final Pattern KEY = Pattern.compile("hbase\\.hybrid\\.[a-z.]*[a-z]");

  /** What was seen, and what to do. */
  private static String section(FindingId id) {
    String next = id.remedy().isEmpty() ? id.causes : id.remedy();
    return String.format(
        "### %s\n\n%s. %s\n\n%s\n\n", id.id(), id.severity, text(id.seen()), text(next));
  }

  /** Facts in italics, pages as links. */
  private static String text(String words) {
    return words
        .replaceAll("\\{([a-z]+)}", "*$1*")
        .replaceAll("docs/([a-z-]+\\.md)((?:#[a-z-]+)?)", "[$1]($1$2)")
        .replaceAll("hbase\\.hybrid\\.\\*\\.policy", "`$0`");
  }

  @Test
  void thePageHasTheWordsOfTheDeclarations() throws IOException {
    String page = Files.readString(PAGE);
    String wanted =
        page.substring(0, page.indexOf(MARK) + MARK.length())
            + "\n"
            + Stream.of(FindingId.values())
                .map(FindingsPageTest::section)
                .collect(Collectors.joining())
            + page.substring(page.lastIndexOf(MARK));
    ConfigurationTest.assertHolds(PAGE, wanted);
  }

  @ParameterizedTest
  @EnumSource(FindingId.class)
  void everyFindingHasItsWords(FindingId id) {
    assertFalse(id.seen().isEmpty());
    assertTrue(id.causes.endsWith("."), () -> id.causes);
    assertTrue(!id.remedy().isEmpty() || id.severity == Severity.NOTE);
    String all = id.seen() + id.causes + id.remedy();
    assertFalse(all.contains("{@"), all);
    assertFalse(all.matches("(?s).*hbase-hybrid (?!check|apply|revert|plan|demo).*"), all);
    for (Matcher key = KEY.matcher(all.replace("hbase.hybrid.*.policy", "")); key.find(); ) {
      assertTrue(HybridKeys.all().stream().anyMatch(one -> one.name().equals(key.group())), all);
    }
  }
}
