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
package io.github.hybridhbase.page;

import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.Report;
import io.github.hybridhbase.report.Report.Section;
import io.github.hybridhbase.report.Verdict;
import io.github.hybridhbase.runtime.PluginVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/** A pure function from a {@link Report} to one HTML page without scripts, of bounded size. */
@InterfaceAudience.Private
public final class PageRenderer {
  public static final int MOST_CHARS = 1 << 20;

  private static final int MOST = 30;
  private static final int MOST_NOTES = 10;

  private static final String POLICY =
      "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'";

  private static final String STYLE = style();

  private final Report report;
  private final Html html = new Html();

  private PageRenderer(Report report) {
    this.report = report;
  }

  public static String render(Report report) {
    return new PageRenderer(report).page();
  }

  private static String style() {
    try (InputStream in = PageRenderer.class.getResourceAsStream("page.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String page() {
    html.open("html", "lang", "en");
    html.open("head").empty("meta", "charset", "utf-8");
    html.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.empty("meta", "http-equiv", "Content-Security-Policy", "content", POLICY);
    html.empty("meta", "name", "color-scheme", "content", "light dark");
    html.element("title", "Hybrid storage");
    html.empty("link", "rel", "stylesheet", "href", "/static/css/bootstrap.min.css");
    html.open("style").verbatim(STYLE).close().close();
    html.open("body", "class", "hybrid").open("nav");
    html.element("a", "HBase master", "href", "/master-status");
    html.element("a", "Hybrid storage", "href", "/hybrid", "class", "here").close();
    html.open("main").element("h1", "Hybrid storage").element("p", report.about, "class", "dim");
    Verdict verdict = report.verdict();
    boolean unknown = verdict.level().equals("unknown");
    String kind = unknown ? "unknown" : verdict.worst().name().toLowerCase(Locale.ROOT);
    html.element("p", verdict.line(), "class", "verdict " + kind, "role", "status");
    report.findings.stream().limit(MOST).forEach(this::finding);
    more(report.findings.size() - MOST, "p");
    report.sections().forEach(this::section);
    report.notes.stream().limit(MOST_NOTES).forEach(note -> html.element("p", note));
    notChecked();
    html.element(
        "footer",
        "hbase-hybrid-storage "
            + PluginVersion.get()
            + ". This page changes nothing. Bytes are of replicas. HDFS's settings are not checked"
            + " here: 'hbase-hybrid check'.");
    return html.close().close().close().toString();
  }

  private void more(int more, String tag) {
    if (more > 0) {
      html.element(tag, "And " + more + " more: 'hbase-hybrid check' lists all.", "class", "dim");
    }
  }

  private void section(Section section) {
    html.open("section").element("h2", section.title);
    html.open("div", "class", "scroll").open("table").open("thead").open("tr");
    section.columns.forEach(title -> html.element("th", title, "scope", "col"));
    html.close().close().open("tbody");
    section.rows.stream().limit(MOST).forEach(row -> row(section.columns, row));
    html.close().close().close();
    more(section.rows.size() - MOST, "p");
    html.close();
  }

  /** The title of a cell is for narrow screens. */
  private void row(List<String> columns, List<String> cells) {
    html.open("tr").element("th", cells.get(0), "scope", "row");
    for (int i = 1; i < cells.size(); i++) {
      html.open("td", "data-title", columns.get(i)).element("span", cells.get(i)).close();
    }
    html.close();
  }

  private void finding(Finding finding) {
    String severity = finding.id().severity.name();
    html.open("article", "class", "finding " + severity.toLowerCase(Locale.ROOT));
    html.open("h3").element("b", severity, "class", "badge").text(" ");
    html.element("span", finding.id().id()).text(" ");
    html.element("code", finding.subject).close();
    html.open("dl");
    html.element("dt", "Seen").element("dd", finding.seen());
    html.element("dt", "Causes").element("dd", finding.id().causes);
    if (!finding.remedy().isEmpty()) {
      html.element("dt", "Remedy").element("dd", finding.remedy());
    }
    html.element("dt", "Page").element("dd", finding.page());
    html.close().close();
  }

  private void notChecked() {
    List<String> notes = report.notChecked();
    if (!notes.isEmpty()) {
      html.open("section").element("h2", "Not checked").open("ul");
      notes.stream().limit(MOST_NOTES).forEach(note -> html.element("li", note));
      more(notes.size() - MOST_NOTES, "li");
      html.close().close();
    }
  }
}
