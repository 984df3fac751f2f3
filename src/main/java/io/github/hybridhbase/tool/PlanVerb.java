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

import io.github.hybridhbase.report.Json;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.plan.Demand;
import io.github.hybridhbase.tool.plan.Demand.Ask;
import io.github.hybridhbase.tool.plan.Verdict;
import java.io.IOException;
import java.util.OptionalDouble;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Option;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/** The verb {@code plan}: what to buy, for given numbers or a running cluster. */
@InterfaceAudience.Private
public final class PlanVerb extends Verb {
  private static final double LEAST_DATA = 100L << 30;
  private static final double LEAST_DRIVE = 1L << 30;
  private static final double MOST = 1e9;

  PlanVerb() {
    super(
        "plan",
        "compare what can be bought, for this cluster or for --data, and say which serves it",
        "--data 20t --write-rate 3m --reads 2000 --hot 20");
  }

  @Override
  public boolean offline() {
    return true;
  }

  @Override
  public Options options() {
    Options options = new Options();
    for (Ask ask : Ask.values()) {
      options.addOption(
          Option.builder()
              .longOpt(ask.flag())
              .hasArg()
              .argName(ask.unit())
              .desc(ask.meaning())
              .build());
    }
    return options;
  }

  @Override
  public int run(Session session, CommandLine line) throws UsageException, IOException {
    Demand demand = given(new Flags(line), session.conf().getInt("dfs.replication", 3));
    OptionalDouble ssd = OptionalDouble.empty();
    if (!demand.knows(Ask.DATA)) {
      Session cluster =
          Session.open(
              session.conf(), session.out(), session.err(), session.json(), session.stop());
      LiveCluster live = LiveCluster.read(cluster, demand);
      demand = live.demand();
      ssd = live.ssd();
      if (session.stop().requested()) {
        session.err().println("Stopped.");
        return Exit.STOPPED;
      }
    }
    check(demand);
    Verdict verdict = Verdict.of(demand);
    int exit = verdict.best().isPresent() ? Exit.FINE : Exit.FINDINGS;
    PlanPrinter printer = new PlanPrinter(demand, verdict, ssd);
    if (session.json()) {
      Json.print(printer.json(exit), session.out());
    } else {
      printer.text(session.out());
    }
    return exit;
  }

  private static void check(Demand demand) throws UsageException {
    if (!(demand.get(Ask.DATA) >= LEAST_DATA)) {
      throw new UsageException(
          "User data of "
              + Text.bytes((long) demand.get(Ask.DATA))
              + " fit on any drive: give --data from 100g on, such as 10t");
    }
    if (!demand.knows(Ask.WRITE_RATE)) {
      throw new UsageException(
          demand.origin(Ask.DATA).equals(Demand.GIVEN)
              ? "--data without --write-rate: give how fast edits are written, such as 10m (a"
                  + " second, of all servers), or 0"
              : "No log of this cluster has two files yet, so they do not tell how fast edits are"
                  + " written: give --write-rate, such as 10m (a second, of all servers)");
    }
  }

  private static Demand given(Flags flags, int replicas) throws UsageException {
    Demand given = Demand.of(replicas);
    for (Ask ask : Ask.values()) {
      OptionalDouble value = value(flags, ask);
      if (value.isPresent()) {
        given = given.with(ask, value.getAsDouble(), Demand.GIVEN);
      }
    }
    return given;
  }

  private static OptionalDouble value(Flags flags, Ask ask) throws UsageException {
    switch (ask) {
      case DATA:
      case WRITE_RATE:
        return flags.size(ask.flag(), 0);
      case DRIVE:
        return flags.size(ask.flag(), LEAST_DRIVE);
      case HOT:
        return flags.number(ask.flag(), 1, 80);
      case PRICE_RATIO:
        return flags.number(ask.flag(), 1, 200);
      default:
        return flags.number(ask.flag(), 0, MOST);
    }
  }
}
