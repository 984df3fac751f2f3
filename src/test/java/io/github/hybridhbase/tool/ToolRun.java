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

import io.github.hybridhbase.page.PlacementFindings;
import io.github.hybridhbase.page.PlacementSnapshot;
import io.github.hybridhbase.report.Report;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Stop;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/** One run of the command line in this JVM: its exit code and what it printed. */
@InterfaceAudience.Private
public final class ToolRun {
  private final int exit;
  private final String out;
  private final String err;

  private ToolRun(int exit, String out, String err) {
    this.exit = exit;
    this.out = out;
    this.err = err;
  }

  public static ToolRun of(Configuration conf, String... args) {
    return of(conf, new Stop(), args);
  }

  static ToolRun of(Configuration conf, Stop stop, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        HybridTool.run(
            new Configuration(conf),
            args,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            stop);
    return new ToolRun(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The walk of check alone, which needs no HBase. */
  static ToolRun blocks(Configuration conf, String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Options options = new CheckVerb().options();
    options.addOption(null, "json", false, "");
    options.addOption("D", true, "");
    CommandLine line = new DefaultParser().parse(options, args);
    Configuration own = new Configuration(conf);
    if (line.hasOption("D")) {
      String[] pair = line.getOptionValue("D").split("=", 2);
      own.set(pair[0], pair[1]);
    }
    Session session =
        Session.open(
            own,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            line.hasOption("json"),
            new Stop());
    int files = Integer.parseInt(line.getOptionValue("files", "0"));
    Optional<TableName> table =
        Optional.ofNullable(line.getOptionValue("table")).map(TableName::valueOf);
    Blocks blocks = new Blocks(session, table, files);
    PlacementSnapshot walked = blocks.walk();
    Report report = PlacementFindings.ofScan(walked).report("blocks");
    blocks.report(walked, OptionalLong.empty(), report);
    int exit = CheckVerb.print(session, report);
    return new ToolRun(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  public int exit() {
    return exit;
  }

  String out() {
    return out;
  }

  String err() {
    return err;
  }

  JsonObject json() {
    try {
      return JsonParser.parseString(out).getAsJsonObject();
    } catch (RuntimeException e) {
      throw new AssertionError("no JSON: exit " + exit + "\n" + out + err, e);
    }
  }

  /** Ids of the findings, worst first. */
  public List<String> findings() {
    List<String> ids = new ArrayList<>();
    for (JsonElement finding : json().getAsJsonArray("findings")) {
      ids.add(finding.getAsJsonObject().get("id").getAsString());
    }
    return ids;
  }

  /** One component of an audit. */
  public JsonObject component(String label) {
    for (JsonElement component : json().getAsJsonArray("components")) {
      if (component.getAsJsonObject().get("component").getAsString().equals(label)) {
        return component.getAsJsonObject();
      }
    }
    throw new AssertionError("no component " + label + " in " + out);
  }

  @Override
  public String toString() {
    return "exit " + exit + "\n" + out + err;
  }
}
