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

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.HelpFormatter;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Option;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.hbase.thirdparty.org.apache.commons.cli.ParseException;
import org.apache.yetus.audience.InterfaceAudience;

/** The command line of {@code bench/run}. */
@InterfaceAudience.Private
final class BenchOptions {
  /** Below those of a profile. With YCSB's 10 fields processors are the limit. */
  static final String DEFAULTS =
      "--fields 1 --wal-mb 500 --learn 1 --memory-ratio 7.5 --tier-percent 2 --rounds 1";

  private static final String HELP =
      "\nWithout any of the axes: the profile's plan.\n%s\nExamples:\n"
          + "  bench/run --dry-run --profile paper\n"
          + "  sudo bench/run --devices paper --profile short --out short.json\n"
          + "  bench/run --ssd /mnt/ssd0 --hdd /mnt/hdd0 --setup hdd,hybrid --workload A,C\n"
          + "  sudo bench/run --devices paper --setup hdd,hdd+cache --share 25 --workload C\n"
          + "  sudo GB=28 bench/run --devices seek --profile paper --rounds 1 --out paper.json\n"
          + "  sudo bench/run compaction --devices paper\n"
          + "  bench/report plan short.json\n";

  private static final int WIDTH = 100;

  private BenchOptions() {}

  private static Options all() {
    Options options = new Options();
    options.addOption("h", "help", false, "show this help");
    options.addOption(null, "dry-run", false, "print the plan and how long it takes");
    with(options, "out", "the JSON file, for several profiles and devices; goes on if it exists");
    with(options, "profile", "short (20 minutes), writes (1 hour), hot (2) or paper (2 a round)");
    with(options, "devices", "emulated: paper, seek or today (root)");
    with(options, "hdd", "a directory on an HDD, instead");
    with(options, "ssd", "a directory on an SSD");
    for (Axis axis : Axis.values()) {
      if (axis != Axis.ROUND) {
        with(options, axis.label(), axis.meaning);
      }
    }
    with(options, "rounds", "how often each is measured; without one no error");
    with(options, "rows", "of 1,000 bytes");
    with(options, "fields", "of a row's 1,000 bytes, an update writes one; 1");
    with(options, "seconds", "of a run");
    with(options, "warm", "seconds before it; with reads from devices half are reads alone");
    with(options, "learn", "hybrid+hot: reads a row before the compaction that splits; 1; 0: none");
    with(options, "wal-mb", "recovery: MB of WAL when a server is killed; 500");
    with(options, "memory-ratio", "data to memory, 7.5, hot: 1.9; 0: no page cache is bounded");
    with(options, "tier-percent", "budget of the SSD tier, of the data; 2, short: 32");
    for (String internal : new String[] {"hdd-disk", "ssd-disk", "counters", "memory-group"}) {
      with(options, internal, "bench/run gives it for emulated devices");
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

  private static void with(Options options, String name, String meaning) {
    options.addOption(null, name, true, meaning);
  }

  /** What is given, above a profile's options and the defaults: the first of an option counts. */
  static CommandLine parse(String[] given, String... below) throws ParseException {
    Stream<String> more =
        Arrays.stream(below).flatMap(words -> Arrays.stream(words.trim().split(" +", -1)));
    return new DefaultParser()
        .parse(
            all(),
            Stream.concat(Arrays.stream(given), more.filter(word -> !word.isEmpty()))
                .toArray(String[]::new));
  }

  static int number(CommandLine line, String option) {
    String value = line.getOptionValue(option);
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--" + option + " " + value + " is no number", e);
    }
  }

  static void help(PrintStream to) {
    StringBuilder setups = new StringBuilder();
    for (Setup setup : Setup.values()) {
      setups.append(String.format("  %-15s %s%n", setup, setup.meaning));
    }
    HelpFormatter formatter = new HelpFormatter();
    formatter.setOptionComparator(null);
    PrintWriter writer = new PrintWriter(to, true, Charset.defaultCharset());
    String syntax = "bench/run [ycsb|compaction|recovery] [OPTIONS]";
    formatter.printHelp(writer, WIDTH, syntax, "", all(), 2, 4, String.format(HELP, setups));
    writer.flush();
  }
}
