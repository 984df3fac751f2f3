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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.yetus.audience.InterfaceAudience;

/** A file of results whose figures are known. For one thread. */
@InterfaceAudience.Private
final class KnownFigures {
  private final ObjectNode root = new ObjectMapper().createObjectNode();
  private final ArrayNode cells = root.putArray("cells");

  private static final String PLAN = "full on paper";

  KnownFigures() {
    plan(PLAN, "<paper>");
  }

  void plan(String name, String devices) {
    ObjectNode plan = root.with("plans").putObject(name);
    plan.putObject("settings")
        .put("devices", devices)
        .putObject("scale")
        .put("rows", 1_000_000)
        .put("tierBudgetMb", 20);
    plan.putObject("loads").putObject("hdd/64k").put("onHddMb", 1_000);
  }

  ObjectNode cell(String workload, String setup, int round, double rate) {
    ObjectNode cell = cells.addObject();
    cell.putArray("sections").add("Workloads");
    return cell.put("plan", PLAN)
        .put("experiment", "ycsb")
        .put("workload", workload)
        .put("sync", "hflush")
        .put("threads", "16")
        .put("target", "0")
        .put("keys", "own")
        .put("block", "64")
        .put("share", "0")
        .put("reads", "devices")
        .put("slower", "1")
        .put("setup", setup)
        .put("round", Integer.toString(round))
        .put("opsPerSecond", rate)
        .put("ssdPeakMb", setup.equals("hdd") ? 0 : 7.3)
        .put("cacheMb", 0);
  }

  Results results() {
    return Results.of(root);
  }
}
