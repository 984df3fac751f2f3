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

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.page.PlacementFindings;
import io.github.hybridhbase.page.PlacementReport;
import io.github.hybridhbase.page.PlacementSnapshot;
import io.github.hybridhbase.placement.ClusterLook;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.ServerTable;
import io.github.hybridhbase.report.Report;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.scan.FileContext;
import io.github.hybridhbase.scan.ScanChore.ScanTurn;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.TierFiles;
import io.github.hybridhbase.scan.TierTotals;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.doctor.ClusterFacts;
import io.github.hybridhbase.tool.doctor.Doctor;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class ReportsAreDocumentedTest {
  private static String read(String path) throws IOException {
    return Files.readString(TypedCluster.baseDirectory().resolve(path));
  }

  @Test
  void everyFieldOfTheReportsIsInTheDocumentation() throws IOException {
    String page = read("docs/json-schema.json");
    ClusterFacts facts = new ClusterFacts(new Configuration(false));
    assertTrue(Doctor.examine(facts).findings().size() > 0);
    Set<String> fields = new TreeSet<>(Doctor.examine(facts).findings().get(0).toJson().keySet());
    Layout layout = new Layout(new Path("/hbase"), new Path("/hbase"));
    Expectation expectation =
        new Expectation(
            layout, facts.settings, new TierFiles(layout, Long.MAX_VALUE, Long.MAX_VALUE));
    ScanReport scan = new ScanReport(expectation, 1);
    scan.file(
        new FileContext(Component.WAL, (byte) 0, false),
        new FileBlocks(
            new Path("/hbase/WALs/a,1,1/b"),
            1,
            1,
            (byte) 0,
            false,
            List.of(new FileBlocks.Block(1, StorageType.DISK)),
            0,
            false));
    PlacementSnapshot snapshot =
        new PlacementSnapshot(
            "check",
            1,
            layout,
            facts.settings,
            ClusterLook.NONE,
            Optional.of(new ScanTurn(0, 1, scan, new TierTotals(0, 0, 0), true)),
            "",
            new Diagnosis());
    Report report =
        PlacementFindings.of(snapshot)
            .report("")
            .add(PlacementReport.components(scan, facts.settings, true))
            .add(PlacementReport.worst(scan))
            .add(PlacementReport.tier(new TierTotals(0, 0, 0)));
    DataNodeState node = Ssds.dataNode("dn", 1, 1, 1, 0);
    SsdSpace space = new SsdSpace(1, 0, 1, 1, List.of(node));
    report.add(PlacementReport.dataNodes(List.of(space), Map.of()));
    report.add(ServerTable.of(facts.plugins.seen().orElse(List.of())));
    fields(report.json(0), fields);
    for (String field : fields) {
      assertTrue(page.contains("\"" + field + "\":"), "docs/json-schema.json lacks " + field);
    }
  }

  @Test
  void everyVerbIsInTheDocumentation() throws IOException {
    String operations = read("docs/operate.md");
    String json = read("docs/json-schema.json");
    for (String verb : HybridTool.verbs()) {
      assertTrue(operations.contains("| `" + verb + "` |"), "docs/operate.md lacks " + verb);
      assertTrue(
          json.contains("\"hbase-hybrid/" + verb + "/"), "docs/json-schema.json lacks " + verb);
    }
  }

  private static void fields(Object json, Set<String> into) {
    if (json instanceof Map) {
      ((Map<?, ?>) json)
          .forEach(
              (key, value) -> {
                into.add((String) key);
                fields(value, into);
              });
    } else if (json instanceof List) {
      ((List<?>) json).forEach(one -> fields(one, into));
    }
  }
}
