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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code bin/hbase-hybrid} in front of an {@code hbase} command that writes down what it is told.
 */
@InterfaceAudience.Private
class LauncherTest {
  private static final String SCRIPT =
      String.join(
          "\n",
          "#!/usr/bin/env bash",
          "printf '%s\\n' \"$0\" \"$@\" > \"$RECORD\"",
          "printf 'conf=%s home=%s' \"${HBASE_CONF_DIR-}\" \"${HBASE_HOME-}\" > \"$RECORD.env\"",
          // As HBase's own script puts it together.
          "classes=lib${HBASE_CLASSPATH:+:$HBASE_CLASSPATH}",
          "classes=${HBASE_CLASSPATH_PREFIX:+$HBASE_CLASSPATH_PREFIX:}$classes",
          "printf '%s' \"$classes\" > \"$RECORD.classes\"",
          "echo to-out",
          "echo to-err >&2",
          "exit \"${FAKE_EXIT:-0}\"",
          "");

  @TempDir private Path directory;

  private final Map<String, String> environment = new HashMap<>();
  private Path record;
  private Path home;

  @BeforeEach
  void fakeHBase() throws IOException {
    record = directory.resolve("record");
    home = directory.resolve("h base");
    environment.put("RECORD", record.toString());
    environment.put("PATH", home.resolve("bin") + ":" + System.getenv("PATH"));
    Path script = Files.createDirectories(home.resolve("bin")).resolve("hbase");
    Files.writeString(script, SCRIPT);
    assertTrue(script.toFile().setExecutable(true));
  }

