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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.page.PlacementFindings;
import io.github.hybridhbase.page.PlacementSnapshot;
import io.github.hybridhbase.report.Report;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Stop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Option;
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
    return of((out, err) -> HybridTool.run(new Configuration(conf), args, out, err, stop));
  }

  /** The walk of check alone, which needs no HBase. */
  static ToolRun blocks(Configuration conf, String... args) throws Exception {
    Options options = new CheckVerb().options();
    options.addOption(null, "json", false, "");
    options.addOption(Option.builder("D").numberOfArgs(2).valueSeparator().build());
    CommandLine line = new DefaultParser().parse(options, args);
    Configuration own = new Configuration(conf);
    line.getOptionProperties("D").forEach((key, value) -> own.set((String) key, (String) value));
    int files = Integer.parseInt(line.getOptionValue("files", "0"));
    Optional<TableName> table =
        Optional.ofNullable(line.getOptionValue("table")).map(TableName::valueOf);
    return of(
        (out, err) -> {
          Session session = Session.open(own, out, err, line.hasOption("json"), new Stop());
          Blocks blocks = new Blocks(session, table, files);
          PlacementSnapshot walked = blocks.walk();
          Report report = PlacementFindings.ofScan(walked, Optional.empty()).report("blocks");
          blocks.report(walked, OptionalLong.empty(), report);
          return CheckVerb.print(session, report);
        });
  }

  /** Prints, and answers the exit code. */
  private interface Printing<E extends Exception> {
    int run(PrintStream out, PrintStream err) throws E;
  }

  private static <E extends Exception> ToolRun of(Printing<E> printing) throws E {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit = printing.run(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    return new ToolRun(exit, out.toString(UTF_8), err.toString(UTF_8));
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

  /** What it printed, each field of which must be in {@code docs/json-schema.json}. */
  JsonObject json() {
    try {
      JsonObject json = JsonParser.parseString(out).getAsJsonObject();
      Path file = TypedCluster.baseDirectory().resolve("docs/json-schema.json");
      JsonObject all =
          JsonParser.parseString(Files.readString(file)).getAsJsonObject().getAsJsonObject("$defs");
      String verb = json.get("schema").getAsString().split("/")[1];
      assertDocumented(json, all.getAsJsonObject(all.has(verb) ? verb : "rewrite"), all);
      return json;
    } catch (IOException | RuntimeException e) {
      throw new AssertionError("no JSON: exit " + exit + "\n" + out + err, e);
    }
  }

  private static void assertDocumented(JsonElement json, JsonObject schema, JsonObject all) {
    if (schema.has("const") || schema.has("enum")) {
      JsonElement values = schema.has("const") ? schema.get("const") : schema.get("enum");
      assertTrue(values.equals(json) || values.getAsJsonArray().contains(json), json::toString);
    } else if (schema.has("$ref")) {
      String name = schema.get("$ref").getAsString().replace("#/$defs/", "");
      assertDocumented(json, all.getAsJsonObject(name), all);
    } else if (json.isJsonArray()) {
      json.getAsJsonArray()
          .forEach(one -> assertDocumented(one, schema.getAsJsonObject("items"), all));
    } else if (json.isJsonObject() && schema.has("properties")) {
      JsonObject known = schema.getAsJsonObject("properties");
      for (Map.Entry<String, JsonElement> field : json.getAsJsonObject().entrySet()) {
        assertTrue(known.has(field.getKey()), "docs/json-schema.json lacks " + field);
        assertDocumented(field.getValue(), known.getAsJsonObject(field.getKey()), all);
      }
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

  /** Of a component's {@code closed} or {@code open} files. */
  long sum(String component, String files, String field) {
    return component(component).getAsJsonObject(files).get(field).getAsLong();
  }

  @Override
  public String toString() {
    return "exit " + exit + "\n" + out + err;
  }
}
