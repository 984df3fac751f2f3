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
package io.github.hybridhbase.measure.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.HelpFormatter;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.hbase.thirdparty.org.apache.commons.cli.ParseException;
import org.apache.yetus.audience.InterfaceAudience;

/** What {@code bench/report} starts. */
@InterfaceAudience.Private
public final class ReportCommand {
  static final int FINE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  private static final int WIDTH = 100;

  private ReportCommand() {}

  /** Ends the JVM: 0 fine, 1 a file cannot be read or written, 2 wrong usage. */
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) {
    try {
      CommandLine line = new DefaultParser().parse(options(), args);
      if (line.hasOption("help")) {
        help(out);
        return FINE;
      }
      if (line.getArgList().size() != 1) {
        err.println("name one file of bench/run's; bench/report --help");
        return USAGE;
      }
      JsonNode root = new ObjectMapper().readTree(Files.readString(Path.of(line.getArgs()[0])));
      Results results = Results.of(root);
      if (results.isEmpty()) {
        err.println(line.getArgs()[0] + " has no cell that was measured");
        return USAGE;
      }
      write(line, "html", Page.render(results), out);
      if (line.hasOption("tail")) {
        write(line, "tail", ReadmeTable.tail(results.where(Select.compaction("durable"))), out);
        return FINE;
      }
      boolean table =
          line.hasOption("markdown") || line.hasOption("readme") || line.hasOption("table");
      if (line.hasOption("html") && !line.hasOption("svg") && !table) {
        return FINE; // the page is of all plans
      }
      Results plain = ReadmeTable.plain(results, line.getOptionValue("plan"));
      write(line, "svg", ReadmeTable.chart(plain) + "\n", out);
      write(line, "table", PlanTable.markdown(plain), out);
      write(line, "markdown", ReadmeTable.markdown(plain), out);
      if (line.hasOption("readme")) {
        readme(Path.of(line.getOptionValue("readme")), line.getOptionValue("svg"), plain, out);
      }
      if (!line.hasOption("html") && !line.hasOption("svg") && !table) {
        out.print(ReadmeTable.markdown(plain));
      }
      return FINE;
    } catch (ParseException | IllegalArgumentException e) {
      err.println(e.getMessage());
      return USAGE;
    } catch (IOException e) {
      err.println(e);
      return FAILED;
    }
  }

  private static void readme(Path readme, String chart, Results plain, PrintStream out)
      throws IOException, ParseException {
    if (chart == null) {
      throw new ParseException("--readme needs --svg: the chart that it is to show");
    }
    Path relative = readme.toAbsolutePath().getParent().relativize(Path.of(chart).toAbsolutePath());
    String table = ReadmeTable.markdown(plain);
    Files.writeString(
        readme, ReadmeTable.into(Files.readString(readme), table, relative.toString()));
    out.println(readme);
  }

  private static void write(CommandLine line, String option, String text, PrintStream out)
      throws IOException {
    if (line.hasOption(option)) {
      Path file = Path.of(line.getOptionValue(option));
      Files.writeString(file, text);
      out.println(file);
    }
  }

  private static Options options() {
    Options options = new Options();
    options.addOption("h", "help", false, "show this help");
    options.addOption(null, "html", true, "write one page of all plans, which loads nothing");
    options.addOption(
        null, "plan", true, "whose table and chart, as 'full on paper'; needed where several are");
    options.addOption(null, "markdown", true, "write README's table; without any it is printed");
    options.addOption(
        null,
        "table",
        true,
        "write a plan's set-ups and cells, with errors and costs, as Markdown");
    options.addOption(null, "svg", true, "write README's chart");
    options.addOption(null, "tail", true, "write the chart of latencies beside compactions");
    options.addOption(
        null, "readme", true, "put table and chart (--svg) into their place in README");
    return options;
  }

  private static void help(PrintStream to) {
    PrintWriter writer = new PrintWriter(to, true, Charset.defaultCharset());
    new HelpFormatter()
        .printHelp(
            writer,
            WIDTH,
            "bench/report FILE.json [OPTIONS]",
            "",
            options(),
            2,
            4,
            "\nExample: bench/report full.json --html full.html --markdown table.md --svg chart.svg");
    writer.flush();
  }
}
