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

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.hybridhbase.bed.Demo;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.ParseException;
import org.apache.yetus.audience.InterfaceAudience;

/** What {@code bench/run} starts. */
@InterfaceAudience.Private
public final class BenchCommand {
  static final int FINE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  private static final double GB = 1e9;
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
                main.join(); // what it leaves on the devices would stay
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
      CommandLine line = new DefaultParser().parse(BenchOptions.all(), args);
      if (line.hasOption("help")) {
        BenchOptions.help(out);
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
    Matrix plan = profile.plan(sections(line, profile));
    // A plan is shown for whatever devices it is later run on.
    boolean emulated = line.hasOption("devices") || line.hasOption("dry-run");
    RunSettings settings = settings(line, profile);
    plan.cells().forEach(cell -> check(cell, settings.scale, emulated));
    if (line.hasOption("dry-run")) {
      describe(plan, settings, out);
      return FINE;
    }
    Path file = Path.of(line.getOptionValue("out", "bench-" + profile.name + ".json"));
    String name = profile.name + " on " + settings.devices;
    Disk hdd = disk(line, "hdd");
    Disk ssd = disk(line, "ssd");
    if (device(hdd).equals(device(ssd))) {
      throw new IllegalArgumentException(
          "--hdd and --ssd are on one file system, which is on one of them only");
    }
    check(plan, settings.scale, Files.getFileStore(hdd.directory()).getUsableSpace());
    try (MemoryGroups memory = new MemoryGroups(path(line, "memory-group"));
        ResultFile results =
            ResultFile.open(file, name, described(settings, hdd, ssd, memory.available()));
        Runner runner = new Runner(settings, results, memory, hdd, ssd, out, () -> ending)) {
      if (settings.scale.bounded() && !memory.available()) {
        out.println("no memory cgroups: page caches are not bounded, and data may not exceed them");
      }
      int failed = runner.run(plan);
      out.println(file + (failed == 0 ? " is complete" : " lacks " + failed + " that failed"));
      return failed == 0 ? FINE : FAILED;
    }
  }

  private static Object device(Disk disk) throws IOException {
    return Files.getAttribute(disk.directory(), "unix:dev");
  }

  private static ObjectNode described(RunSettings settings, Disk hdd, Disk ssd, boolean memory)
      throws IOException, InterruptedException {
    boolean bounded = settings.scale.bounded() && memory;
    ObjectNode all = settings.describe();
    all.set("machine", Machine.describe(settings.base, hdd, ssd, bounded));
    return all;
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

  /** Those of the profile, as often as is asked for; or a single one where an axis is given. */
  static List<Section> sections(CommandLine line, Profile profile) {
    List<Section> all = new ArrayList<>();
    for (Section section : profile.sections) {
      all.add(line.hasOption("rounds") ? section.rounds(Demo.number(line, "rounds", 1)) : section);
    }
    Section given =
        all.size() == 1 ? all.get(0) : Section.of("Given", Demo.number(line, "rounds", 1));
    boolean any = false;
    for (Axis axis : Axis.values()) {
      if (axis != Axis.ROUND && line.hasOption(axis.label())) {
        any = true;
        given = given.over(axis, line.getOptionValue(axis.label()).split(",", -1));
      }
    }
    return any ? List.of(given) : all;
  }

  /** Fails now where it would fail in some hours. */
  private static void check(Cell cell, Scale scale, boolean emulated) {
    cell.setup();
    cell.durable();
    cell.readsHitMemory();
    if (cell.slower() > 1 && !emulated) {
      throw new IllegalArgumentException("--slower is for emulated devices: give --devices");
    }
    cell.number(Axis.THREADS);
    cell.number(Axis.BLOCK);
    if (cell.setup().hasShare() && cell.share() == 0) {
      throw new IllegalArgumentException(
          cell.setup().label() + " needs --share, in percent of the data");
    }
    scale.cacheMb(cell.cachePercent());
    if (!Mix.KEYS.contains(cell.keys())) {
      throw new IllegalArgumentException("--keys " + cell.keys() + ": one of " + Mix.KEYS);
    }
  }

  static void check(Matrix plan, Scale scale, long usable) {
    long needed = plan.bytes(scale.dataBytes());
    if (usable < needed) {
      throw new IllegalArgumentException(
          String.format(
              "%d states at once need %.1f GB of HDD, %.1f are free: with --devices set GB=%d",
              plan.mostStates(), needed / GB, usable / GB, (long) (needed / GB * 1.1) + 1));
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
        Demo.number(line, "fields", profile.fields),
        Demo.number(line, "seconds", profile.seconds),
        Demo.number(line, "warm", profile.warm),
        Scale.of(
            rows,
            Double.parseDouble(line.getOptionValue("memory-ratio", "" + profile.memoryRatio)),
            Double.parseDouble(line.getOptionValue("tier-percent", "" + profile.tierPercent))),
        Demo.number(line, "wal-mb", 500),
        Double.parseDouble(line.getOptionValue("learn", "1")),
        keys);
  }

  private static void describe(Matrix plan, RunSettings settings, PrintStream out) {
    out.println(settings.describe().toPrettyString());
    out.println(BASE + Cell.base());
    plan.cells().forEach(cell -> out.println("  " + cell));
    out.printf(
        "%d cells, %d states loaded, %d of them at once at most, %.1f GB: about %d minutes%n",
        plan.cells().size(),
        plan.states().size(),
        plan.mostStates(),
        plan.bytes(settings.scale.dataBytes()) / GB,
        plan.seconds(settings.rows, settings.learn, settings.seconds, settings.warm) / 60);
  }

  private static Disk disk(CommandLine line, String medium) throws IOException {
    if (line.hasOption(medium + "-disk")) {
      String told = line.getOptionValue(medium + "-disk");
      return SeekingDisk.isTold(told)
          ? new SeekingDisk(told)
          : new EmulatedDisk(medium, told, path(line, "counters"));
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
}
