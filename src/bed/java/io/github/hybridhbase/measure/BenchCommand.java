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
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.ParseException;
import org.apache.yetus.audience.InterfaceAudience;

/** What {@code bench/run} starts. */
@InterfaceAudience.Private
public final class BenchCommand {
  private static final int FINE = 0;
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private static final double GB = 1e9;
  private static volatile boolean ending;

  private BenchCommand() {}

  /** Ends the JVM: 0 fine, 1 a cell failed or it was interrupted, 2 wrong usage. */
  public static void main(String[] args) {
    Thread main = Thread.currentThread();
    AtomicBoolean done = new AtomicBoolean();
    Runnable end =
        () -> {
          if (!done.get()) {
            ending = true;
            main.interrupt();
            Uninterruptibles.joinUninterruptibly(main); // what it leaves on the devices would stay
          }
        };
    Runtime.getRuntime().addShutdownHook(new Thread(end, "bench-end"));
    int exit = run(args, System.out, System.err);
    done.set(true);
    if (!ending) {
      System.exit(exit);
    }
  }

  private static int run(String[] args, PrintStream out, PrintStream err) {
    try {
      CommandLine given = BenchOptions.parse(args);
      if (given.hasOption("help")) {
        BenchOptions.help(out);
        return FINE;
      }
      Profile profile = Axis.of(Profile.class, profile(given));
      CommandLine line = BenchOptions.parse(args, profile.options, BenchOptions.DEFAULTS);
      return run(Plan.of(profile, args), profile.label(), line, out);
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

  private static int run(Plan plan, String profile, CommandLine line, PrintStream out)
      throws IOException, InterruptedException {
    // A plan is shown for whatever devices it is later run on.
    boolean emulated = line.hasOption("devices") || line.hasOption("dry-run");
    RunSettings settings = new RunSettings(line);
    plan.cells.forEach(cell -> check(cell, settings.scale, emulated));
    if (line.hasOption("dry-run")) {
      describe(plan, settings, out);
      return FINE;
    }
    Path file = Path.of(line.getOptionValue("out", "bench-" + profile + ".json"));
    Disk hdd = disk(line, "hdd");
    Disk ssd = disk(line, "ssd");
    String device = "unix:dev";
    if (Files.getAttribute(hdd.directory, device)
        .equals(Files.getAttribute(ssd.directory, device))) {
      throw new IllegalArgumentException(
          "--hdd and --ssd are on one file system, which is on one of them only");
    }
    double needed = plan.bytes(settings.scale.dataBytes()) / GB;
    double usable = Files.getFileStore(hdd.directory).getUsableSpace() / GB;
    if (usable < needed) {
      throw new IllegalArgumentException(
          String.format(
              "%d states need %.1f GB of HDD, %.1f are free: with --devices set GB=%d",
              plan.states().size(), needed, usable, (long) (needed * 1.1) + 1));
    }
    try (MemoryGroups memory = new MemoryGroups(path(line, "memory-group"))) {
      boolean bounded = settings.scale.bounded() && memory.available();
      ObjectNode described = settings.describe();
      Machine machine = new Machine(hdd, ssd, memory);
      described.set("machine", machine.describe(settings.base, bounded));
      if (settings.scale.bounded() && !bounded) {
        out.println("no memory cgroups: page caches are not bounded, and data may not exceed them");
      }
      String name = profile + " on " + settings.devices;
      try (ResultFile results = new ResultFile(file, name, described);
          Runner runner = new Runner(settings, results, machine, out, () -> ending)) {
        int failed = runner.run(plan);
        out.println(file + (failed == 0 ? " is complete" : " lacks " + failed + " that failed"));
        return failed == 0 ? FINE : FAILED;
      }
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
      throw new IllegalArgumentException(cell.setup() + " needs --share, in percent of the data");
    }
    scale.cacheMb(cell.cachePercent());
    if (!Mix.KEYS.contains(cell.keys())) {
      throw new IllegalArgumentException("--keys " + cell.keys() + ": one of " + Mix.KEYS);
    }
  }

  private static void describe(Plan plan, RunSettings settings, PrintStream out) {
    out.println(settings.describe().toPrettyString());
    out.println("one axis at a time from: " + Cell.base());
    plan.cells.forEach(cell -> out.println("  " + cell));
    out.printf(
        "%d cells, %d states loaded, %.1f GB: about %d minutes%n",
        plan.cells.size(),
        plan.states().size(),
        plan.bytes(settings.scale.dataBytes()) / GB,
        plan.seconds(settings) / 60);
  }

  private static Disk disk(CommandLine line, String medium) throws IOException {
    String told = line.getOptionValue(medium + "-disk");
    if (told == null && !line.hasOption(medium)) {
      throw new IllegalArgumentException("give --ssd and --hdd, or --devices");
    }
    return told == null
        ? new GivenDisk(path(line, medium))
        : SeekingDisk.isTold(told)
            ? new SeekingDisk(told)
            : new EmulatedDisk(told, path(line, "counters"));
  }

  private static Path path(CommandLine line, String option) {
    return line.hasOption(option) ? Path.of(line.getOptionValue(option)) : null;
  }
}
