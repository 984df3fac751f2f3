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

import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.Json;
import io.github.hybridhbase.report.Table;
import io.github.hybridhbase.runtime.PluginVersion;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/** The verb {@code explain}: prints the words of a finding, without a cluster. */
@InterfaceAudience.Private
final class ExplainVerb extends Verb {
  ExplainVerb() {
    super(
        "explain",
        "print the words of a finding by its id: what was seen, its consequence and the remedy",
        "ssd-space");
  }

  @Override
  public String argument() {
    return "[ID]";
  }

  @Override
  public boolean offline() {
    return true;
  }

  @Override
  public Options options() {
    return new Options();
  }

  @Override
  public int run(Session session, CommandLine options) throws UsageException {
    List<FindingId> ids =
        options.getArgList().isEmpty()
            ? List.of(FindingId.values())
            : List.of(named(options.getArgList().get(0)));
    if (session.json()) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("schema", "hbase-hybrid/explain/1");
      json.put("exit", Exit.FINE);
      json.put("findings", ids.stream().map(ExplainVerb::json).collect(Collectors.toList()));
      Json.print(json, session.out());
    } else if (ids.size() > 1) {
      Table table = new Table().row("id", "severity");
      ids.forEach(id -> table.row(id.id(), id.severity().name()));
      table.print(session.out());
    } else {
      String docs = "the pages docs/*.md are in the source of hbase-hybrid-storage ";
      session.out().println(ids.get(0).severity() + "  " + ids.get(0).id());
      json(ids.get(0)).entrySet().stream()
          .skip(2)
          .filter(entry -> !entry.getValue().toString().isEmpty())
          .forEach(entry -> line(session, entry.getKey(), entry.getValue().toString()));
      line(session, "where", docs + PluginVersion.get());
    }
    return Exit.FINE;
  }

  private static void line(Session session, String title, String text) {
    session
        .terminal()
        .screen()
        .wrap(String.format(Locale.ROOT, "  %-7s ", title), text)
        .forEach(session.out()::println);
  }

  private static Map<String, Object> json(FindingId id) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", id.id());
    json.put("severity", id.severity().name());
    json.put("seen", id.seen());
    json.put("causes", id.causes());
    json.put("remedy", id.remedy());
    return json;
  }

  private static FindingId named(String name) throws UsageException {
    List<String> close = new ArrayList<>();
    for (FindingId id : FindingId.values()) {
      if (id.id().equals(name)) {
        return id;
      }
      if (Arrays.stream(name.split("-")).anyMatch(id.id()::contains)) {
        close.add(id.id());
      }
    }
    throw new UsageException(
        "There is no finding "
            + name
            + (close.isEmpty() ? "." : "; there are " + Text.some(close) + "."));
  }
}
