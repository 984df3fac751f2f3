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
package io.github.hybridhbase.bed;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.HelpFormatter;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Option;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.hbase.thirdparty.org.apache.commons.cli.ParseException;
import org.apache.yetus.audience.InterfaceAudience;

/** The command in front of the bed: {@code hbase-hybrid bed VERB}. */
@InterfaceAudience.Private
public final class BedCommand {
  static final int FINE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  private static final String TOOL = "io.github.hybridhbase.tool.HybridTool";
  private static final int WIDTH = 100;
  private static final String SYNTAX = "hbase-hybrid bed VERB [OPTIONS] [NAME|PATH|CLASS …]";
  private static final String VERBS =
      "A bed is a cluster of real processes on loopback, out of Maven's jars.\n\n"
          + "  up             start one and keep it until Ctrl-C, or 'down' in another shell\n"
          + "  ps             what runs in it\n"
          + "  kill NAME      kill -9 of a process: nn0, dn1, zk0, m0, rs0, sps0\n"
          + "  end NAME       ask it to end in good order\n"
          + "  stop NAME      kill -STOP: it keeps its sockets and answers nobody\n"
          + "  continue NAME  kill -CONT\n"
          + "  start NAME     start it again\n"
          + "  fsck [PATH]    HDFS's files, and the medium of each replica\n"
          + "  run CLASS …    run a class of its HBase or Hadoop as a client; args behind --\n"
          + "  tool VERB …    a verb of hbase-hybrid against it; options behind --\n"
          + "  down           end it\n\n";
  private static final String EXAMPLE =
      "\nExample: hbase-hybrid bed up --line 2.6.1 --regionservers 2 --dir /tmp/beds &\n"
          + "         hbase-hybrid bed kill dn1\n"
          + "The other verbs find the bed by --bed, or where only one is below --dir.";

  private final PrintStream out;

  private BedCommand(PrintStream out) {
    this.out = out;
  }

