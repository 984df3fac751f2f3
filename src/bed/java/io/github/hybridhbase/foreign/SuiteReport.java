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
package io.github.hybridhbase.foreign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** The table of HBase's test classes, as Markdown: what is known so far. */
@InterfaceAudience.Private
final class SuiteReport {
  private static final int MINUTES = 10;

  private final Path home;
  private final Map<String, List<String>> classes;
  private final StringBuilder rows = new StringBuilder();
  private final StringBuilder failures = new StringBuilder();
  private int known;
  private int passed;
  private int proving;
  private int tests;
  private int onStockToo;

  /**
   * Reads what came of each.
   *
   * @param home has a directory of outcomes each with the plugin and of stock
   * @param classes all there are
   */
  SuiteReport(Path home, Map<String, List<String>> classes) throws IOException {
    this.home = home;
    this.classes = classes;
    for (String name : classes.keySet()) {
      Optional<Outcome> outcome = outcome("plugin", name);
      if (outcome.isPresent()) {
        row(name, outcome.get());
      }
    }
  }

  /** Each class of a list, in its order, with the words behind it. */
  static Map<String, List<String>> classes(Path list) throws IOException {
    Map<String, List<String>> classes = new LinkedHashMap<>();
    for (String line : Files.readAllLines(list)) {
      List<String> words = List.of(line.trim().split(" +"));
      if (!words.get(0).isEmpty() && !words.get(0).startsWith("#")) {
        classes.put(words.get(0), words.subList(1, words.size()));
      }
    }
    return classes;
  }

  /** The minutes that a class has, by the words behind it. */
  static int minutes(List<String> words) {
    return words.stream()
        .filter(word -> word.matches("\\d+"))
        .findFirst()
        .map(Integer::valueOf)
        .orElse(MINUTES);
  }

  private Optional<Outcome> outcome(String kind, String name) throws IOException {
    return Outcome.read(home.resolve(kind).resolve(name + ".properties"));
  }

  private void row(String name, Outcome outcome) throws IOException {
    known++;
    tests += outcome.run();
    proving += outcome.proves() && outcome.passed() ? 1 : 0;
    String verdict = "passed";
    if (outcome.passed()) {
      passed++;
    } else {
      Optional<Outcome> stock = outcome("stock", name);
      boolean too = stock.isPresent() && !stock.get().passed();
      onStockToo += too ? 1 : 0;
      verdict = too ? "fails, on stock too" : "FAILS";
      failures.append("- ").append(name).append(": ").append(cell(outcome.failures()));
      stock.ifPresent(
          there ->
              failures
                  .append("  \n  Stock: ")
                  .append(there.passed() ? "passes" : cell(there.failures())));
      failures.append('\n');
    }
    rows.append(
        String.format(
            "| %s | %d | %d | %d | %s | %d | %d | %d | %d |%n",
            name,
            outcome.run(),
            outcome.failed(),
            outcome.ignored(),
            verdict + (outcome.proves() ? "" : ", proves nothing"),
            outcome.made(Made.Kind.PROVIDER),
            outcome.made(Made.Kind.ASYNC_WRITER) + outcome.made(Made.Kind.STREAM_WRITER),
            outcome.made(Made.Kind.ENGINE),
            outcome.seconds()));
  }

  private static String cell(String text) {
    return text.replace('|', '/').replace("<", "&lt;");
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%d of %d classes were run, %d tests; %d classes passed, of which %d made objects of"
                + " the plugin's; %d fail, %d of them on stock HBase too.%n%n",
            known, classes.size(), tests, passed, proving, known - passed, onStockToo));
    text.append(
        "| class | tests | failed | ignored | outcome | providers | writers | engines | seconds |\n");
    text.append("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    text.append(rows);
    if (failures.length() > 0) {
      text.append("\nWhat failed:\n\n").append(failures);
    }
    return text.toString();
  }
}
