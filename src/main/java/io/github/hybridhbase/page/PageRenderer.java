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
import io.github.hybridhbase.report.Verdict;
import io.github.hybridhbase.runtime.PluginVersion;
import io.github.hybridhbase.runtime.Text;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A pure function from a {@link Picture} to one HTML page without scripts, of bounded size. Any
 * thread.
 */
@InterfaceAudience.Private
public final class PageRenderer {
  public static final int MOST_CHARS = 1 << 20;

  private static final int MOST_FINDINGS = 30;
  private static final int MOST_NOTES = 10;

  @InterfaceAudience.Private
  public enum Place {
    WEB_UI("default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'"),
    /** A file, which loads nothing. */
    FILE("default-src 'none'; style-src 'unsafe-inline'");

    private final String csp;

    Place(String csp) {
      this.csp = csp;
    }
  }

  private static final String STYLE = style();

  private final Picture picture;
  private final Html html = new Html();

  private PageRenderer(Picture picture) {
    this.picture = picture;
  }

  public static String render(Picture picture, Place place) {
    return new PageRenderer(picture).page(place);
  }

  private static String style() {
    try (InputStream in = PageRenderer.class.getResourceAsStream("page.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String page(Place place) {
    html.open("html", "lang", "en");
    head(place);
    html.open("body", "class", "hybrid");
    if (place == Place.WEB_UI) {
      html.open("nav").open("a", "href", "/master-status");
      html.empty("img", "src", "/static/hbase_logo_small.png", "alt", "HBase").close();
      html.element("a", "Home", "href", "/master-status");
      html.element("a", "Hybrid storage", "href", "/hybrid", "class", "here").close();
    }
    html.open("main");
    html.element("h1", "Hybrid storage").open("p", "class", "dim").text("HBase at ");
    html.element("code", picture.root()).text(", " + picture.source());
    html.text(", " + Units.time(picture.made())).close();
    verdict(place == Place.FILE ? Verdict.View.AUDIT : Verdict.View.PAGE);
    scan();
    if (!picture.exclusionAge().isEmpty()) {
      html.element("p", picture.exclusionAge(), "class", "dim");
    }
    findings();
    // From cause to consequence, as the findings.
    PlacementSections placement = new PlacementSections(picture, html);
    SsdSections ssd = new SsdSections(picture, html);
    ssd.space();
    placement.wals();
    placement.demotions();
    ssd.tier();
    placement.components();
    notes();
    html.element(
        "footer",
        "hbase-hybrid-storage "
            + PluginVersion.get()
            + ". This page changes nothing. Bytes are of replicas.");
    return html.close().close().close().toString();
  }

  private void head(Place place) {
    html.open("head").empty("meta", "charset", "utf-8");
    html.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.empty("meta", "http-equiv", "Content-Security-Policy", "content", place.csp);
    html.empty("meta", "name", "color-scheme", "content", "light dark");
    html.element("title", "Hybrid storage: " + picture.root());
    if (place == Place.WEB_UI) {
      html.empty("link", "rel", "stylesheet", "href", "/static/css/bootstrap.min.css");
    }
    html.open("style").verbatim(STYLE).close().close();
  }

  private void verdict(Verdict.View view) {
    Verdict verdict = new Verdict(view, picture.findings(), picture.missing());
    boolean unknown = !picture.missing().isEmpty() && !Finding.serious(picture.findings());
    String kind = unknown ? "unknown" : verdict.worst().name().toLowerCase(Locale.ROOT);
    html.element("p", verdict.line(), "class", "verdict " + kind, "role", "status");
  }

  private void scan() {
    picture
        .scan()
        .ifPresent(
            scan ->
                html.element(
                    "p",
                    "Last scan: "
                        + Units.time(scan.began())
                        + " ("
                        + Units.ago(scan.began(), picture.made())
                        + demotedSince(scan.began())
                        + "), took "
                        + Units.number(scan.millis() / 1_000.0)
                        + " s, "
                        + Text.count(scan.files(), "file")
                        + " in "
                        + String.format(Locale.ROOT, "%,d", scan.directories())
                        + (scan.directories() == 1 ? " directory." : " directories.")
                        + (picture.noScan().isEmpty() ? "" : " " + picture.noScan()),
                    "class",
                    "dim"));
  }

  private String demotedSince(long began) {
    boolean since =
        picture.demotions().stream().anyMatch(one -> one.since().orElse(Long.MIN_VALUE) > began);
    return since ? ", before a demotion below" : "";
  }

  private void findings() {
    if (picture.scan().isEmpty() && picture.findings().isEmpty()) {
      return;
    }
    html.open("section").element("h2", "Open findings");
    if (picture.findings().isEmpty()) {
      html.element("p", "None.");
    }
    picture.findings().stream().limit(MOST_FINDINGS).forEach(this::finding);
    int more = picture.findings().size() - MOST_FINDINGS;
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
    if (!picture.notes().isEmpty()) {
      html.open("section").element("h2", "Not checked").open("ul");
      picture.notes().stream().limit(MOST_NOTES).forEach(note -> html.element("li", note));
      int more = picture.notes().size() - MOST_NOTES;
      if (more > 0) {
        html.element("li", "And " + more + " more: 'hbase-hybrid audit' lists all.");
      }
      html.close().close();
    }
  }
}
