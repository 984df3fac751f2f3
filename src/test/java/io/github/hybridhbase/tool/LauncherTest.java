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

import java.io.IOException;
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

/** {@code bin/hbase-hybrid} in front of programs that write down what they are told. */
@InterfaceAudience.Private
class LauncherTest {
  private static final String RECORD = "printf '%s\\n' \"$@\" > \"$RECORD\"";

  @TempDir private Path directory;

  private final Map<String, String> environment = new HashMap<>();
  private Path hbase;
  private Path checkout;

  private static void program(Path file, String... lines) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/usr/bin/env bash\n" + String.join("\n", lines) + "\n");
    assertTrue(file.toFile().setExecutable(true));
  }

  @BeforeEach
  void fakeHBase() throws IOException {
    directory = directory.toRealPath();
    checkout = directory.resolve("checkout");
    hbase = directory.resolve("h base/bin/hbase");
    environment.put("RECORD", directory.resolve("record").toString());
    environment.put("PATH", hbase.getParent() + ":" + System.getenv("PATH"));
    program(
        hbase,
        // As HBase's own script puts it together.
        "classes=${HBASE_CLASSPATH_PREFIX:+$HBASE_CLASSPATH_PREFIX:}lib"
            + "${HBASE_CLASSPATH:+:$HBASE_CLASSPATH}",
        "set -- \"$0\" \"$@\" \"conf=${HBASE_CONF_DIR-} home=${HBASE_HOME-} $classes\"",
        RECORD,
        "echo to-out",
        "echo to-err >&2",
        "exit \"${FAKE_EXIT:-0}\"");
  }

  private ForkedTool launch(Path script, String... args) throws Exception {
    return new ForkedTool(
        directory,
        environment,
        Stream.concat(Stream.of(script.toString()), Stream.of(args)).toArray(String[]::new));
  }

  private ForkedTool launch(String... args) throws Exception {
    return launch(ForkedTool.checkout().resolve(ForkedTool.LAUNCHER), args);
  }

  private List<String> recorded() throws IOException {
    return Files.readAllLines(directory.resolve("record"));
  }

  private void assertTold(String part) throws IOException {
    String all = String.join(" ", recorded());
    assertTrue(all.contains(part), () -> part + " in " + all);
  }

  @Test
  void theHBaseOfThePathGetsTheClassAndEveryArgumentAsItIs() throws Exception {
    environment.put("HBASE_CONF_DIR", "/etc/h conf");
    List<String> args = List.of("check", "--table", "a b", "-D", "k=$(id) *", "", "--json");
    assertEquals("exit 0\nto-out\nto-err\n", launch(args.toArray(new String[0])).toString());
    List<String> told = new ArrayList<>(List.of(hbase.toString(), HybridTool.class.getName()));
    told.addAll(args);
    told.add("conf=/etc/h conf home= lib");
    assertEquals(told, recorded());
  }

  @Test
  void theHBaseOfHBaseHomeComesFirst() throws Exception {
    Path other = directory.resolve("other/bin/hbase");
    program(other, Files.readString(hbase));
    environment.put("HBASE_HOME", directory.resolve("other").toString());
    assertEquals(0, launch("check").exit);
    assertEquals(other.toString(), recorded().get(0));
    assertTold("conf= home=" + directory.resolve("other"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 130})
  void theExitCodeIsTheTools(int exit) throws Exception {
    environment.put("FAKE_EXIT", "" + exit);
    assertEquals(exit, launch("apply", "--dry-run").exit);
  }

  @Test
  void wrongUsageNeverReachesHBase() throws Exception {
    assertEquals(2, launch().exit);
    ForkedTool unknown = launch("audti");
    assertEquals(2, unknown.exit);
    assertTrue(unknown.err.contains("unknown verb: audti"), unknown::toString);
    assertEquals(0, launch("--help").exit);
    assertTrue(Files.notExists(directory.resolve("record")));
  }

  @Test
  void itHasTheVerbsOfTheToolAndDemo() throws Exception {
    Set<String> verbs = new TreeSet<>(HybridTool.verbs());
    for (String verb : verbs) {
      assertEquals(0, launch(verb).exit, verb);
    }
    verbs.add("demo");
    String script = Files.readString(ForkedTool.checkout().resolve(ForkedTool.LAUNCHER));
    assertEquals(verbs, names("readonly VERBS=\"([a-z ]+)\"", script));
    assertEquals(verbs, names("(?m)^  ([a-z]+) +[a-z]", launch("--help").out));
  }

  private static Set<String> names(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .flatMap(found -> Stream.of(found.group(1).split(" ")))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** A checkout with a java that writes down what it is told, and no hbase command. */
  private Path checkout(String script) throws IOException {
    Path copy = ForkedTool.copyOf(script, checkout);
    Files.writeString(
        checkout.resolve("pom.xml"),
        "<hbase.jvm.flags>\n  --add-opens a/b=ALL-UNNAMED\n</hbase.jvm.flags>\n");
    program(
        directory.resolve("jdk/bin/java"),
        "[[ $1 == -X* && $1 != -Xmx* ]]"
            + " && { echo 'java.specification.version = 17' >&2; exit; }",
        RECORD);
    environment.put("JAVA_HOME", directory.resolve("jdk").toString());
    environment.put("PATH", directory.resolve("jdk/bin") + ":/usr/bin:/bin");
    return copy;
  }

  private Path built(String script) throws IOException {
    Path copy = checkout(script);
    Files.createDirectories(checkout.resolve("target/classes"));
    Files.createDirectories(checkout.resolve("target/test-classes"));
    Files.writeString(checkout.resolve("target/hbase-hybrid.classpath"), "lib.jar");
    return copy;
  }

  /** It makes cd print where it went, and go to another directory of the same name. */
  @Test
  void anExportedCdpathChangesNothing() throws Exception {
    environment.put("CDPATH", directory.toString());
    for (String script : List.of(ForkedTool.LAUNCHER, "bench/run")) {
      built(script);
      boolean bench = script.startsWith("bench");
      ForkedTool run = launch(Path.of("checkout", script), bench ? "--dry-run" : "check");
      assertEquals(0, run.exit, run::toString);
      assertTold("-Dhybrid.basedir=" + checkout + " -cp");
      Files.delete(directory.resolve("record"));
    }
  }

  @Test
  void inACheckoutTheConfigurationDirectoryComesFirst() throws Exception {
    environment.put("HBASE_CONF_DIR", "/etc/h conf");
    assertEquals(0, launch(built(ForkedTool.LAUNCHER), "check").exit);
    assertTold("-cp /etc/h conf:" + checkout);
  }

  /** An archive as it is unpacked. */
  private Path archive() throws IOException {
    Path launcher = checkout(ForkedTool.LAUNCHER);
    Path bed = Files.createDirectories(checkout.resolve("lib/bed"));
    Files.move(checkout.resolve("pom.xml"), bed.resolve("pom.xml"));
    Files.delete(checkout.resolve("src/test"));
    Files.writeString(bed.resolve("lines.properties"), "# one\n2.6.4-hadoop3 = whole\n");
    Files.writeString(checkout.resolve("lib/hbase-hybrid-storage-1.jar"), "");
    Files.writeString(bed.resolve("hbase-hybrid-storage-1-bed.jar"), "");
    return launcher;
  }

  @Test
  void anArchivesJarIsAheadOfHBasesClassPath() throws Exception {
    Path launcher = archive();
    environment.put("PATH", hbase.getParent() + ":" + System.getenv("PATH"));
    environment.put("HBASE_CLASSPATH", "/mine");
    environment.put("HBASE_CLASSPATH_PREFIX", "/first");
    assertEquals(0, launch(launcher, "check").exit);
    assertTold(" " + checkout + "/lib/hbase-hybrid-storage-1.jar:/first:lib:/mine");
  }

  @Test
  void anArchiveFetchesOnceWhatTheBedNeeds() throws Exception {
    Path launcher = archive();
    Path jars = Files.createDirectory(directory.resolve("m2"));
    Path tests = Files.writeString(jars.resolve("hadoop-hdfs-3.4.2-tests.jar"), "");
    Path server = Files.writeString(jars.resolve("hbase-server-2.6.4.jar"), "");
    program(
        directory.resolve("jdk/bin/mvn"),
        "cd \"$(dirname \"$5\")/../..\" && echo once >> \"$RECORD.mvn\"",
        "printf '" + server + "' > target/servers.classpath",
        "printf '" + server + ":" + tests + "' > target/all.classpath");
    for (int times = 0; times < 2; times++) {
      ForkedTool run = launch(launcher, "demo", "up");
      assertEquals(0, run.exit, run::toString);
    }
    Path lib = checkout.resolve("lib");
    assertTold(
        "-cp "
            + lib.resolve("hbase-hybrid-storage-1.jar:")
            + lib.resolve("bed/hbase-hybrid-storage-1-bed.jar:")
            + server);
    assertTold("--add-opens a/b=ALL-UNNAMED -Dhybrid.basedir=" + checkout);
    assertEquals("once\n", Files.readString(directory.resolve("record.mvn")));
    Path lines = checkout.resolve("target/lines");
    assertEquals("2.6.4-hadoop3\n", Files.readString(lines.resolve("built")));
    assertEquals(server.toString(), Files.readString(lines.resolve("2.6.4-hadoop3.jars")));
    assertEquals(tests + "\n", Files.readString(lines.resolve("2.6.4-hadoop3.webapps")));
  }
}
