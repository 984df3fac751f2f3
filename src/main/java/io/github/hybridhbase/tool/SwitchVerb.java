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

import io.github.hybridhbase.report.Json;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Option;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/** The verbs {@code enable} and {@code disable}, which edit a site file without a cluster. */
@InterfaceAudience.Private
public final class SwitchVerb extends Verb {
  private static final String SITE = "site";
  private static final String WRITE = "write";
  private static final String ROLL =
      "Restart the backup masters, the active master, then the RegionServers, one by one.";

  private final boolean enables;

  private SwitchVerb(boolean enables) {
    super(
        enables ? "enable" : "disable",
        enables
            ? "merge the plugin's properties into a site file: show the diff, write it with --write"
            : "take the plugin's properties out of a site file: show the diff, write it with"
                + " --write",
        "--site /etc/hbase/conf/hbase-site.xml --write");
    this.enables = enables;
  }

  public static Verb enable() {
    return new SwitchVerb(true);
  }

  public static Verb disable() {
    return new SwitchVerb(false);
  }

  @Override
  public boolean offline() {
    return true;
  }

  @Override
  public Options options() {
    Option site =
        new Option(
            null, SITE, true, "the site file; without it hbase-site.xml of HBase's class path");
    site.setArgName("FILE");
    return new Options()
        .addOption(site)
        .addOption(null, WRITE, false, "write the file, and keep the previous one beside it");
  }

  @Override
  public int run(Session session, CommandLine line) throws UsageException {
    Path file = file(session, line);
    try {
      SiteFile site = SiteFile.read(file);
      SiteSwitch.Change change = enables ? SiteSwitch.enable(site) : SiteSwitch.disable(site);
      List<String> diff = site.diff(change.after());
      Path kept =
          line.hasOption(WRITE) && !diff.isEmpty()
              ? site.write(change.after(), ".before-" + name() + "-" + stamp())
              : null;
      print(session, file, change, diff, kept);
      return Exit.FINE;
    } catch (IOException e) {
      session.err().println(Text.escape(String.valueOf(e.getMessage())));
      return Exit.FINDINGS;
    }
  }

  private static Path file(Session session, CommandLine line) throws UsageException {
    URL found = session.conf().getResource("hbase-site.xml");
    boolean onDisk = found != null && found.getProtocol().equals("file");
    if (!line.hasOption(SITE) && !onDisk) {
      throw new UsageException(
          "There is no hbase-site.xml on the class path: give --site FILE, or set HBASE_CONF_DIR.");
    }
    Path file = line.hasOption(SITE) ? Path.of(line.getOptionValue(SITE)) : Path.of(uri(found));
    if (!Files.isRegularFile(file)) {
      throw new UsageException("--site " + file + " is not a file; name a site file.");
    }
    return file;
  }

  private static URI uri(URL file) throws UsageException {
    try {
      return file.toURI();
    } catch (URISyntaxException e) {
      throw new UsageException(file + " is not a file that can be opened: give --site FILE.");
    }
  }

  private static String stamp() {
    return DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT)
        .withZone(ZoneOffset.UTC)
        .format(Instant.now());
  }

  private void print(
      Session session, Path file, SiteSwitch.Change change, List<String> diff, Path kept) {
    List<String> remarks = change.remarks();
    List<String> next = diff.isEmpty() ? List.of() : next(kept != null, change.mode());
    if (session.json()) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("schema", "hbase-hybrid/" + name() + "/1");
      json.put("exit", Exit.FINE);
      json.put("site", file.toString());
      json.put("written", kept != null);
      json.put("kept", kept == null ? null : kept.toString());
      json.put("diff", diff);
      json.put("remarks", remarks);
      json.put("next", next);
      Json.print(json, session.out());
      return;
    }
    if (diff.isEmpty()) {
      session.out().println(file + ": nothing to change.");
    }
    diff.forEach(one -> session.out().println(Text.escape(one).replace("\\u0009", "\t")));
    remarks.forEach(one -> session.out().println(Text.escape(one)));
    if (kept != null) {
      session.out().println("Written. The previous file is " + kept + ".");
    }
    if (!next.isEmpty()) {
      session.out().println("Next:");
      next.forEach(one -> session.out().println("  " + one));
    }
  }

  private List<String> next(boolean written, Mode mode) {
    if (!written) {
      return List.of("Run it again with --write to write the file.");
    }
    if (!enables) {
      return List.of(
          "1. Copy the file to every master and RegionServer.",
          "2. " + ROLL,
          "3. Remove the plugin's jar from lib/.",
          "4. To have SSD empty at once rather than as HBase rewrites its files: hbase-hybrid"
              + " revert.");
    }
    return List.of(
        "1. Put the plugin's jar into lib/ of every master and RegionServer: without it the file"
            + " keeps them from starting.",
        "2. Copy the file to all of them.",
        "3. " + ROLL,
        "4. Run hbase-hybrid doctor, then hbase-hybrid audit.");
  }
}
