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

import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.Verdict;
import io.github.hybridhbase.report.Verdict.View;
import io.github.hybridhbase.runtime.PluginVersion;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.ScanChore.ScanTurn;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A pure function from a {@link PlacementSnapshot} to one HTML page without scripts, of bounded
 * size.
 */
@InterfaceAudience.Private
public final class PageRenderer {
  public static final int MOST_CHARS = 1 << 20;

  private static final int MOST_FINDINGS = 30;
  private static final int MOST_NOTES = 10;

  private static final String WEB_UI =
      "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'";

  /** A file loads nothing. */
  private static final String FILE = "default-src 'none'; style-src 'unsafe-inline'";

  private static final String STYLE = style();

  private final PlacementSnapshot snapshot;
  private final Diagnosis diagnosis;
  private final List<Finding> findings;
  private final boolean served;
  private final Html html = new Html();

  private PageRenderer(PlacementSnapshot snapshot) {
    this.snapshot = snapshot;
    this.diagnosis = PlacementFindings.of(snapshot);
    this.findings = diagnosis.findings();
    this.served = snapshot.view() == View.PAGE;
  }

  public static String render(PlacementSnapshot snapshot) {
    return new PageRenderer(snapshot).page();
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
    head();
    html.open("body", "class", "hybrid");
    if (served) {
      html.open("nav").open("a", "href", "/master-status");
      html.empty("img", "src", "/static/hbase_logo_small.png", "alt", "HBase").close();
      html.element("a", "Home", "href", "/master-status");
      html.element("a", "Hybrid storage", "href", "/hybrid", "class", "here").close();
    }
    html.open("main");
    html.element("h1", "Hybrid storage").open("p", "class", "dim").text("HBase at ");
    html.element("code", snapshot.layout().root().toString()).text(", " + snapshot.source());
    html.text(", " + Units.time(snapshot.at())).close();
    verdict();
    snapshot.scan().ifPresent(this::scan);
    String age = served ? snapshot.look().reports().age(snapshot.at()) : "";
    if (!age.isEmpty()) {
      html.element("p", age, "class", "dim");
    }
    findings();
    // From cause to consequence.
    PageSections sections = new PageSections(snapshot, html);
    sections.space();
    sections.wals();
    sections.tier();
    sections.components();
    notes();
    html.element(
        "footer",
        "hbase-hybrid-storage "
            + PluginVersion.get()
            + ". This page changes nothing. Bytes are of replicas.");
    return html.close().close().close().toString();
  }

  private void head() {
    html.open("head").empty("meta", "charset", "utf-8");
    html.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.empty("meta", "http-equiv", "Content-Security-Policy", "content", served ? WEB_UI : FILE);
    html.empty("meta", "name", "color-scheme", "content", "light dark");
    html.element("title", "Hybrid storage: " + snapshot.layout().root());
    if (served) {
      html.empty("link", "rel", "stylesheet", "href", "/static/css/bootstrap.min.css");
    }
    html.open("style").verbatim(STYLE).close().close();
  }

  private void verdict() {
    Verdict verdict = diagnosis.verdict(snapshot.view());
    boolean unknown = !diagnosis.missing().isEmpty() && !Finding.serious(findings);
    String kind = unknown ? "unknown" : verdict.worst().name().toLowerCase(Locale.ROOT);
    html.element("p", verdict.line(), "class", "verdict " + kind, "role", "status");
  }

  private void scan(ScanTurn scan) {
    long directories = scan.report().directories();
    html.element(
        "p",
        "Last scan: "
            + Units.time(scan.began())
            + " ("
            + Units.ago(scan.began(), snapshot.at())
            + "), took "
            + Units.number(scan.millis() / 1_000.0)
            + " s, "
            + Text.count(scan.report().files(), "file")
            + " in "
            + String.format(Locale.ROOT, "%,d", directories)
            + (directories == 1 ? " directory." : " directories.")
            + (snapshot.noScan().isEmpty() ? "" : " " + snapshot.noScan()),
        "class",
        "dim");
  }

  private void findings() {
    if (snapshot.scan().isEmpty() && findings.isEmpty()) {
      return;
    }
    html.open("section").element("h2", "Open findings");
    if (findings.isEmpty()) {
      html.element("p", "None.");
    }
    findings.stream().limit(MOST_FINDINGS).forEach(this::finding);
    int more = findings.size() - MOST_FINDINGS;
    if (more > 0) {
      html.element("p", "And " + more + " more: 'hbase-hybrid audit' lists all.");
    }
    html.close();
  }

  private void finding(Finding finding) {
    String severity = finding.id().severity().name();
    html.open("article", "class", "finding " + severity.toLowerCase(Locale.ROOT));
    html.open("h3").element("b", severity, "class", "badge").text(" ");
    html.element("span", finding.id().id()).text(" ");
    html.element("code", finding.subject()).close();
    html.open("dl");
    html.element("dt", "Seen").element("dd", finding.seen());
    if (finding.cause().isPresent()) {
      html.element("dt", "Because").element("dd", finding.cause().get().id());
    }
    html.element("dt", "Causes").element("dd", finding.id().causes());
    if (!finding.remedy().isEmpty()) {
      html.element("dt", "Remedy").element("dd", finding.remedy());
    }
    html.close().close();
  }

  private void notes() {
    List<String> notes = diagnosis.notChecked();
    if (!notes.isEmpty()) {
      html.open("section").element("h2", "Not checked").open("ul");
      notes.stream().limit(MOST_NOTES).forEach(note -> html.element("li", note));
      int more = notes.size() - MOST_NOTES;
      if (more > 0) {
        html.element("li", "And " + more + " more: 'hbase-hybrid audit' lists all.");
      }
      html.close().close();
    }
  }
}
