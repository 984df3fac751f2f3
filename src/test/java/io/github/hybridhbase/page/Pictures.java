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
import io.github.hybridhbase.hdfs.StorageNamespace.ListingEntry;
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
  static final long NOW = 1_700_000_000_000L;
  private static final long GB = 1L << 30;
  private static final String ROOT = "hdfs://nn.example.org:8020/hbase";
  private static final byte HOT = StoragePolicy.HOT.id();

  private Pictures() {}

  private static HybridSettings settings() {
    return HybridSettings.read(new Configuration(false));
  }

  private static Layout layout(String root) {
    return new Layout(new Path(root), new Path(root));
  }

  /** Nothing was scanned or looked at. */
  static PlacementSnapshot unscanned(String root, String noScan) {
    return new PlacementSnapshot(
        "me",
        NOW,
        layout(root),
        settings(),
        ClusterLook.NONE,
        Optional.empty(),
        noScan,
        new Diagnosis());
  }

  /** A scan that saw nothing. */
  static PlacementSnapshot empty(boolean complete) {
    return of("", ClusterLook.NONE, new Scan().end(complete), new Diagnosis());
  }

  private static PlacementSnapshot of(
      String text, ClusterLook look, ScanTurn scan, Diagnosis others) {
    return new PlacementSnapshot(
        text.isEmpty() ? "active master m1.example.org,16000" : text,
        NOW,
        layout(ROOT),
        settings(),
        look,
        Optional.of(scan),
        text,
        others);
  }

  /** A scan of a quarter of an hour ago. */
  private static final class Scan {
    private final TierTotals tier = new TierTotals(3_600_000, 900_000, NOW);
    private final ScanReport report =
        new ScanReport(
            new Expectation(
                layout(ROOT),
                settings(),
                new TierFiles(layout(ROOT), Long.MAX_VALUE, Long.MAX_VALUE)),
            0);

    private Scan tiered(Component component, long onSsd, long ageMillis) {
      tier.add(
          new FileContext(component, HOT, false),
          new FileBlocks(
              new Path("/f"),
              onSsd,
              1,
              StoragePolicy.ALL_SSD.id(),
              false,
              List.of(new FileBlocks.Block(onSsd, StorageType.SSD)),
              NOW - ageMillis,
              false));
      return this;
    }

    /** Three replicas. */
    private Scan file(Component component, String path, long bytes, StorageType type) {
      byte policy = settings().policy(component).wantsSsd() ? StoragePolicy.ALL_SSD.id() : HOT;
      FileBlocks.Block block = new FileBlocks.Block(bytes / 3, type, type, type);
      report.file(
          new FileContext(component, HOT, false),
          new FileBlocks(new Path(path), bytes / 3, 3, policy, false, List.of(block), 0, false));
      return this;
    }

    private Scan userDirectory(String path, byte policy) {
      report.directory(
          new FileContext(Component.USER, HOT, false),
          new ListingEntry(new Path(path), policy, false, "hbase", null));
      return this;
    }

    private ScanTurn end(boolean complete) {
      return new ScanTurn(NOW - 900_000, NOW - 858_700, report, tier, complete);
    }
  }

  private static ClusterLook look(SpaceLook... spaces) {
    Map<URI, SpaceLook> all = new LinkedHashMap<>();
    for (SpaceLook space : spaces) {
      all.put(URI.create("hdfs://nn" + all.size()), space);
    }
    return ClusterLook.NONE.with(all);
  }

  private static SpaceLook space(SsdSpace read, WalServers servers) {
    return new SpaceLook(NOW - 10_000, Optional.of(read), "", servers, 3, 256L << 20);
  }

  /** A snapshot in which every text is this one. */
  static PlacementSnapshot of(String text) {
    List<DataNodeState> nodes = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    Diagnosis others = new Diagnosis();
    for (int i = 0; i < 1_000; i++) {
      nodes.add(Ssds.dataNode(text, 100 * GB, i * GB / 10, i * GB / 20, 0));
      servers.add(text);
      others.unchecked(text);
    }
    // Fewer, since their texts are long.
    for (int i = 0; i < 100; i++) {
      others.add(Finding.of(FindingId.TIER_BYPASSED, text, text, text, text));
    }
    Scan scan = new Scan().tiered(Component.USER, GB, 5_000);
    scan.file(Component.USER, "/f", 3, StorageType.SSD);
    SpaceLook unread = new SpaceLook(NOW, Optional.empty(), text, new WalServers(servers), 3, 1);
    ClusterLook look =
        look(unread, space(new SsdSpace(GB, 1, GB - 1, 3, nodes), WalServers.NONE))
            .with(Optional.of(TierState.closed(text)));
    return of(text, look, scan.end(true), others);
  }

  /** All is well. */
  static PlacementSnapshot healthy() {
    Scan scan =
        new Scan()
            .tiered(Component.ARCHIVE, 16 * GB, 100_000)
            .tiered(Component.USER, 21 * GB, 30_000)
            .tiered(Component.USER, 64 * GB, 200_000)
            .tiered(Component.USER, 120 * GB, 700_000)
            .tiered(Component.USER, 160 * GB, 2_000_000)
            .file(Component.WAL, "/f", 13 * GB, StorageType.SSD)
            .file(Component.MASTER, "/f", GB / 3, StorageType.SSD)
            .file(Component.META, "/f", GB, StorageType.SSD)
            .file(Component.ARCHIVE, "/f", 812 * GB, StorageType.DISK);
    for (int i = 0; i < 1_200; i++) {
      scan.file(Component.USER, "/f", 8 * GB, StorageType.DISK).userDirectory("/f", HOT);
    }
    ClusterLook look =
        look(space(new SsdSpace(2_400 * GB, 700 * GB, 1_690 * GB, 6, nodes(140)), WalServers.NONE))
            .with(Optional.of(TierState.open(40 * GB, 40 * GB, NOW, "m1")));
    return of("", look, scan.end(true), new Diagnosis());
  }

  /** SSD runs out, a directory has a hostile name, and not all is where it should be. */
  static PlacementSnapshot trouble() {
    String log = "/hbase/WALs/rs4.example.org,16020,1/rs4.example.org%2C16020%2C1.169999900000";
    String hostile = "/hbase/data/default/<script>alert('x')</script>/\u202egpj.exe\u0007";
    Scan scan =
        new Scan()
            .tiered(Component.ARCHIVE, 45 * GB, 5_000_000)
            .tiered(Component.USER, 80 * GB, 700_000)
            .tiered(Component.USER, 310 * GB, 9_000_000)
            .file(Component.WAL, "/f", 9 * GB, StorageType.SSD)
            .file(Component.MASTER, "/f", GB / 9, StorageType.SSD)
            .file(Component.META, "/f", GB / 4, StorageType.SSD)
            .file(Component.ARCHIVE, "/f", 812 * GB, StorageType.DISK)
            .file(Component.USER, "/f", 9_400 * GB, StorageType.DISK)
            .userDirectory(hostile, StoragePolicy.COLD.id());
    for (int i = 0; i < 31; i++) {
      scan.file(Component.WAL, log + i, GB / 8, StorageType.DISK);
    }
    Diagnosis others = new Diagnosis();
    others.unchecked("May not look at /hbase/staging: Permission denied");
    SsdSpace space = new SsdSpace(2_400 * GB, 2_200 * GB, 150 * GB, 6, nodes(3));
    String why = "the space monitor keeps SSD free for the system's own parts";
    ClusterLook look = look(space(space, WalServers.NONE)).with(Optional.of(TierState.closed(why)));
    return of("", look, scan.end(true), others);
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
    SsdSpace space = new SsdSpace(servers * 400 * GB, 0, servers * 300 * GB, servers, nodes);
    ClusterLook look = look(space(space, new WalServers(names)));
    return of("", look, new Scan().end(true), others);
  }

  private static List<DataNodeState> nodes(long least) {
    List<DataNodeState> nodes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      nodes.add(
          Ssds.dataNode(
              "dn" + i + ".example.org:9866",
              400 * GB,
              2 * (least + i * 11L) * GB,
              (least + i * 11L) * GB,
              0));
    }
    return nodes;
  }
}