  /** Ends the JVM: 0 fine, 1 failed, 2 wrong usage. */
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) {
    BedCommand command = new BedCommand(out);
    try {
      CommandLine line = new DefaultParser().parse(options(), args);
      if (line.hasOption("help")) {
        command.help(out);
        return FINE;
      }
      List<String> words = line.getArgList();
      if (words.isEmpty()) {
        command.help(err);
        return USAGE;
      }
      return command.verb(words.get(0), words.subList(1, words.size()), line);
    } catch (ParseException | IllegalArgumentException | IllegalStateException e) {
      err.println(e.getMessage());
      err.println("'hbase-hybrid bed --help' has the verbs and options.");
      return USAGE;
    } catch (IOException | AssertionError e) {
      err.println(e);
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    }
  }

  private int verb(String verb, List<String> words, CommandLine line)
      throws IOException, InterruptedException {
    if (verb.equals("up")) {
      return up(line);
    }
    Bed bed = find(line);
    switch (verb) {
      case "ps":
        bed.processes().forEach(out::println);
        return FINE;
      case "fsck":
        out.println(bed.fsck(words.isEmpty() ? "/" : words.get(0)));
        return FINE;
      case "run":
        return run(bed, words);
      case "tool":
        return tool(bed, words);
      case "down":
        down(bed);
        return FINE;
      default:
        ServerProcess process = bed.process(one(words));
        signal(verb, process);
        out.println(process);
        return FINE;
    }
  }

  private static void signal(String verb, ServerProcess process)
      throws IOException, InterruptedException {
    switch (verb) {
      case "kill":
        process.kill();
        break;
      case "end":
        process.end();
        break;
      case "stop":
        process.stop();
        break;
      case "continue":
        process.resume();
        break;
      case "start":
        process.start();
        break;
      default:
        throw new IllegalArgumentException("there is no verb " + verb);
    }
  }

  private int up(CommandLine line) throws IOException, InterruptedException {
    try (OwnedBed bed = OwnedBed.make(spec(line), parent(line))) {
      if (line.hasOption("keep")) {
        bed.keep();
      }
      out.println("bed         " + bed.directory());
      bed.startHdfs();
      if (!bed.processes(Role.MASTER).isEmpty()) {
        bed.startHBase();
      }
      bed.processes().forEach(out::println);
      out.println("client conf " + bed.conf());
      out.println("up, until Ctrl-C");
      out.flush();
      new CountDownLatch(1).await();
    }
    return FINE;
  }

  private static BedSpec spec(CommandLine line) throws IOException {
    Line of = line.hasOption("line") ? Line.of(line.getOptionValue("line")) : Line.built();
    int masters = number(line, "masters", 1);
    BedSpec spec =
        BedSpec.of(of)
            .dataNodes(number(line, "datanodes", 3))
            .ssdDataNodes(number(line, "ssd-datanodes", Integer.MAX_VALUE))
            .racks(number(line, "racks", 1))
            .masters(masters)
            .regionServers(number(line, "regionservers", Math.min(1, masters)))
            .ssdMegabytes(number(line, "ssd-mb", 0));
    if (line.hasOption("ha")) {
      spec = spec.twoNameNodes();
    }
    if (line.hasOption("satisfier")) {
      spec = spec.satisfier();
    }
    if (!line.hasOption("stock")) {
      Path classes = Path.of(line.getOptionValue("plugin", Line.plugin().toString()));
      spec = spec.plugin(classes, Line.base().resolve("conf/hbase-site.xml"));
    }
    for (Map.Entry<Object, Object> entry : line.getOptionProperties("D").entrySet()) {
      spec = spec.set((String) entry.getKey(), (String) entry.getValue());
    }
    return spec;
  }

  private int run(Bed bed, List<String> words) throws IOException, InterruptedException {
    if (words.isEmpty()) {
      throw new IllegalArgumentException("name a class");
    }
    String[] arguments = words.subList(1, words.size()).toArray(new String[0]);
    Tool tool = bed.tool(words.get(0), arguments);
    out.print(tool.said());
    return tool.exit();
  }

  /** With the plugin, which the bed's clients do not have, and without their log. */
  private int tool(Bed bed, List<String> words) throws IOException, InterruptedException {
    Path log = bed.conf().resolve("log4j.properties");
    Files.writeString(log, Files.readString(log).replace("rootLogger=INFO", "rootLogger=ERROR"));
    Tool tool = Tool.run(bed.command(List.of(Line.plugin()), TOOL, words.toArray(new String[0])));
    out.print(tool.said());
    return tool.exit();
  }

  private static void down(Bed bed) throws IOException, InterruptedException {
    Pid owner = Pid.read(bed.directory().resolve("owner"));
    owner.signal("TERM");
    bed.await("the end of " + owner, () -> !owner.isAlive());
  }

  private static Bed find(CommandLine line) throws IOException {
    if (line.hasOption("bed")) {
      return Bed.at(Path.of(line.getOptionValue("bed")));
    }
    try (var beds = Files.newDirectoryStream(parent(line), "bed-*")) {
      Path only = null;
      for (Path bed : beds) {
        if (only != null) {
          throw new IllegalArgumentException("which bed? --bed " + only + " or " + bed);
        }
        only = bed;
      }
      if (only == null) {
        throw new IllegalArgumentException("there is no bed below " + parent(line));
      }
      return Bed.at(only);
    }
  }

  private static Path parent(CommandLine line) throws IOException {
    Path base = Line.base().resolve("target/beds");
    return Files.createDirectories(Path.of(line.getOptionValue("dir", base.toString())));
  }

  private static String one(List<String> words) {
    if (words.size() != 1) {
      throw new IllegalArgumentException("name one process");
    }
    return words.get(0);
  }

  /** The number that an option has; throws with its name and value where it is none. */
  public static int number(CommandLine line, String option, int otherwise) {
    String value = line.getOptionValue(option, Integer.toString(otherwise));
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--" + option + " " + value + " is no number", e);
    }
  }

  private static Options options() {
    Options options = new Options();
    options.addOption("h", "help", false, "show this help");
    options.addOption(null, "bed", true, "the directory of a bed that is up");
    options.addOption(null, "dir", true, "where beds are made; target/beds by default");
    options.addOption(null, "line", true, "HBase's version, see src/test/lines");
    options.addOption(null, "datanodes", true, "how many; 3 by default");
    options.addOption(null, "ssd-datanodes", true, "how many of them have SSD; all by default");
    options.addOption(null, "racks", true, "how many racks they are in; 1 by default");
    options.addOption(null, "masters", true, "how many; 1 by default, 0 for HDFS alone");
    options.addOption(null, "regionservers", true, "how many; 1 by default");
    options.addOption(null, "ssd-mb", true, "size of each SSD, in memory (root); else unlimited");
    options.addOption(null, "ha", false, "two NameNodes");
    options.addOption(null, "satisfier", false, "run HDFS's storage policy satisfier");
    options.addOption(null, "plugin", true, "its jar or classes; by default those of this version");
    options.addOption(null, "stock", false, "HBase without the plugin");
    options.addOption(null, "keep", false, "leave the directory with its logs at the end");
    options.addOption(
        Option.builder("D")
            .argName("key=value")
            .numberOfArgs(2)
            .valueSeparator()
            .desc("set a key of the site files")
            .build());
    return options;
  }

  private void help(PrintStream to) {
    PrintWriter writer = new PrintWriter(to, true, Charset.defaultCharset());
    new HelpFormatter().printHelp(writer, WIDTH, SYNTAX, VERBS, options(), 2, 4, EXAMPLE);
    writer.flush();
  }
}
