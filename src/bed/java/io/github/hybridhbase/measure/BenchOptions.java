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
import org.apache.hbase.thirdparty.org.apache.commons.cli.HelpFormatter;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Option;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/** What {@code bench/run} may be told. */
@InterfaceAudience.Private
final class BenchOptions {
  private static final int WIDTH = 100;

  private BenchOptions() {}

  static Options all() {
    Options options = new Options();
    options.addOption("h", "help", false, "show this help");
    options.addOption(null, "dry-run", false, "print the plan and how long it takes");
    options.addOption(
        null,
        "out",
        true,
        "the JSON file, for several profiles and devices; goes on where it exists");
    options.addOption(
        null, "profile", true, "short (20 minutes), writes (1 hour), hot (2) or paper (8)");
    options.addOption(null, "devices", true, "emulated: paper, seek or today (root)");
    options.addOption(null, "hdd", true, "a directory on an HDD, instead");
    options.addOption(null, "ssd", true, "a directory on an SSD");
    options.addOption(null, "setup", true, "several behind commas, as all of these: see below");
    options.addOption(null, "workload", true, "update, A to F");
    options.addOption(null, "sync", true, "hflush, durable");
    options.addOption(null, "threads", true, "of the client; 16");
    options.addOption(null, "target", true, "operations a second; 80% is of all HDD's");
    options.addOption(null, "keys", true, String.join(", ", Mix.KEYS) + "; the workload's own");
    options.addOption(null, "block", true, "KB of a block of store files; 64");
    options.addOption(
        null, "share", true, "bucket cache, or files of hot rows, in percent of the data");
    options.addOption(
        null,
        "learn",
        true,
        "hybrid+hot: reads a row before the compaction that splits; 1. 0: the plugin's own");
    options.addOption(null, "reads", true, "devices, or memory: no bound, and all is read before");
    options.addOption(null, "slower", true, "all devices are made that many times slower; 1");
    options.addOption(null, "rounds", true, "how often each is measured; without one no error");
    options.addOption(null, "rows", true, "of 1,000 bytes");
    options.addOption(null, "fields", true, "of a row's 1,000 bytes, an update writes one; 1");
    options.addOption(null, "seconds", true, "of a run");
    options.addOption(
        null, "warm", true, "seconds before it; with reads from devices half are reads alone");
    options.addOption(null, "wal-mb", true, "recovery: MB of WAL when a server is killed; 500");
    options.addOption(
        null, "memory-ratio", true, "data to memory, 7.5, hot: 1.9; 0: no page cache is bounded");
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

  static void help(PrintStream to) {
    StringBuilder about = new StringBuilder("\nWithout any of the axes: the profile's plan.\n");
    for (Setup setup : Setup.values()) {
      about.append(String.format("  %-15s %s%n", setup.label(), setup.meaning()));
    }
    about.append(
        "\nExamples:\n"
            + "  bench/run --dry-run --profile paper\n"
            + "  sudo bench/run --devices paper --profile short --out short.json\n"
            + "  bench/run --ssd /mnt/ssd0 --hdd /mnt/hdd0 --setup hdd,hybrid --workload A,C\n"
            + "  sudo bench/run --devices paper --setup hdd,hybrid+cache --share 25 --workload C\n"
            + "  sudo GB=24 bench/run --devices seek --profile paper --rounds 1 --out paper.json\n"
            + "  sudo bench/run compaction --devices paper\n"
            + "  sudo bench/run moved --devices paper\n"
            + "  sudo bench/run recovery --devices paper\n"
            + "  bench/report plan short.json\n");
    PrintWriter writer = new PrintWriter(to, true, Charset.defaultCharset());
    HelpFormatter formatter = new HelpFormatter();
    formatter.setOptionComparator(null);
    String syntax = "bench/run [ycsb|compaction|moved|recovery] [OPTIONS]";
    formatter.printHelp(writer, WIDTH, syntax, "", all(), 2, 4, about.toString());
    writer.flush();
  }
}
