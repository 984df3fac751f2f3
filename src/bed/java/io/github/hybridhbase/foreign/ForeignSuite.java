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
package io.github.hybridhbase.foreign;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.hybridhbase.testing.ScratchDirectory;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * HBase's own test classes with the plugin on, one JVM a class: {@code mvn -Phbase-tests verify}.
 * What came of each is kept in {@code target/foreign}, so that a run that was ended goes on where
 * it was; one that fails is run on stock HBase, and fails here only where stock passes. A table of
 * all is in {@code target/foreign/report.md}.
 *
 * <p>{@code -Dforeign.classes=TestHStore,TestWALSplit}: these only. {@code -Dforeign.budget=60}:
 * begins none after so many minutes. Which classes there are: {@code src/bed/foreign/classes.txt}.
 */
@InterfaceAudience.Private
class ForeignSuite {
  private static final int MEGABYTES = 2_200;
  private static final long DUMP_MILLIS = 3_000;

  private final Path base = Path.of(System.getProperty("hybrid.basedir", "")).toAbsolutePath();
  private final Path lists = base.resolve("src/bed/foreign");
  private final Path home = base.resolve("target/foreign");
  private final long until =
      System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.getLong("foreign.budget", 100_000));

  @TestFactory
  @Timeout(value = 24, unit = TimeUnit.HOURS)
  Stream<DynamicTest> passWithThePlugin() throws IOException {
    Map<String, List<String>> all = SuiteReport.classes(lists.resolve("classes.txt"));
    List<String> chosen = Arrays.asList(System.getProperty("foreign.classes", "").split(","));
    Files.createDirectories(home);
    Path agent = Agent.jar(home.resolve("agent.jar"));
    Path withPlugin =
        site(
            "plugin",
            base.resolve("conf/hbase-site.xml"),
            lists.resolve("hbase-site.xml"),
            lists.resolve("plugin-site.xml"));
    Path stock = site("stock", lists.resolve("hbase-site.xml"));
    return new LinkedHashMap<>(all)
        .entrySet().stream()
            .filter(
                each ->
                    chosen.contains("") || chosen.contains(each.getKey().replaceAll(".*\\.", "")))
            .map(
                each ->
                    dynamicTest(
                        each.getKey(),
                        () -> {
                          try {
                            one(each.getKey(), each.getValue(), withPlugin, stock, agent);
                          } finally {
                            Files.writeString(
                                home.resolve("report.md"), new SuiteReport(home, all).text());
                          }
                        }));
  }

  private void one(String name, List<String> words, Path withPlugin, Path stock, Path agent)
      throws IOException, InterruptedException {
    int minutes = SuiteReport.minutes(words);
    String options = words.contains(Agent.KEEP) ? "=" + Agent.KEEP : "";
    Outcome outcome = outcome(withPlugin, name, minutes, List.of("-javaagent:" + agent + options));
    if (outcome.passed()) {
      return;
    }
    Outcome there = outcome(stock, name, minutes, List.of());
    if (there.passed()) {
      fail("stock passes; with the plugin: " + outcome.failures());
    }
  }

  /** A directory with a site file of all these, which stands first on a class path. */
  private Path site(String name, Path... files) throws IOException {
    Configuration conf = new Configuration(false);
    for (Path file : files) {
      conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    }
    Path directory = Files.createDirectories(home.resolve(name));
    try (OutputStream out = Files.newOutputStream(directory.resolve("hbase-site.xml"))) {
      conf.writeXml(out);
    }
    return directory;
  }

  /** What came of it, in this run or an earlier one. */
  private Outcome outcome(Path site, String name, int minutes, List<String> more)
      throws IOException, InterruptedException {
    Path file = site.resolve(name + ".properties");
    Optional<Outcome> known = Outcome.read(file);
    if (known.isPresent()) {
      return known.get();
    }
    assumeTrue(System.nanoTime() < until, "the time is up; run it again to go on");
    long start = System.nanoTime();
    String trouble = run(site, name, minutes, more, file);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    if (Files.notExists(file)) {
      Outcome.without(trouble, seconds).write(file);
    }
    return Outcome.read(file).orElseThrow();
  }

  /** Runs it to its end or its time limit; what to say where it wrote no outcome. */
  private String run(Path site, String name, int minutes, List<String> more, Path file)
      throws IOException, InterruptedException {
    try (ScratchDirectory work = ScratchDirectory.under(home, "work-")) {
      List<String> words = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
      ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .filter(flag -> flag.startsWith("--add-"))
          .forEach(words::add);
      words.addAll(
          List.of(
              "-Xmx" + MEGABYTES + "m",
              "-ea",
              "-Djava.net.preferIPv4Stack=true",
              "-Djava.awt.headless=true",
              "-Dzookeeper.admin.enableServer=false",
              "-Djava.io.tmpdir=" + Files.createDirectories(work.path().resolve("tmp"))));
      words.addAll(more);
      words.addAll(List.of("-cp", site + File.pathSeparator + classPath()));
      words.addAll(
          List.of(OneClass.class.getName(), "org.apache.hadoop.hbase." + name, file.toString()));
      Process process =
          new ProcessBuilder(words)
              .directory(work.path().toFile())
              .redirectErrorStream(true)
              .redirectOutput(site.resolve(name + ".log").toFile())
              .redirectInput(new File("/dev/null"))
              .start();
      Thread end = new Thread(process::destroyForcibly, "end of " + name);
      Runtime.getRuntime().addShutdownHook(end);
      try {
        if (process.waitFor(minutes, TimeUnit.MINUTES)) {
          return "its JVM ended with " + process.exitValue();
        }
        // Its threads, into its log.
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
        Thread.sleep(DUMP_MILLIS);
        return "given up after " + minutes + " minutes";
      } finally {
        process.destroyForcibly().waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
      }
    }
  }

  private static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    String all = surefire == null ? System.getProperty("java.class.path") : surefire;
    return Stream.of(all.split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
