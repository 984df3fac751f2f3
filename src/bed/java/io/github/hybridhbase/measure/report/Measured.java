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
import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** One cell as it was measured. Immutable. */
@InterfaceAudience.Private
final class Measured {
  private final JsonNode cell;

  Measured(JsonNode cell) {
    this.cell = cell;
  }

  /** The value of an axis by its label; empty where it has none. */
  String axis(String label) {
    return cell.path(label).asText("");
  }

  /** Profile and devices: what was measured otherwise is not compared. */
  String plan() {
    return axis("plan");
  }

  /** Names of the sections that it belongs to. */
  List<String> sections() {
    List<String> sections = new ArrayList<>();
    cell.path("sections").forEach(name -> sections.add(name.asText()));
    return sections;
  }

  /** Whether it has this value on an axis. */
  boolean is(String label, String value) {
    return axis(label).equals(value);
  }

  /** Whether it is a log alone, of which a durable one is compared to one that is not. */
  private boolean isLog() {
    return is("experiment", "wal");
  }

  int round() {
    return cell.path("round").asInt(1);
  }

  /** The set-up, with the share of its cache where it has one: {@code hybrid+cache 5%}. */
  String series() {
    if (isLog()) {
      return axis("setup") + " " + axis("sync");
    }
    String share = axis("share");
    return axis("setup") + (share.isEmpty() || share.equals("0") ? "" : " " + share + "%");
  }

  /** What it has in common with the cells that it is compared to, for people. */
  String group() {
    StringBuilder name = new StringBuilder(axis("workload"));
    unless(name, "experiment", "ycsb", "");
    name.append(is("fileSystem", "") ? "" : ", " + axis("fileSystem"));
    if (!isLog()) {
      unless(name, "sync", "hflush", "");
    }
    unless(name, "threads", "16", " threads");
    unless(name, "target", "0", axis("target").endsWith("%") ? " of hdd's load" : " ops/s");
    unless(name, "keys", "own", " keys");
    unless(name, "block", "64", " KB blocks");
    name.append(axis("reads").equals("memory") ? ", from memory" : "");
    if (!axis("slower").equals("1")) {
      name.append(", ").append(axis("slower")).append("× slower");
    }
    return name.toString();
  }

  private void unless(StringBuilder name, String axis, String base, String unit) {
    if (!axis(axis).equals(base)) {
      name.append(", ").append(axis(axis)).append(unit);
    }
  }

  /** Operations that failed, in all its spans. */
  long failed() {
    long failed = cell.path("errors").asLong();
    for (String span : new String[] {"before", "beside"}) {
      failed += cell.path(span).path("errors").asLong();
    }
    return failed;
  }

  /** A number by its path, as {@code latencies.read.p99Ms}; NaN where there is none. */
  double number(String path) {
    JsonNode node = cell;
    for (String part : path.split("\\.", -1)) {
      node = node.path(part);
    }
    return node.isNumber() ? node.asDouble() : Double.NaN;
  }
}
