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
package io.github.hybridhbase.coprocessor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.page.PageRenderer;
import io.github.hybridhbase.page.PlacementFindings;
import io.github.hybridhbase.placement.ClusterLook;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.placement.PluginChecks;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.placement.SpaceLook;
import io.github.hybridhbase.placement.TierController;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.placement.WalServers;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.ScanChore;
import io.github.hybridhbase.scan.ScanPace;
import io.github.hybridhbase.scan.TierFiles;
import io.github.hybridhbase.testing.Ssds;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** 300 servers in trouble and 300 tables: the page asks HDFS for nothing, and has a bound. */
@InterfaceAudience.Private
class MasterPictureTest {
  private static final int SERVERS = 20;
  private static final long GIB = 1L << 30;
  private static final Path ROOT = new Path("/hbase");
  private static final StorageType SSD = StorageType.SSD;

  private static final URI HDFS = URI.create("hdfs://nn");

  private ClusterLook looked = ClusterLook.NONE;
  private final Configuration conf = new Configuration(false);
  private final HybridSettings settings = HybridSettings.read(conf);
  private final Layout layout = new Layout(ROOT, ROOT);
  private final FakeNamespace hdfs = hdfs();
  private final List<String> asked = new ArrayList<>();
  private final StorageNamespace counting = FakeNamespace.heard(() -> hdfs, asked::add);
  private final Namespaces namespaces = path -> Optional.of(counting);

  private final MasterPicture picture =
      new MasterPicture(settings, layout, "m1,16000,1", () -> looked);
  private final ScanChore scan =
      ScanChore.of(conf, layout, settings, namespaces, () -> false, ScanPace.of(0));

  @AfterEach
  void close() {
    scan.close();
  }

  private static FakeNamespace hdfs() {
    FakeNamespace hdfs = new FakeNamespace();
    for (String path : List.of("", "/WALs", "/MasterData", "/data/hbase")) {
      hdfs.with("/hbase" + path, StoragePolicy.UNSPECIFIED);
    }
    hdfs.with("/hbase/oldWALs", StoragePolicy.HOT.id()).with("/hbase/data", StoragePolicy.HOT.id());
    for (int i = 0; i < SERVERS; i++) {
      hdfs.with("/hbase/WALs/" + server(i), StoragePolicy.HOT.id());
      String family = "/hbase/data/default/table" + i + "/r/cf";
      hdfs.with(family, StoragePolicy.ALL_SSD.id()).file(family + "/file", 10, SSD, SSD, SSD);
    }
    return hdfs;
  }

  private static String server(int i) {
    return String.format("rs%03d.example.org,16020,1", i);
  }

  private void look() throws IOException {
    List<DataNodeState> nodes = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      nodes.add(Ssds.dataNode("dn" + i + ".example.org:9866", 400 * GIB, i * GIB, i * GIB, 0));
    }
    SsdSpace space = new SsdSpace(SERVERS * 400 * GIB, GIB, SERVERS * 10 * GIB, SERVERS, nodes);
    WalServers servers = WalServers.of(counting, layout.wals());
    long now = System.currentTimeMillis();
    looked = looked.with(Map.of(HDFS, new SpaceLook(now, Optional.of(space), "", servers, 1, GIB)));
  }

  private void says(String... parts) {
    String page = PageRenderer.render(picture.report());
    for (String part : parts) {
      assertTrue(page.contains(part), () -> part + " is not in " + page);
    }
  }

  @Test
  void excludedDataNode_isNamedUntilRestored_andServersAreAskedAgainSoon() throws Exception {
    look();
    List<ServerPlugin> plugins = new ArrayList<>();
    for (String server : WalServers.live(hdfs.children(layout.wals()))) {
      plugins.add(new ServerPlugin(server, Observed.at(Optional.of("1")), Observed.at(true)));
    }
    String since = "2026-11-29T09:00:00Z";
    plugins.get(7).excluded = Map.of("dn7.example.org:9866", since);
    long now = System.currentTimeMillis();
    picture.servers(PluginChecks.examine(conf, true, plugins), plugins, now);
    says("stalled-datanode", "dn7.example.org:9866", "smartctl", "WARNING");
    says(plugins.get(7).server + " since " + since);
    assertTrue(picture.mustAskServers(now + 1));
    plugins.forEach(plugin -> plugin.excluded = Map.of());
    picture.servers(PluginChecks.examine(conf, true, plugins), plugins, now);
    String page = PageRenderer.render(picture.report());
    assertFalse(page.contains("stalled-datanode"), "no scan is waited for");
    assertFalse(picture.mustAskServers(now + 1));
  }

  @Test
  void serversThatDeclareOtherwiseAreNamedWithAScanAndWithout() throws Exception {
    Diagnosis said = new Diagnosis();
    said.add(Finding.of(FindingId.DECLARATIONS_DIFFER, "hbase.hybrid.wal.policy", "HOT on rs7"));
    picture.servers(said, List.of(), 1);
    says("declarations-differ", "HOT on rs7.");
    picture.scan(scan);
    scan.doWork();
    says("declarations-differ", "HOT on rs7.");
  }

  /** A controller that hangs: each server has closed the tier, and the page shows the same. */
  @Test
  void aGrantOfAnHourAgoIsClosedOnThePageForTheScanAndForAudit() throws Exception {
    long hourAgo = System.currentTimeMillis() - TimeUnit.HOURS.toMillis(1);
    long[] clock = {hourAgo - TimeUnit.MINUTES.toMillis(2)};
    SsdSpace space = new SsdSpace(1_000 * GIB, 0, 1_000 * GIB, 4, List.of());
    TierController controller =
        new TierController(settings, hdfs, ROOT, () -> Optional.of(space), () -> 1, () -> clock[0]);
    controller.doWork();
    clock[0] = hourAgo;
    controller.doWork();
    assertTrue(controller.last().orElseThrow().open(), controller.last()::toString);
    picture.tier(controller);
    says("has not renewed the grant since");
    picture.scan(scan);
    scan.doWork();
    says("has not renewed the grant since", "tier-closed");
    TierState audited = TierFiles.tierState(namespaces, ROOT).orElseThrow();
    assertFalse(audited.open());
    assertTrue(audited.why().contains("has not renewed the grant since"), audited::why);
  }

  /** The servers cannot be asked for hours: what they reported before is no green any more. */
  @Test
  void whatServersReportedHalfAnHourAgoIsNotKnownNow() throws Exception {
    picture.scan(scan);
    scan.doWork();
    long now = System.currentTimeMillis();
    picture.servers(new Diagnosis(), List.of(), now);
    long later = now + TimeUnit.MINUTES.toMillis(30);
    assertEquals(List.of(), PlacementFindings.of(picture.at(later - 1)).missing());
    assertTrue(
        PageRenderer.render(picture.report(later))
            .contains("; not seen: what the servers run now." + " They last answered 30 min ago"));
  }

  @Test
  void thePageAsksNobody() throws Exception {
    picture.scan(scan);
    look();
    scan.doWork();
    assertTrue(asked.size() > SERVERS, asked.size() + " calls of the look and the scan");
    assertFalse(
        asked.stream().anyMatch(one -> one.startsWith("ssdQuota")), "it costs a walk of the tree");
    asked.clear();
    says("free on " + SERVERS + " DataNodes");
    assertEquals(List.of(), asked);
  }
}
