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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a look at a cluster found: tables, findings and verdict. Text, JSON and the page are
 * functions of it. Not thread-safe.
 */
@InterfaceAudience.Private
public final class Report {
  /** A table whose rows have cells for people and fields for JSON. Not thread-safe. */
  public static final class Section {
    private final String key;
    public final String title;
    public final List<String> columns;
    public final List<List<String>> rows = new ArrayList<>();
    private final List<Map<String, Object>> json = new ArrayList<>();

    /**
     * @param key in JSON
     */
    public Section(String key, String title, String... columns) {
      this.key = key;
      this.title = title;
      this.columns = List.of(columns);
    }

    /**
     * @param cells one for each column; none for a row that only JSON has
     */
    public Section row(Map<String, Object> fields, Object... cells) {
      json.add(fields);
      if (cells.length > 0) {
        rows.add(Arrays.stream(cells).map(String::valueOf).collect(Collectors.toList()));
      }
      return this;
    }

    public List<Map<String, Object>> json() {
      return json;
    }

    public void print(PrintStream out, Screen screen) {
      Table table = new Table().row(columns.toArray(new String[0]));
      rows.forEach(row -> table.row(row.toArray(new String[0])));
      table.print(out, screen);
    }
  }

  public final String about;
  public final List<Finding> findings;
  private final List<String> missing;
  private final List<String> notChecked;
  private final List<Section> sections = new ArrayList<>();
  public final List<String> notes = new ArrayList<>();
  private final Map<String, Object> fields = new LinkedHashMap<>();

  /**
   * @param about what was looked at, a line
   * @param findings worst first
   * @param missing what the verdict needs and was not seen
   */
  public Report(
      String about, List<Finding> findings, List<String> missing, List<String> notChecked) {
    this.about = about;
    this.findings = List.copyOf(findings);
    this.missing = List.copyOf(missing);
    this.notChecked = List.copyOf(notChecked);
  }

  public Report add(Section section) {
    sections.add(section);
    return this;
  }

  /** A line below the findings. */
  public Report note(String line) {
    notes.add(line);
    return this;
  }

  /** A field that only JSON has. */
  public Report field(String key, Object value) {
    fields.put(key, value);
    return this;
  }

  public List<String> notChecked() {
    return notChecked;
  }

  /** Those with a row for people. */
  public List<Section> sections() {
    return sections.stream().filter(one -> !one.rows.isEmpty()).collect(Collectors.toList());
  }

  public Verdict verdict() {
    return new Verdict(findings, missing);
  }

  /** The verdict is the last line. */
  public void print(PrintStream out, Screen screen) {
    out.println(Text.escape(about));
    for (Section section : sections()) {
      out.println();
      section.print(out, screen);
    }
    findings.forEach(one -> print(one, out, screen));
    if (!notChecked.isEmpty() || !notes.isEmpty()) {
      out.println();
    }
    notChecked.forEach(text -> out.println(Text.escape("Not checked: " + text)));
    notes.forEach(text -> out.println(Text.escape(text)));
    out.println();
    Verdict verdict = verdict();
    out.println(screen.paint(verdict.worst(), Text.escape(verdict.line())));
  }

  private static void print(Finding finding, PrintStream out, Screen screen) {
    out.println();
    out.println(
        screen.paint(finding.id().severity, finding.id().severity.name())
            + "  "
            + finding.id().id()
            + "  "
            + Text.escape(finding.subject));
    line(out, screen, "seen", finding.seen());
    line(out, screen, "causes", finding.id().causes);
    line(out, screen, "remedy", finding.remedy());
    line(out, screen, "page", finding.page());
  }

  private static void line(PrintStream out, Screen screen, String title, String text) {
    if (!text.isEmpty()) {
      screen
          .wrap(String.format(Locale.ROOT, "  %-7s ", title), Text.escape(text))
          .forEach(out::println);
    }
  }

  /** As docs/json-schema.json has it. */
  public Map<String, Object> json(int exit) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", "hbase-hybrid/check/1");
    json.put("exit", exit);
    json.put("verdict", verdict().level());
    json.putAll(fields);
    sections.forEach(section -> json.put(section.key, section.json));
    json.put("findings", findings.stream().map(Finding::toJson).collect(Collectors.toList()));
    json.put("missing", missing);
    json.put("notChecked", notChecked);
    return json;
  }
}
