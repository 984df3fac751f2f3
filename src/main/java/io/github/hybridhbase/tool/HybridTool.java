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

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.PluginVersion;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Session.UnreachableException;
import io.github.hybridhbase.tool.cli.Stop;
import io.github.hybridhbase.tool.cli.Terminal;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.com.google.common.base.Throwables;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.HelpFormatter;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Option;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.hbase.thirdparty.org.apache.commons.cli.ParseException;
import org.apache.yetus.audience.InterfaceAudience;

/** The command line: {@code hbase io.github.hybridhbase.tool.HybridTool VERB}. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.TOOLS)
public final class HybridTool {
  private static final int WIDTH = 100;

  /** Enough for a NameNode failover, short for a person; the user's configuration wins. */
  private static final Map<String, String> PATIENCE =
      Map.of(
          "ipc.client.connect.max.retries", "3",
          "ipc.client.connect.max.retries.on.timeouts", "2",
          "ipc.client.connect.timeout", "5000",
          // A DataNode that hangs in the pipeline of the probe has this, and 5 s a replica.
          "dfs.client.socket-timeout", "5000");

  private static final List<Verb> VERBS =
      List.of(new CheckVerb(), new ApplyVerb(), new RevertVerb(), new PlanVerb());

  private final Configuration conf;
  private final PrintStream out;
  private final PrintStream err;
  private final Stop stop;
  private final Terminal terminal;

  private HybridTool(
      Configuration conf, PrintStream out, PrintStream err, Stop stop, Terminal terminal) {
    this.conf = conf;
    this.out = out;
    this.err = err;
    this.stop = stop;
    this.terminal = terminal;
  }

  static List<String> verbs() {
    return VERBS.stream().map(verb -> verb.name).collect(Collectors.toList());
  }

  public static void main(String[] args) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    // Hadoop logs retries with stack traces, which must neither precede JSON nor hide a verdict.
    boolean debug = Arrays.asList(args).contains("--debug");
    PrintStream log = debug ? err : new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
    System.setOut(log);
    System.setErr(log);
    Stop stop = Stop.onSignal();
    int exit;
    try {
      Configuration conf = HBaseConfiguration.create();
      exit = new HybridTool(conf, out, err, stop, Terminal.ofProcess()).run(args);
    } catch (RuntimeException | Error e) {
      err.println(
          "It could not run: " + Text.escape(String.valueOf(e)) + ". Is a site file no XML?");
      if (debug) {
        e.printStackTrace(err);
      }
      exit = Exit.FINDINGS;
    }
    out.flush();
    err.flush();
    stop.done();
    if (!stop.requested()) {
      System.exit(exit);
    }
  }

  /** Without a terminal. Never throws. */
  static int run(Configuration conf, String[] args, PrintStream out, PrintStream err, Stop stop) {
    return new HybridTool(conf, out, err, stop, Terminal.NONE).run(args);
  }

  private int run(String[] args) {
    if (args.length > 1 && args[0].equals("help")) {
      return run(new String[] {args[1], "--help"});
    }
    if (args.length == 0 || List.of("--help", "-h", "help").contains(args[0])) {
      overview(args.length == 0 ? err : out);
      return args.length == 0 ? Exit.USAGE : Exit.FINE;
    }
    if (args[0].equals("--version") || args[0].equals("version")) {
      out.println("hbase-hybrid-storage " + PluginVersion.get());
      return Exit.FINE;
    }
    Optional<Verb> verb = VERBS.stream().filter(v -> v.name.equals(args[0])).findFirst();
    if (verb.isEmpty()) {
      err.println(
          "There is no verb "
              + Text.escape(args[0])
              + "; there are "
              + String.join(", ", verbs())
              + ". See 'hbase-hybrid --help'.");
      return Exit.USAGE;
    }
    String[] rest = Arrays.copyOfRange(args, 1, args.length);
    return run(verb.get(), rest);
  }

  private int run(Verb verb, String[] args) {
    Options options = verb.options();
    options.addOption("h", "help", false, "show this help");
    options.addOption(null, "json", false, "print JSON, see docs/json-schema.json");
    options.addOption(null, "debug", false, "show stack traces and Hadoop's log");
    options.addOption(
        Option.builder("D")
            .argName("key=value")
            .numberOfArgs(2)
            .valueSeparator()
            .desc("set a configuration key")
            .build());
    boolean debug = Arrays.asList(args).contains("--debug");
    try {
      CommandLine line = new DefaultParser().parse(options, args);
      if (line.hasOption("help")) {
        help(verb, options, out);
        return Exit.FINE;
      }
      if (!line.getArgList().isEmpty()) {
        throw new UsageException("It takes no argument " + line.getArgList().get(0));
      }
      define(line.getOptionProperties("D"), args, verb.offline());
      PATIENCE.forEach(
          (key, value) -> {
            String[] sources = conf.getPropertySources(key);
            if (sources == null
                || Arrays.stream(sources).allMatch(from -> from.endsWith("-default.xml"))) {
              conf.set(key, value);
            }
          });
      boolean json = line.hasOption("json");
      Session session =
          verb.offline()
              ? Session.offline(conf, out, err, json, stop)
              : Session.open(conf, out, err, json, stop);
      return verb.run(session.at(terminal), line);
    } catch (ParseException | UsageException e) {
      return misused(e.getMessage(), verb);
    } catch (UnreachableException e) {
      return failed(e, e.getMessage(), Exit.UNREACHABLE, debug);
    } catch (IOException e) {
      Optional<String> login =
          Throwables.getCausalChain(e).stream()
              .map(cause -> HdfsError.of(cause).text)
              .flatMap(text -> login(text).stream())
              .findFirst();
      if (login.isPresent()) {
        return failed(e, login.get(), Exit.UNREACHABLE, debug);
      }
      if (e instanceof AccessControlException) {
        return failed(e, HdfsError.of(e).explain(), Exit.FINDINGS, debug);
      }
      String text =
          "The cluster could not be reached, or did not answer (hbase.rootdir="
              + conf.get("hbase.rootdir")
              + "): "
              + HdfsError.of(e).text;
      return failed(e, text, Exit.UNREACHABLE, debug);
    } catch (RuntimeException | LinkageError e) {
      if (e.getCause() instanceof ClassNotFoundException) {
        String text =
            "hbase.rootdir="
                + conf.get("hbase.rootdir")
                + " is on a file system whose class is not on the class path: "
                + e.getCause().getMessage();
        return failed(e, text, Exit.UNREACHABLE, debug);
      }
      String text =
          "This is a fault of the tool: " + e + ". Run it with --debug and report what it prints.";
      return failed(e, text, Exit.FINDINGS, debug);
    }
  }

  private int misused(String message, Verb verb) {
    String text = Text.escape(String.valueOf(message));
    err.println(
        text
            + (text.endsWith(".") || text.endsWith("?") ? "" : ".")
            + " See 'hbase-hybrid "
            + verb.name
            + " --help'.");
    return Exit.USAGE;
  }

  private void define(Properties defined, String[] args, boolean offline) throws UsageException {
    for (String name : defined.stringPropertyNames()) {
      boolean hasValue =
          Arrays.stream(args).anyMatch(text -> text.replaceFirst("^-D", "").startsWith(name + "="));
      if (!hasValue) {
        throw new UsageException("-D " + name + " has no value; write -D " + name + "=VALUE.");
      }
      conf.set(name, defined.getProperty(name));
    }
    if (offline) {
      return;
    }
    for (String problem : HybridSettings.read(conf).problems()) {
      if (defined.stringPropertyNames().stream().anyMatch(name -> problem.startsWith(name + "="))) {
        throw new UsageException("-D " + problem);
      }
    }
  }

  /** By the words of Hadoop's RPC client and NameNode; empty for others. */
  private Optional<String> login(String text) {
    if (text.contains("SIMPLE authentication is not enabled")) {
      return Optional.of(
          "The cluster asks for Kerberos, but hadoop.security.authentication="
              + conf.get("hadoop.security.authentication", "simple")
              + " here: put the cluster's core-site.xml on the class path (HBASE_CONF_DIR). ("
              + text
              + ")");
    }
    if (text.contains("Client cannot authenticate via") || text.contains("GSS initiate failed")) {
      return Optional.of(
          "Kerberos did not let this user in: run kinit if 'klist' shows no valid ticket;"
              + " otherwise compare this host's clock and the servers' principals in hdfs-site.xml"
              + " and hbase-site.xml. ("
              + text
              + ")");
    }
    return Optional.empty();
  }

  private int failed(Throwable e, String text, int exit, boolean debug) {
    if (stop.requested()) {
      err.println("Stopped.");
      return Exit.STOPPED;
    }
    err.println(Text.escape(text));
    if (debug) {
      e.printStackTrace(err);
    }
    return exit;
  }

  private static void overview(PrintStream to) {
    to.println("usage: hbase-hybrid VERB [OPTIONS]");
    to.println();
    for (Verb verb : VERBS) {
      to.println(String.format(Locale.ROOT, "  %-8s %s", verb.name, verb.summary));
    }
    to.println();
    to.println("'hbase-hybrid VERB --help' shows the verb's options and an example;");
    to.println("'hbase-hybrid --version' the version.");
    to.println(
        "Exit codes: 0 fine, 1 findings or failure, 2 wrong usage, 3 not known or not reachable,"
            + " 130 stopped by Ctrl-C");
  }

  private static void help(Verb verb, Options options, PrintStream to) {
    PrintWriter writer = new PrintWriter(to, true, java.nio.charset.Charset.defaultCharset());
    HelpFormatter formatter = new HelpFormatter();
    formatter.printHelp(
        writer,
        WIDTH,
        "hbase-hybrid " + verb.name + " [OPTIONS]",
        verb.summary,
        options,
        2,
        4,
        "Example: " + verb.example);
    writer.flush();
  }
}
