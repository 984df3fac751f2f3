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
import io.github.hybridhbase.report.Table;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridKeys.UnknownKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Key;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The verb {@code keys}: lists keys and their values in this host's configuration, without a
 * cluster.
 */
@InterfaceAudience.Private
final class KeysVerb extends Verb {
  private static final String CHANGED = "changed";

  KeysVerb() {
    super(
        "keys",
        "list every key: default, value in force here and the file that sets it",
        "tier.budget");
  }

  @Override
  public String argument() {
    return "[NAME]";
  }

  @Override
  public boolean offline() {
    return true;
  }

  @Override
  public Options options() {
    return new Options().addOption(null, CHANGED, false, "only keys set to other than the default");
  }

  @Override
  public int run(Session session, CommandLine options) throws UsageException {
    Configuration conf = session.conf();
    HybridSettings settings = session.settings();
    List<Key<?>> keys = HybridKeys.all();
    List<String> problems = new ArrayList<>(settings.problems());
    if (!options.getArgList().isEmpty()) {
      Key<?> key = named(options.getArgList().get(0));
      keys = List.of(key);
      problems.removeIf(text -> !text.startsWith(key.name() + "="));
    }
    if (options.hasOption(CHANGED)) {
      keys = keys.stream().filter(key -> key.isChanged(conf)).collect(Collectors.toList());
    }
    int exit = problems.isEmpty() ? Exit.FINE : Exit.FINDINGS;
    if (session.json()) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("schema", "hbase-hybrid/keys/1");
      json.put("exit", exit);
      json.put("keys", keys.stream().map(key -> json(key, session)).collect(Collectors.toList()));
      json.put("problems", problems);
      Json.print(json, session.out());
      return exit;
    }
    if (keys.isEmpty()) {
      session.out().println("All keys have their defaults.");
    } else if (keys.size() == 1) {
      session.out().println(inFull(keys.get(0), session));
    } else {
      Table table = new Table().row("key", "in force", "default", "set in");
      keys.forEach(k -> table.row(k.name(), settings.inForce(k), k.defaultValue(), setIn(k, conf)));
      table.print(session.out());
    }
    problems.forEach(text -> session.out().println(Text.escape(text)));
    return exit;
  }

  private static Key<?> named(String name) throws UsageException {
    String full = name.startsWith(Key.PREFIX) ? name : Key.PREFIX + name;
    return HybridKeys.find(full)
        .orElseThrow(() -> new UsageException("There is no key " + full + UnknownKeys.hint(full)));
  }

  private static String setIn(Key<?> key, Configuration conf) {
    String[] sources = conf.getPropertySources(key.name());
    String text = conf.getRaw(key.name());
    if (text == null || text.trim().isEmpty() || sources == null || sources.length == 0) {
      return "default";
    }
    String last = sources[sources.length - 1];
    URL file = conf.getResource(last);
    // In this process only -D sets keys; Hadoop's versions spell "program" in two ways.
    return file != null ? file.getPath() : last.startsWith("program") ? "-D" : last;
  }

  private static String inFull(Key<?> key, Session session) {
    return String.join(
        "\n",
        key.name(),
        "  in force  " + Text.escape(session.settings().inForce(key)),
        "  set in    " + Text.escape(setIn(key, session.conf())),
        "  default   " + key.defaultValue(),
        "  allowed   " + key.values().allowed(),
        "  since     " + key.since(),
        key.meaning());
  }

  private static Map<String, Object> json(Key<?> key, Session session) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", key.name());
    json.put("type", key.values().type());
    json.put("unit", key.values().unit());
    json.put("allowed", key.values().allowed());
    json.put("default", key.defaultValue());
    json.put("since", key.since());
    json.put("meaning", key.meaning());
    json.put("inForce", session.settings().inForce(key));
    json.put("setIn", setIn(key, session.conf()));
    return json;
  }
}
