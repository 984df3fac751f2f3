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
package io.github.hybridhbase.page;

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.placement.ClusterLook;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.SpaceLook;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.placement.WalServers;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.scan.FileContext;
import io.github.hybridhbase.scan.ScanChore.ScanTurn;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.TierFiles;
import io.github.hybridhbase.scan.TierTotals;
import io.github.hybridhbase.testing.Ssds;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** Snapshots to render. */
@InterfaceAudience.Private
final class Pictures {
  private static final long NOW = 1_700_000_000_000L;
  private static final long GB = 1L << 30;
  private static final byte HOT = StoragePolicy.HOT.id();
  private static final HybridSettings SETTINGS = HybridSettings.read(new Configuration(false));

  private Pictures() {}

  private static PlacementSnapshot picture(
      String text, ClusterLook look, Optional<ScanTurn> scan, Diagnosis others) {
    Layout layout = new Layout(new Path("hdfs://nn/hbase"), new Path("hdfs://nn/hbase"));
    return new PlacementSnapshot(text, NOW, layout, SETTINGS, look, scan, text, others);
  }

  /** Nothing was scanned or looked at. */
  static PlacementSnapshot unscanned(String text) {
    return picture(text, ClusterLook.NONE, Optional.empty(), new Diagnosis());
  }

  private static FileBlocks onSsd(byte policy, long ageMillis) {
    FileBlocks.Block block =
        new FileBlocks.Block(GB, StorageType.SSD, StorageType.SSD, StorageType.SSD);
    return new FileBlocks(
        new Path("/f"), GB, 3, policy, false, List.of(block), NOW - ageMillis, false);
  }

  /** A scan of a quarter of an hour ago, of files on SSD, which not all components declare. */
  private static Optional<ScanTurn> scan(Component... components) {
    Layout layout = new Layout(new Path("/hbase"), new Path("/hbase"));
    TierFiles files = new TierFiles(layout, Long.MAX_VALUE, Long.MAX_VALUE);
    ScanReport report = new ScanReport(new Expectation(layout, SETTINGS, files), 0);
    TierTotals tier = new TierTotals(3_600_000, 900_000, NOW);
    for (Component component : components) {
      FileContext context = new FileContext(component, HOT, false);
      report.file(context, onSsd(HOT, 0));
      for (long age : new long[] {30_000, 200_000, 700_000, 2_000_000, 9_000_000}) {
        tier.add(context, onSsd(StoragePolicy.ALL_SSD.id(), age));
      }
    }
    return Optional.of(new ScanTurn(NOW - 900_000, NOW - 858_700, report, tier, true));
  }

  private static ClusterLook look(SpaceLook... spaces) {
    Map<URI, SpaceLook> all = new LinkedHashMap<>();
    for (SpaceLook space : spaces) {
      all.put(URI.create("hdfs://nn" + all.size()), space);
    }
    return ClusterLook.NONE.with(all);
  }

  private static SpaceLook space(List<DataNodeState> nodes, WalServers servers) {
    int all = nodes.size();
    SsdSpace space = new SsdSpace(all * 400 * GB, 0, all * 300 * GB, all, nodes);
    return new SpaceLook(NOW - 10_000, Optional.of(space), "", servers, 3, 256L << 20);
  }

  /** A snapshot in which every text is this one. */
  static PlacementSnapshot of(String text) {
    List<DataNodeState> nodes = new ArrayList<>();
    Diagnosis others = new Diagnosis();
    for (int i = 0; i < 1_000; i++) {
      nodes.add(Ssds.dataNode(text, 100 * GB, i * GB / 10, i * GB / 20, 0));
      others.unchecked(text);
    }
    // Fewer, since their texts are long.
    for (int i = 0; i < 100; i++) {
      others.add(Finding.of(FindingId.TIER_BYPASSED, text, text, text, text));
    }
    WalServers servers = new WalServers(Collections.nCopies(1_000, text));
    ClusterLook look =
        look(
                new SpaceLook(NOW, Optional.empty(), text, servers, 3, 1),
                space(nodes, WalServers.NONE))
            .with(Optional.of(TierState.closed(text)));
    return picture(text, look, scan(Component.values()), others);
  }

  /** Many servers, and tables of which each has a finding. */
  static PlacementSnapshot large(int servers, int tables) {
    List<DataNodeState> nodes = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < servers; i++) {
      String name = String.format("rs%03d.example.org", i);
      nodes.add(Ssds.dataNode(name + ":9866", 400 * GB, 2 * i * GB, i * GB, 0));
      names.add(name + ",16020,1");
    }
    Diagnosis others = new Diagnosis();
    for (int i = 0; i < tables; i++) {
      String table = "/hbase/data/default/table" + i;
      others.add(Finding.of(FindingId.OWN_POLICY, table, 1, table));
    }
    return picture("m1", look(space(nodes, new WalServers(names))), scan(), others);
  }
}
