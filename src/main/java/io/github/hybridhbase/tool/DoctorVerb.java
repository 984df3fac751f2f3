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
import io.github.hybridhbase.placement.Observed;
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
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
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
        "--before /etc/hbase/conf.old/hbase-site.xml");
  }

  @Override
  public Options options() {
    Options options = new Options();
    options.addOption(
        null,
        "before",
        true,
        "hbase-site.xml from before the plugin: finds coprocessors missing since");
    options.getOption("before").setArgName("FILE");
    return options;
  }

  @Override
  public int run(Session session, CommandLine options) throws UsageException, IOException {
    Observed<Configuration> before = Observed.unknown("no --before was given");
    if (options.hasOption("before")) {
      before = Observed.at(before(options.getOptionValue("before")));
    }
    ClusterFacts facts = facts(session);
    facts.before = before;
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

  private static Configuration before(String file) throws UsageException {
    java.nio.file.Path path = java.nio.file.Path.of(file).toAbsolutePath();
    if (!Files.isReadable(path)) {
      throw new UsageException("--before " + file + " cannot be read");
    }
    Configuration conf = new Configuration(false);
    conf.addResource(new Path(path.toUri()));
    try {
      conf.size();
    } catch (RuntimeException e) {
      throw new UsageException("--before " + file + " is no configuration: " + e.getMessage());
    }
    return conf;
  }
}
