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
package io.github.hybridhbase.report;

import io.github.hybridhbase.runtime.Text;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/** A printer of findings as text. */
@InterfaceAudience.Private
public final class FindingPrinter {
  private FindingPrinter() {}

  public static void print(List<Finding> findings, PrintStream out, Screen screen) {
    if (findings.isEmpty()) {
      out.println("No findings.");
      return;
    }
    out.println(Text.count(findings.size(), "finding") + ", worst first");
    for (Finding finding : findings) {
      out.println();
      out.println(
          screen.paint(finding.id().severity(), finding.id().severity().name())
              + "  "
              + finding.id().id()
              + "  "
              + Text.escape(finding.subject()));
      line(out, screen, "seen", finding.seen());
      line(out, screen, "because", finding.cause().map(FindingId::id).orElse(""));
      line(out, screen, "causes", finding.id().causes());
      line(out, screen, "remedy", finding.remedy());
    }
  }

  private static void line(PrintStream out, Screen screen, String title, String text) {
    if (!text.isEmpty()) {
      screen
          .wrap(String.format(Locale.ROOT, "  %-7s ", title), Text.escape(text))
          .forEach(out::println);
    }
  }
}
