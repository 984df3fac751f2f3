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
package io.github.hybridhbase.tool.plan;

import io.github.hybridhbase.tool.cli.Verb.UsageException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonStreamParser;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A gain in throughput, from JSON measurements: the {@code cells} of {@code bench/run}, one run per
 * line with {@code opsPerSecond}, or a JMH array, whose {@code score} is throughput or time per
 * operation. Pure except {@link #read}.
 */
@InterfaceAudience.Private
public final class BenchGain {
  /** Fields in which all compared cells of bench/run must agree. */
  private static final List<String> SAME =
      List.of(
          "plan",
          "experiment",
          "workload",
          "sync",
          "threads",
          "target",
          "keys",
          "block",
          "reads",
          "slower",
          "fileSystem");

  /** Likewise for the cells of each side. */
  private static final List<String> SIDE = List.of("setup", "share");

  private static final class Run {
    private final Map<String, String> fields;
    private final double throughput;

    Run(Map<String, String> fields, double throughput) {
      this.fields = fields;
      this.throughput = throughput;
    }
  }

  private final List<Run> runs;

  private BenchGain(List<Run> runs) {
    this.runs = runs;
  }

  public static BenchGain read(Path file) throws UsageException {
    try (Reader in = Files.newBufferedReader(file)) {
      return parse(in, file.toString());
    } catch (IOException e) {
      throw new UsageException("--gain-from " + file + " cannot be read: " + e);
    }
  }

  static BenchGain parse(String json) throws UsageException {
    return parse(new StringReader(json), "text");
  }

  private static BenchGain parse(Reader in, String name) throws UsageException {
    List<Run> runs = new ArrayList<>();
    try {
      JsonStreamParser parser = new JsonStreamParser(in);
      while (parser.hasNext()) {
        JsonElement next = parser.next();
        if (next.isJsonArray()) {
          next.getAsJsonArray().forEach(one -> add(one, runs));
        } else {
          add(next, runs);
        }
      }
    } catch (JsonParseException | IllegalStateException e) {
      throw new UsageException("--gain-from " + name + " is not JSON: " + e.getMessage());
    }
    if (runs.isEmpty()) {
      throw new UsageException(
          "--gain-from " + name + " has no run with opsPerSecond, and none of JMH's");
    }
    return new BenchGain(runs);
  }

  private static void add(JsonElement element, List<Run> runs) {
    if (!element.isJsonObject()) {
      return;
    }
    JsonObject run = element.getAsJsonObject();
    if (run.has("cells") && run.get("cells").isJsonArray()) {
      run.getAsJsonArray("cells").forEach(cell -> add(cell, runs));
      return;
    }
    Map<String, String> fields = new LinkedHashMap<>();
    primitives(run, fields);
    if (run.has("opsPerSecond")) {
      runs.add(new Run(fields, run.get("opsPerSecond").getAsDouble()));
    } else if (run.has("primaryMetric")) {
      if (run.has("params")) {
        primitives(run.getAsJsonObject("params"), fields);
      }
      JsonObject metric = run.getAsJsonObject("primaryMetric");
      double score = metric.get("score").getAsDouble();
      boolean time = metric.get("scoreUnit").getAsString().endsWith("/op");
      runs.add(new Run(fields, time ? 1 / score : score));
    }
  }

  private static void primitives(JsonObject from, Map<String, String> fields) {
    from.entrySet().stream()
        .filter(field -> field.getValue().isJsonPrimitive())
        .forEach(field -> fields.put(field.getKey(), field.getValue().getAsString()));
  }

  /**
   * The median throughput of the runs selected by {@code with} divided by that of {@code base}.
   *
   * @param base {@code FIELD=VALUE}, separated by commas
   */
  public double gain(String base, String with) throws UsageException {
    List<Run> over = select(with, "with");
    List<Run> under = select(base, "base");
    List<Run> all = new ArrayList<>(over);
    all.addAll(under);
    mustAgree("--base and --with select", SAME, all, "in both");
    mustAgree("--with selects", SIDE, over, "there");
    mustAgree("--base selects", SIDE, under, "there");
    return median(over) / median(under);
  }

  private static void mustAgree(String who, List<String> in, List<Run> runs, String where)
      throws UsageException {
    if (!runs.get(0).fields.containsKey("experiment")) {
      return;
    }
    for (String field : in) {
      Set<String> values = new TreeSet<>();
      runs.forEach(run -> values.add(run.fields.getOrDefault(field, "")));
      if (values.size() > 1) {
        throw new UsageException(
            who + " cells that differ in " + field + ": " + values + "; name one " + where);
      }
    }
  }

  private List<Run> select(String wanted, String option) throws UsageException {
    List<Run> found = new ArrayList<>();
    Map<String, String> fields = new LinkedHashMap<>();
    for (String one : wanted.split(",", -1)) {
      int equals = one.indexOf('=');
      if (equals <= 0) {
        throw new UsageException(
            "--" + option + " " + wanted + " is not FIELD=VALUE, several behind commas");
      }
      fields.put(one.substring(0, equals).trim(), one.substring(equals + 1).trim());
    }
    for (Run run : runs) {
      if (run.fields.entrySet().containsAll(fields.entrySet())) {
        found.add(run);
      }
    }
    if (found.isEmpty()) {
      throw new UsageException(
          "--"
              + option
              + " "
              + wanted
              + " selects none of "
              + runs.size()
              + " runs; the first one's fields are "
              + runs.get(0).fields);
    }
    return found;
  }

  private static double median(List<Run> runs) {
    List<Double> sorted =
        runs.stream().map(run -> run.throughput).sorted().collect(Collectors.toList());
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
