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

import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingPrinter;
import io.github.hybridhbase.report.Json;
import io.github.hybridhbase.report.Screen;
import io.github.hybridhbase.report.Verdict;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
import io.github.hybridhbase.tool.doctor.ClusterFacts;
import io.github.hybridhbase.tool.doctor.Doctor;
import io.github.hybridhbase.tool.doctor.FactFinder;
import io.github.hybridhbase.tool.doctor.SiteLines;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/** The verb {@code doctor}: checks whether this cluster can satisfy the declaration. */
@InterfaceAudience.Private
final class DoctorVerb extends Verb {
  DoctorVerb() {
    super(
        "doctor",
        "check whether this cluster can satisfy the declaration; writes and deletes one probe file",
        "--debug");
  }

  @Override
  public Options options() {
    return new Options();
  }

  @Override
  public int run(Session session, CommandLine options) throws UsageException, IOException {
    ClusterFacts facts = facts(session);
    Diagnosis diagnosis = Doctor.examine(facts);
    List<Finding> findings = diagnosis.findings();
    List<String> missing = diagnosis.missing();
    Verdict verdict = diagnosis.verdict(Verdict.View.DOCTOR);
    int exit = Finding.serious(findings) || !missing.isEmpty() ? Exit.FINDINGS : Exit.FINE;
    if (session.stop().requested()) {
      exit = Exit.STOPPED;
    }
    if (session.json()) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("schema", "hbase-hybrid/doctor/1");
      json.put("exit", exit);
      json.put("verdict", verdict.level());
      json.put("notCheckedHere", Verdict.View.DOCTOR.notChecked());
      json.put("root", session.layout().root().toString());
      List<Object> all = new ArrayList<>();
      findings.forEach(f -> all.add(f.toJson()));
      json.put("findings", all);
      json.put("page", facts.page.seen().orElse(null));
      List<String> notChecked = new ArrayList<>(session.unseen());
      notChecked.addAll(diagnosis.notChecked());
      json.put("notChecked", notChecked);
      json.put("keys", SiteLines.changed(session.conf()));
      json.put("paste", SiteLines.missing(session.conf()));
      json.put("missing", missing);
      Json.print(json, session.out());
    } else {
      Screen screen = session.terminal().screen();
      session
          .out()
          .println(
              screen.paint(
                  verdict.worst(),
                  session.stop().requested()
                      ? "Stopped before the end, so there may be more (" + verdict.counts() + ")."
                      : verdict.line()));
      FindingPrinter.print(findings, session.out(), screen);
      facts.page.seen().ifPresent(at -> session.out().println(Text.escape("Page: " + at)));
      for (String text : diagnosis.notChecked()) {
        session.out().println(Text.escape("Not checked: " + text));
      }
      SiteLines.changed(session.conf()).forEach(key -> say(session, "Set here: " + key));
      List<String> paste = SiteLines.missing(session.conf());
      if (!paste.isEmpty()) {
        say(session, "To install, put into " + site(session) + " of every server:");
        paste.forEach(line -> say(session, line));
      }
    }
    return exit;
  }

  private static ClusterFacts facts(Session session) throws IOException {
    boolean terminal = session.terminal().progress();
    if (terminal) {
      session.err().print("asking HDFS, HBase and ZooKeeper, and writing a probe block ...");
      session.err().flush();
    }
    try {
      return new FactFinder(session).find();
    } finally {
      if (terminal) {
        session.err().print("\r\u001b[K");
        session.err().flush();
      }
    }
  }

  private static void say(Session session, String line) {
    session.out().println(Text.escape(line));
  }

  private static String site(Session session) {
    URL file = session.conf().getResource("hbase-site.xml");
    return file == null ? "hbase-site.xml" : file.getPath();
  }
}
