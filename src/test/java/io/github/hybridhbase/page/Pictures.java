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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.page.Picture.ComponentShare;
import io.github.hybridhbase.page.Picture.Demotion;
import io.github.hybridhbase.page.Picture.ScanTimes;
import io.github.hybridhbase.page.Picture.SsdRoom;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.FileContext;
import io.github.hybridhbase.scan.ScanReport.ByteTotals;
import io.github.hybridhbase.scan.TierTotals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** Pictures to render. */
@InterfaceAudience.Private
final class Pictures {
  static final long NOW = 1_700_000_000_000L;
  private static final long GB = 1L << 30;

  private Pictures() {}

  /** A picture in which every text is this one. */
  static Picture of(String text) {
    List<SsdSpace.Node> nodes = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    List<Demotion> demotions = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      nodes.add(new SsdSpace.Node(text, 100 * GB, i * GB / 10, i * GB / 20));
      // Of a hundred, since their texts are long.
      findings.add(
          i < 100
              ? Finding.of(FindingId.TIER_BYPASSED, text, text, text, text)
              : findings.get(i % 100));
      demotions.add(new Demotion(text, OptionalLong.of(NOW), text));
      notes.add(text);
    }
    TierTotals totals = new TierTotals(3_600_000, 900_000, NOW);
    tiered(totals, Component.USER, GB, 5_000);
    return new Picture(text, text, NOW)
        .scanned(new ScanTimes(NOW, 1, 1, 1, true), List.of(share(text, 1, 2, 3)), findings)
        .notScanned(text)
        .tier(new TierShare(Optional.of(TierState.closed(text)), Optional.of(totals), GB, 60))
        .rooms(
            List.of(
                new SsdRoom(
                    Optional.of(new SsdSpace(GB, 1, 1, 1, nodes)),
                    NOW,
                    text,
                    GB,
                    settings().watermarks())))
        .demotions(demotions)
        .notes(notes);
  }

  private static void tiered(TierTotals to, Component component, long onSsd, long ageMillis) {
    byte hot = StoragePolicy.HOT.id();
    to.add(
        new FileContext(component, hot, hot, false),
        new FileBlocks(
            new Path("/f"),
            onSsd,
            1,
            StoragePolicy.ALL_SSD.id(),
            false,
            List.of(new FileBlocks.Block(onSsd, StorageType.SSD)),
            NOW - ageMillis));
  }

  private static HybridSettings settings() {
    return HybridSettings.read(new Configuration(false));
  }

  private static ComponentShare share(String inForce, long ssd, long disk, long archive) {
    return share(Component.USER, StoragePolicy.HOT, inForce, ssd, disk, archive, StoragePolicy.HOT);
  }

  private static ComponentShare share(
      Component component,
      StoragePolicy declared,
      String inForce,
      long ssd,
      long disk,
      long archive,
      StoragePolicy wanted) {
    ByteTotals closed = new ByteTotals();
    add(closed, ssd, wanted, StorageType.SSD);
    add(closed, disk, wanted, StorageType.DISK);
    add(closed, archive, wanted, StorageType.ARCHIVE);
    return new ComponentShare(component, declared, Set.of(inForce), closed, new ByteTotals());
  }

  private static void add(ByteTotals to, long bytes, StoragePolicy wanted, StorageType type) {
    if (bytes > 0) {
      FileBlocks.Block block = new FileBlocks.Block(bytes / 3, type, type, type);
      to.add(
          new FileBlocks(
              new Path("/f"), bytes / 3, 3, StoragePolicy.HOT.id(), false, List.of(block)),
          wanted);
    }
  }

  /** All is well. */
  static Picture healthy() {
    TierTotals totals = new TierTotals(3_600_000, 900_000, NOW);
    tiered(totals, Component.ARCHIVE, 16 * GB, 100_000);
    tiered(totals, Component.USER, 21 * GB, 30_000);
    tiered(totals, Component.USER, 64 * GB, 200_000);
    tiered(totals, Component.USER, 120 * GB, 700_000);
    tiered(totals, Component.USER, 160 * GB, 2_000_000);
    return new Picture(
            "hdfs://nn.example.org:8020/hbase", "active master m1.example.org,16000", NOW)
        .scanned(
            new ScanTimes(NOW - 900_000, 41_300, 184_211, 20_877, true), shares(false), List.of())
        .tier(
            new TierShare(
                Optional.of(TierState.open(40 * GB, 40 * GB, NOW, "m1.example.org,16000")),
                Optional.of(totals),
                480 * GB,
                3_600))
        .rooms(
            List.of(
                new SsdRoom(
                    Optional.of(new SsdSpace(2_400 * GB, 700 * GB, 1_690 * GB, 6, nodes(140))),
                    NOW - 10_000,
                    "",
                    4 * GB,
                    settings().watermarks())));
  }

  /** SSD runs out, a directory has a hostile name, and not all is where it should be. */
  static Picture trouble() {
    String hostile = "/hbase/data/default/<script>alert('x')</script>/\u202egpj.exe\u0007";
    List<Finding> findings =
        List.of(
            Finding.of(
                FindingId.MISPLACED_WAL,
                "wal",
                "31 closed files",
                "3.9 GiB",
                "ALL_SSD",
                "the first: /hbase/WALs/rs4.example.org,16020,1699990000000/"
                    + "rs4.example.org%2C16020%2C1699990000000.1699999000000, ..."),
            Finding.of(FindingId.DEMOTED, "/hbase/data/hbase", "ALL_SSD", "meta", "HOT"),
            Finding.of(
                FindingId.POLICY_CONFLICT,
                "/hbase/MasterData",
                "ALL_SSD",
                "master",
                "ONE_SSD",
                "hbase.hybrid.master.policy",
                "/hbase/MasterData"),
            Finding.of(FindingId.OWN_POLICY, hostile, 1, hostile));
    TierTotals totals = new TierTotals(3_600_000, 900_000, NOW);
    tiered(totals, Component.ARCHIVE, 45 * GB, 5_000_000);
    tiered(totals, Component.USER, 80 * GB, 700_000);
    tiered(totals, Component.USER, 310 * GB, 9_000_000);
    return new Picture(
            "hdfs://nn.example.org:8020/hbase", "active master m1.example.org,16000", NOW)
        .scanned(
            new ScanTimes(NOW - 900_000, 41_300, 184_211, 20_877, true), shares(true), findings)
        .tier(
            new TierShare(
                Optional.of(
                    TierState.closed(
                        "the space monitor keeps SSD free for the system's own parts")),
                Optional.of(totals),
                480 * GB,
                3_600))
        .rooms(
            List.of(
                new SsdRoom(
                    Optional.of(new SsdSpace(2_400 * GB, 2_200 * GB, 150 * GB, 6, nodes(3))),
                    NOW - 10_000,
                    "",
                    4 * GB,
                    settings().watermarks())))
        .demotions(
            List.of(
                new Demotion(
                    "tier",
                    OptionalLong.of(NOW - 700_000),
                    "SSD 150 GiB of 2.3 TiB free on 6 DataNodes, headroom for a DataNode 4 GiB"),
                new Demotion("meta", OptionalLong.empty(), "Another master demoted it.")))
        .notes(List.of("May not look at /hbase/staging: Permission denied"));
  }

  /** Servers that all fell back to DISK, and tables of which each has a finding. */
  static Picture large(int servers, int tables) {
    List<SsdSpace.Node> nodes = new ArrayList<>();
    List<Demotion> demotions = new ArrayList<>();
    for (int i = 0; i < servers; i++) {
      String name = String.format("rs%03d.example.org", i);
      nodes.add(new SsdSpace.Node(name + ":9866", 400 * GB, 2 * i * GB, i * GB));
      demotions.add(Demotion.ofServer("/hbase/WALs/" + name + ",16020,1"));
    }
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < tables; i++) {
      findings.add(
          Finding.of(
              FindingId.OWN_POLICY,
              "/hbase/data/default/table" + i,
              1,
              "/hbase/data/default/table" + i));
    }
    return new Picture("hdfs://nn:8020/hbase", "active master m1,16000,1", NOW)
        .scanned(new ScanTimes(NOW, 1, 1, 1, true), shares(true), findings)
        .rooms(
            List.of(
                new SsdRoom(
                    Optional.of(
                        new SsdSpace(servers * 400 * GB, 0, servers * 100 * GB, servers, nodes)),
                    NOW,
                    "",
                    4 * GB,
                    settings().watermarks())))
        .demotions(demotions);
  }

  private static List<ComponentShare> shares(boolean trouble) {
    StoragePolicy ssd = StoragePolicy.ALL_SSD;
    StoragePolicy hot = StoragePolicy.HOT;
    return List.of(
        trouble
            ? share(Component.WAL, ssd, "ALL_SSD", 9 * GB, 4 * GB, 0, ssd)
            : share(Component.WAL, ssd, "ALL_SSD", 13 * GB, 0, 0, ssd),
        trouble
            ? share(Component.MASTER, ssd, "ONE_SSD", GB / 9, GB / 5, 0, ssd)
            : share(Component.MASTER, ssd, "ALL_SSD", GB / 3, 0, 0, ssd),
        trouble
            ? share(Component.META, ssd, "HOT", GB / 4, GB / 2, 0, hot)
            : share(Component.META, ssd, "ALL_SSD", GB, 0, 0, ssd),
        share(Component.TIER, ssd, "-", 0, 0, 0, hot),
        share(Component.ARCHIVE, hot, "HOT", 0, 812 * GB, 0, hot),
        share(
            Component.USER,
            hot,
            "HOT",
            trouble ? 390 * GB : 365 * GB,
            9_400 * GB,
            0,
            trouble ? hot : StoragePolicy.NONE));
  }

  private static List<SsdSpace.Node> nodes(long least) {
    List<SsdSpace.Node> nodes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      nodes.add(
          new SsdSpace.Node(
              "dn" + i + ".example.org:9866",
              400 * GB,
              2 * (least + i * 11L) * GB,
              (least + i * 11L) * GB));
    }
    return nodes;
  }
}
