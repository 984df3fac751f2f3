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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.Key;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@InterfaceAudience.Private
class KeysVerbTest {
  @TempDir private Path directory;

  private static ToolRun run(String... args) {
    return ToolRun.of(new Configuration(false), args);
  }

  private static String read(String path) throws IOException {
    return Files.readString(TypedCluster.baseDirectory().resolve(path));
  }

  @Test
  void itListsEveryKeyAndNeedsNoCluster() {
    ToolRun run = run("keys");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    for (Key<?> key : HybridKeys.all()) {
      assertTrue(run.out().contains("\n" + key.name() + " "), key::name);
    }
  }

  @Test
  void oneKeyInFullIsAsTheDocumentationShowsIt() throws IOException {
    ToolRun run = run("keys", "tier.budget");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertTrue(
        read("docs/configuration.md")
            .contains(run.out().replaceAll("(?m)^", "    ").stripTrailing()),
        run::toString);
    assertEquals(run.out(), run("keys", "hbase.hybrid.tier.budget").out());
  }

  @Test
  void changed_listsOnlyKeysThatDifferFromTheirDefault() {
    Configuration conf = new Configuration(false);
    assertEquals("All keys have their defaults.\n", ToolRun.of(conf, "keys", "--changed").out());
    conf.set(HybridKeys.HOT_SHARE.name(), "12");
    conf.set(HybridKeys.TIER_MAX_AGE.name(), "60m");
    ToolRun run = ToolRun.of(conf, "keys", "--changed", "--json");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertTrue(run.out().contains("hbase.hybrid.hot.share"), run::toString);
    assertFalse(run.out().contains("hbase.hybrid.tier.max.age"), run::toString);
  }

  /** What a key allows is made while its class is loaded, so in a process of its own. */
  @Test
  void digitsAreAsciiInEveryLocale() throws Exception {
    for (String[] verb : new String[][] {{"keys"}, {"keys", "--json"}, {"keys", "hot.share"}}) {
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Duser.language=ar",
                  "-Duser.country=EG",
                  "-Dfile.encoding=UTF-8", // or a digit that is not ASCII is a question mark
                  "-Dstdout.encoding=UTF-8",
                  "-cp",
                  System.getProperty("java.class.path"),
                  HybridTool.class.getName()));
      command.addAll(List.of(verb));
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      assertTrue(out.contains("hbase.hybrid.hot.share"), out);
      assertEquals(
          List.of(),
          out.chars().filter(c -> c > 0x600 && c < 0x700).boxed().collect(Collectors.toList()),
          out);
    }
  }

  @Test
  void anUnknownKeyIsWrongUsageAndTheNearestOneIsOffered() {
    ToolRun run = run("keys", "hot.shar");
    assertEquals(Exit.USAGE, run.exit(), run::toString);
    assertTrue(run.err().contains("did you mean hbase.hybrid.hot.share?"), run::toString);
    assertEquals(Exit.USAGE, run("keys", "hot.share", "hot.policy").exit());
  }

  @Test
  void aValueThatIsSetIsShownWithTheFileThatSetsIt() throws IOException {
    Path site = directory.resolve("hbase-site.xml");
    Files.writeString(
        site,
        "<configuration><property><name>hbase.hybrid.hot.share</name><value>12</value>"
            + "</property></configuration>");
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    JsonObject key =
        ToolRun.of(conf, "keys", "hot.share", "--json")
            .json()
            .getAsJsonArray("keys")
            .get(0)
            .getAsJsonObject();
    assertEquals("12", key.get("inForce").getAsString());
    assertEquals("10", key.get("default").getAsString());
    assertTrue(key.get("setIn").getAsString().contains(site.toString()), key::toString);
  }

  @Test
  void aWrongValueAndAMisspelledKeyAreFindings() {
    ToolRun wrong = run("keys", "hot.share", "-D", "hbase.hybrid.hot.share=91");
    assertEquals(Exit.FINDINGS, wrong.exit(), wrong::toString);
    assertTrue(wrong.out().contains("in force  10"), wrong::toString);
    assertTrue(
        wrong.out().contains("hbase.hybrid.hot.share=91 is not understood"), wrong::toString);
    assertEquals(Exit.FINE, run("keys", "hot.policy", "-D", "hbase.hybrid.hot.share=91").exit());
    assertEquals(Exit.FINDINGS, run("keys", "-D", "hbase.hybrid.hot.shar=1").exit());
  }

  @Test
  void everyFieldIsDocumented() throws IOException {
    String page = read("docs/json-schema.json");
    JsonObject json = run("keys", "--json").json();
    List<String> fields = List.copyOf(json.keySet());
    assertEquals(List.of("schema", "exit", "keys", "problems"), fields);
    fields.forEach(field -> assertTrue(page.contains("\"" + field + "\":"), field));
    json.getAsJsonArray("keys")
        .get(0)
        .getAsJsonObject()
        .keySet()
        .forEach(field -> assertTrue(page.contains("\"" + field + "\":"), field));
  }

  @Test
  void aValueThatIsNotUnderstoodIsShownWithWhereItIs() {
    ToolRun run =
        ToolRun.of(new Configuration(false), "keys", "mode", "-D", "hbase.hybrid.mode=perfer");
    assertTrue(run.out().contains("in force  off"), run::toString);
    assertTrue(run.out().contains("set in    -D"), run::toString);
  }
}
