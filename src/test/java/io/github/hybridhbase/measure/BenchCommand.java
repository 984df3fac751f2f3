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
package io.github.hybridhbase.measure;

import io.github.hybridhbase.bed.BedCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.HelpFormatter;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Option;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.hbase.thirdparty.org.apache.commons.cli.ParseException;
import org.apache.yetus.audience.InterfaceAudience;

/** What {@code bench/run} starts. */
@InterfaceAudience.Private
public final class BenchCommand {
  static final int FINE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  private static final int WIDTH = 100;
  private static final long END_MILLIS = 60_000;
  private static final String BASE = "one axis at a time from: ";

  private static volatile boolean ending;

  private BenchCommand() {}

  /** Ends the JVM: 0 fine, 1 a cell failed or it was interrupted, 2 wrong usage. */
  public static void main(String[] args) {
    Thread main = Thread.currentThread();
    Thread hook =
        new Thread(
            () -> {
              ending = true;
              main.interrupt();
              try {
                main.join(END_MILLIS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "bench-end");
    Runtime.getRuntime().addShutdownHook(hook);
    int exit = run(args, System.out, System.err);
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // it is the hook that waits for us
    }
    System.exit(exit);
  }

  static int run(String[] args, PrintStream out, PrintStream err) {
    try {
      CommandLine line = new DefaultParser().parse(options(), args);
      if (line.hasOption("help")) {
        help(out);
        return FINE;
      }
      return run(line, out);
    } catch (ParseException | IllegalArgumentException e) {
      err.println(e.getMessage());
      err.println("'bench/run --help' has the options.");
      return USAGE;
    } catch (IOException e) {
      err.println(e);
      return FAILED;
    } catch (InterruptedException e) {
      err.println("interrupted; what was measured is kept, the same command goes on");
      return FAILED;
    }
  }

  private static int run(CommandLine line, PrintStream out)
      throws IOException, InterruptedException {
    Profile profile = Profile.of(profile(line));
    Matrix plan = Matrix.of(sections(line, profile));
    // A plan is shown for whatever devices it is later run on.
    boolean emulated = line.hasOption("devices") || line.hasOption("dry-run");
    plan.cells().forEach(cell -> check(cell, emulated));
    RunSettings settings = settings(line, profile);
    if (line.hasOption("dry-run")) {
      describe(plan, settings, out);
      return FINE;
    }
    Path file = Path.of(line.getOptionValue("out", "bench-" + profile.name + ".json"));
    ResultFile results = ResultFile.open(file, settings.describe());
    try (MemoryGroups memory = new MemoryGroups(path(line, "memory-group"));
        Runner runner =
            new Runner(
                settings,
                results,
                memory,
                disk(line, "hdd"),
                disk(line, "ssd"),
                out,
                () -> ending)) {
      if (settings.scale.bounded() && !memory.available()) {
        out.println("no memory cgroups: page caches are not bounded, and data may not exceed them");
      }
      int failed = runner.run(plan);
      out.println(file + (failed == 0 ? " is complete" : " lacks " + failed + " that failed"));
      return failed == 0 ? FINE : FAILED;
    }
  }

  private static String profile(CommandLine line) {
    List<String> words = line.getArgList();
    if (words.size() > 1) {
      throw new IllegalArgumentException("one experiment at a time: " + words);
    }
    return words.isEmpty() || words.get(0).equals("ycsb")
        ? line.getOptionValue("profile", "short")
        : words.get(0);
  }

  /** Those of the profile, or a single one where an axis is given. */
  private static List<Section> sections(CommandLine line, Profile profile) {
    Section given = Section.of("Given", BedCommand.number(line, "rounds", 1));
    boolean any = line.hasOption("rounds");
    if (profile.sections.size() == 1) {
      given = profile.sections.get(0).rounds(BedCommand.number(line, "rounds", 1));
    }
    for (Axis axis : Axis.values()) {
      if (axis != Axis.ROUND && line.hasOption(axis.label())) {
        any = true;
        given = given.over(axis, line.getOptionValue(axis.label()).split(",", -1));
      }
    }
    return any ? List.of(given) : profile.sections;
  }

  /** Fails now where it would fail in some hours. */
  private static void check(Cell cell, boolean emulated) {
    cell.setup();
    cell.durable();
    cell.readsHitMemory();
    if (cell.slower() > 1 && !emulated) {
      throw new IllegalArgumentException("--slower is for emulated devices: give --devices");
    }
    cell.number(Axis.THREADS);
    cell.number(Axis.BLOCK);
    if (cell.setup() == Setup.HYBRID_CACHE && cell.number(Axis.SHARE) == 0) {
      throw new IllegalArgumentException("hybrid+cache needs --share, in percent of the data");
    }
    if (!List.of("uniform", "zipfian", "latest", "hotspot").contains(cell.keys())) {
      throw new IllegalArgumentException(
          "--keys " + cell.keys() + ": uniform, zipfian, latest or hotspot");
    }
  }

  private static RunSettings settings(CommandLine line, Profile profile) {
    long rows = Long.parseLong(line.getOptionValue("rows", Long.toString(profile.rows)));
    Map<String, String> keys = new TreeMap<>();
    line.getOptionProperties("D").forEach((key, value) -> keys.put((String) key, (String) value));
    return new RunSettings(
        Path.of(System.getProperty("hybrid.basedir", "")).toAbsolutePath(),
        line.getOptionValue("devices", "given"),
        rows,
        BedCommand.number(line, "fields", profile.fields),
        BedCommand.number(line, "seconds", profile.seconds),
        BedCommand.number(line, "warm", profile.warm),
        Scale.of(
            rows,
            Double.parseDouble(line.getOptionValue("memory-ratio", "" + Scale.PAPER)),
            Double.parseDouble(line.getOptionValue("tier-percent", "" + profile.tierPercent))),
        BedCommand.number(line, "wal-mb", 500),
        keys);
  }

  private static void describe(Matrix plan, RunSettings settings, PrintStream out) {
    out.println(settings.describe().toPrettyString());
    out.println(BASE + Cell.base());
    String section = "";
    for (Cell cell : plan.cells()) {
      if (!plan.section(cell).equals(section)) {
        section = plan.section(cell);
        out.println(section);
      }
      out.println("  " + cell);
    }
    out.printf(
        "%d cells, %d states loaded, %d of them at once at most: about %d minutes%n",
        plan.cells().size(),
        plan.states().size(),
        plan.mostStates(),
        plan.seconds(settings.rows, settings.seconds, settings.warm) / 60);
  }

  private static Disk disk(CommandLine line, String medium) throws IOException {
    if (line.hasOption(medium + "-disk")) {
      return new EmulatedDisk(
          medium, line.getOptionValue(medium + "-disk"), path(line, "counters"));
    }
    Path directory = path(line, medium);
    if (directory == null) {
      throw new IllegalArgumentException("give --ssd and --hdd, or --devices");
    }
    return new GivenDisk(directory);
  }

  private static Path path(CommandLine line, String option) {
    return line.hasOption(option) ? Path.of(line.getOptionValue(option)) : null;
  }

  private static Options options() {
    Options options = new Options();
    options.addOption("h", "help", false, "show this help");
    options.addOption(null, "dry-run", false, "print the plan and how long it takes");
    options.addOption(null, "out", true, "the JSON file; goes on where it exists");
    options.addOption(null, "profile", true, "short (a quarter of an hour) or full (12 hours)");
    options.addOption(null, "devices", true, "emulated: paper or today (root)");
    options.addOption(null, "hdd", true, "a directory on an HDD, instead");
    options.addOption(null, "ssd", true, "a directory on an SSD");
    options.addOption(null, "setup", true, "several behind commas, as all of these: see below");
    options.addOption(null, "workload", true, "update, A to F");
    options.addOption(null, "sync", true, "hflush, durable");
    options.addOption(null, "threads", true, "of the client; 16");
    options.addOption(null, "target", true, "operations a second; 80% is of all HDD's");
    options.addOption(null, "keys", true, "uniform, zipfian, latest, hotspot; the workload's own");
    options.addOption(null, "block", true, "KB of a block of store files; 64");
    options.addOption(null, "share", true, "bucket cache in percent of the data");
    options.addOption(null, "reads", true, "devices, or memory: no bound, and all is read before");
    options.addOption(null, "slower", true, "all devices are made that many times slower; 1");
    options.addOption(null, "rounds", true, "how often each is measured");
    options.addOption(null, "rows", true, "of 1,000 bytes");
    options.addOption(null, "fields", true, "of a row's 1,000 bytes, an update writes one; 1");
    options.addOption(null, "seconds", true, "of a run");
    options.addOption(null, "warm", true, "seconds before it");
    options.addOption(null, "wal-mb", true, "recovery: MB of WAL when a server is killed; 500");
    options.addOption(
        null, "memory-ratio", true, "data to memory, 7.5; 0: no page cache is bounded");
    options.addOption(
        null, "tier-percent", true, "budget of the SSD tier, of the data; 2, short: 32");
    for (String internal : new String[] {"hdd-disk", "ssd-disk", "counters", "memory-group"}) {
      options.addOption(null, internal, true, "bench/run gives it for emulated devices");
    }
    options.addOption(
        Option.builder("D")
            .argName("key=value")
            .numberOfArgs(2)
            .valueSeparator()
            .desc("set a key of all processes")
            .build());
    return options;
  }

  private static void help(PrintStream to) {
    StringBuilder about = new StringBuilder("\nWithout any of the axes: the profile's plan.\n");
    for (Setup setup : Setup.values()) {
      about.append(String.format("  %-15s %s%n", setup.label(), setup.meaning()));
    }
    about.append(
        "\nExamples:\n"
            + "  bench/run --dry-run --profile full\n"
            + "  sudo bench/run --devices paper --profile short --out short.json\n"
            + "  bench/run --ssd /mnt/ssd0 --hdd /mnt/hdd0 --setup hdd,hybrid --workload A,C\n"
            + "  sudo bench/run --devices paper --setup hdd,hybrid+cache --share 5 --workload C\n"
            + "  sudo bench/run compaction --devices paper\n"
            + "  sudo bench/run recovery --devices paper\n"
            + "  bench/report short.json --html short.html\n");
    PrintWriter writer = new PrintWriter(to, true, Charset.defaultCharset());
    HelpFormatter formatter = new HelpFormatter();
    formatter.setOptionComparator(null);
    String syntax = "bench/run [ycsb|compaction|recovery] [OPTIONS]";
    formatter.printHelp(writer, WIDTH, syntax, "", options(), 2, 4, about.toString());
    writer.flush();
  }
}