  /** Exit code, then standard output, then standard error. */
  private List<String> launch(Path launcher, String... args) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().remove("HBASE_HOME");
    builder.environment().putAll(environment);
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    int exit = process.waitFor();
    return List.of(Integer.toString(exit), Files.readString(out), Files.readString(err));
  }

  private List<String> launch(String... args) throws Exception {
    return launch(launcher(), args);
  }

  private static Path launcher() {
    return TypedCluster.baseDirectory().resolve("bin/hbase-hybrid").toAbsolutePath();
  }

  private List<String> recorded() throws IOException {
    return Files.readAllLines(record, StandardCharsets.UTF_8);
  }

  @Test
  void theHBaseOfThePathGetsTheClassAndEveryArgumentAsItIs() throws Exception {
    environment.put("HBASE_CONF_DIR", "/etc/h conf");
    List<String> run = launch("check", "--table", "a b", "-D", "k=$(id) *", "", "--json");
    assertEquals(List.of("0", "to-out\n", "to-err\n"), run);
    assertEquals(
        List.of(
            home.resolve("bin/hbase").toString(),
            HybridTool.class.getName(),
            "check",
            "--table",
            "a b",
            "-D",
            "k=$(id) *",
            "",
            "--json"),
        recorded());
    assertEquals("conf=/etc/h conf home=", Files.readString(Path.of(record + ".env")));
  }

  @Test
  void theHBaseOfHBaseHomeComesFirst() throws Exception {
    Path other = Files.createDirectories(directory.resolve("other/bin"));
    Files.copy(home.resolve("bin/hbase"), other.resolve("hbase"));
    assertTrue(other.resolve("hbase").toFile().setExecutable(true));
    environment.put("HBASE_HOME", directory.resolve("other").toString());
    assertEquals("0", launch("check").get(0));
    assertEquals(other.resolve("hbase").toString(), recorded().get(0));
    assertEquals("conf= home=" + other.getParent(), Files.readString(Path.of(record + ".env")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "2", "3", "130"})
  void theExitCodeIsTheTools(String exit) throws Exception {
    environment.put("FAKE_EXIT", exit);
    assertEquals(exit, launch("apply", "--dry-run").get(0));
  }

  @Test
  void wrongUsageNeverReachesHBase() throws Exception {
    assertEquals("2", launch().get(0));
    List<String> unknown = launch("audti");
    assertEquals("2", unknown.get(0));
    assertTrue(unknown.get(2).contains("unknown verb: audti"), unknown::toString);
    assertEquals("0", launch("--help").get(0));
    assertTrue(Files.notExists(record));
  }

  /** It makes cd print where it went, and go to another directory of the same name. */
  @ParameterizedTest
  @ValueSource(strings = {"bin/hbase-hybrid", "bench/run"})
  void anExportedCdpathChangesNothing(String script) throws Exception {
    Path checkout = checkout(true).resolve("../..").normalize();
    if (script.startsWith("bench")) {
      Files.createDirectories(checkout.resolve("bench"));
      Files.copy(TypedCluster.baseDirectory().resolve(script), checkout.resolve(script));
    }
    environment.put("CDPATH", directory.toString());
    List<String> run =
        launch(Path.of("checkout", script), script.startsWith("bin") ? "check" : "--dry-run");
    assertEquals("0", run.get(0), run::toString);
    String all = String.join(" ", recorded());
    assertTrue(all.contains("-Dhybrid.basedir=" + directory.toRealPath() + "/checkout -cp"), all);
  }

  /** A checkout with a java that writes down what it is told, and no hbase command. */
  private Path checkout(boolean built) throws IOException {
    Path checkout = directory.resolve("checkout");
    Files.createDirectories(checkout.resolve("src/test"));
    Files.createDirectories(checkout.resolve("src/bed"));
    Files.createDirectories(checkout.resolve("src/main"));
    Path copy = Files.createDirectories(checkout.resolve("bin")).resolve("hbase-hybrid");
    Files.copy(launcher(), copy);
    assertTrue(copy.toFile().setExecutable(true));
    Files.writeString(
        checkout.resolve("pom.xml"),
        "<hbase.jvm.flags>\n  --add-opens a/b=ALL-UNNAMED\n</hbase.jvm.flags>\n");
    if (built) {
      Files.createDirectories(checkout.resolve("target/classes"));
      Files.createDirectories(checkout.resolve("target/test-classes"));
      Files.writeString(checkout.resolve("target/hbase-hybrid.classpath"), "lib.jar");
    }
    Path java = Files.createDirectories(directory.resolve("jdk/bin")).resolve("java");
    Files.writeString(
        java,
        "#!/usr/bin/env bash\n[[ $1 == -X* && $1 != -Xmx* ]]"
            + " && { echo 'java.specification.version = 17' >&2; exit; }\n"
            + "printf '%s\\n' \"$@\" > \"$RECORD\"\n");
    assertTrue(java.toFile().setExecutable(true));
    environment.put("JAVA_HOME", directory.resolve("jdk").toString());
    environment.put("PATH", "/usr/bin:/bin");
    return copy;
  }

  @Test
  void inACheckoutTheConfigurationDirectoryComesFirst() throws Exception {
    Path launcher = checkout(true);
    environment.put("HBASE_CONF_DIR", "/etc/h conf");
    assertEquals("0", launch(launcher, "check").get(0));
    String all = String.join(" ", recorded());
    assertTrue(all.contains("-cp /etc/h conf:" + directory.toRealPath() + "/checkout"), all);
  }

  /** An archive as it is unpacked. */
  private Path archive() throws IOException {
    Path launcher = checkout(false);
    Path root = launcher.resolve("../..").normalize();
    Path bed = Files.createDirectories(root.resolve("lib/bed"));
    Files.move(root.resolve("pom.xml"), bed.resolve("pom.xml"));
    Files.delete(root.resolve("src/test"));
    Files.writeString(bed.resolve("lines.properties"), "# one\n2.6.4-hadoop3 = whole\n");
    Files.writeString(root.resolve("lib/hbase-hybrid-storage-1.jar"), "");
    Files.writeString(bed.resolve("hbase-hybrid-storage-1-bed.jar"), "");
    return launcher;
  }

  @Test
  void anArchivesJarIsAheadOfHBasesClassPath() throws Exception {
    String path = environment.get("PATH");
    Path launcher = archive();
    environment.put("PATH", path);
    environment.put("HBASE_CLASSPATH", "/mine");
    environment.put("HBASE_CLASSPATH_PREFIX", "/first");
    assertEquals("0", launch(launcher, "check").get(0));
    assertEquals(
        directory.toRealPath() + "/checkout/lib/hbase-hybrid-storage-1.jar:/first:lib:/mine",
        Files.readString(Path.of(record + ".classes")));
  }

  @Test
  void anArchiveFetchesOnceWhatTheBedNeeds() throws Exception {
    Path launcher = archive();
    Path jars = Files.createDirectory(directory.resolve("m2"));
    Path tests = Files.writeString(jars.resolve("hadoop-hdfs-3.4.2-tests.jar"), "");
    Path server = Files.writeString(jars.resolve("hbase-server-2.6.4.jar"), "");
    Path mvn = directory.resolve("jdk/bin/mvn");
    Files.writeString(
        mvn,
        "#!/usr/bin/env bash\ncd \"$(dirname \"$5\")/../..\" && echo once >> \"$RECORD.mvn\"\n"
            + ("printf '" + server + "' > target/servers.classpath\n")
            + ("printf '" + server + ":" + tests + "' > target/all.classpath\n"));
    assertTrue(mvn.toFile().setExecutable(true));
    environment.put("PATH", mvn.getParent() + ":/usr/bin:/bin");
    for (int times = 0; times < 2; times++) {
      List<String> run = launch(launcher, "demo", "up");
      assertEquals("0", run.get(0), run::toString);
    }
    Path root = directory.toRealPath().resolve("checkout");
    String all = String.join(" ", recorded());
    assertTrue(
        all.contains(
            "-cp "
                + root
                + "/lib/hbase-hybrid-storage-1.jar:"
                + root
                + "/lib/bed/hbase-hybrid-storage-1-bed.jar:"
                + server),
        all);
    assertTrue(all.contains("--add-opens a/b=ALL-UNNAMED -Dhybrid.basedir=" + root), all);
    assertEquals("once\n", Files.readString(Path.of(record + ".mvn")));
    Path lines = root.resolve("target/lines");
    assertEquals("2.6.4-hadoop3\n", Files.readString(lines.resolve("built")));
    assertEquals(server.toString(), Files.readString(lines.resolve("2.6.4-hadoop3.jars")));
    assertEquals(tests + "\n", Files.readString(lines.resolve("2.6.4-hadoop3.webapps")));
  }

  @Test
  void itKnowsTheVerbsThatTheToolHas() throws Exception {
    for (String verb : HybridTool.verbs()) {
      assertTrue(launch("--help").get(1).contains("\n  " + verb + " "), verb);
      assertEquals("0", launch(verb).get(0), verb);
    }
  }

  @Test
  void itHasNoVerbThatTheToolHasNot() throws Exception {
    List<String> verbs = new ArrayList<>(HybridTool.verbs());
    verbs.add("demo");
    String script = Files.readString(launcher());
    assertEquals(names("readonly VERBS=\"([a-z ]+)\"", script), new TreeSet<>(verbs));
    assertEquals(names("(?m)^  ([a-z]+) +[a-z]", launch("--help").get(1)), new TreeSet<>(verbs));
  }

  private static Set<String> names(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .flatMap(found -> Stream.of(found.group(1).split(" ")))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
