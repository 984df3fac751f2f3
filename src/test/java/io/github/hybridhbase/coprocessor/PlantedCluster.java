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

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.page.PageRenderer;
import io.github.hybridhbase.page.PlacementFindings;
import io.github.hybridhbase.page.PlacementSnapshot;
import io.github.hybridhbase.placement.ClusterLook;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.placement.SpaceLook;
import io.github.hybridhbase.placement.TierController;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.placement.WalServers;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.Report;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.TestClock;
import io.github.hybridhbase.scan.BlockScanner;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.scan.ScanChore;
import io.github.hybridhbase.scan.ScanChore.ScanTurn;
import io.github.hybridhbase.scan.ScanPace;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.TierFiles;
import io.github.hybridhbase.scan.TierTotals;
import io.github.hybridhbase.tool.doctor.DoctorView;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** One state of a cluster, seen by check and the master's page. */
@InterfaceAudience.Private
final class PlantedCluster {
  /** Puts a fault into a healthy cluster. */
  @InterfaceAudience.Private
  interface Plant {
    void into(PlantedCluster cluster) throws IOException;
  }

  private static final long GIB = 1L << 30;
  private static final URI HDFS = URI.create("hdfs://nn:8020");
  private static final Path ROOT = new Path("/hbase");
  private static final Pattern VERDICT = Pattern.compile("class=\"verdict ([a-z]+)\"");
  private static final Pattern FINDING =
      Pattern.compile(
          "<article class=\"finding [a-z]+\">.*?<span>([a-z-]+)</span>", Pattern.DOTALL);

  final FakeNamespace hdfs = new FakeNamespace();
  final DoctorView doctor = new DoctorView();
  boolean stopped;
  boolean scanFails;
  int scans = 1;

  private final Layout layout = new Layout(ROOT, ROOT);
  private final Namespaces namespaces = path -> Optional.of(hdfs);
  private Set<String> asked = Set.of("rs1,16020,1");
  private Optional<SsdSpace> space =
      Optional.of(new SsdSpace(300 * GIB, GIB, 299 * GIB, 3, List.of()));
  private Optional<TierState> tier = Optional.empty();
  private long later;
  private String lastPage = "";
  private ClusterLook looked = ClusterLook.NONE;
  private HybridSettings settings;
  private Configuration conf;

  private PlantedCluster() {
    hdfs.with("/hbase", StoragePolicy.UNSPECIFIED)
        .with("/hbase/oldWALs", StoragePolicy.UNSPECIFIED)
        .with("/hbase/data", StoragePolicy.UNSPECIFIED)
        .with("/hbase/WALs/rs1,16020,1", StoragePolicy.UNSPECIFIED)
        .file(
            "/hbase/data/default/t/r/f/file",
            10,
            StorageType.DISK,
            StorageType.DISK,
            StorageType.DISK);
    for (String directory : List.of("/hbase/WALs", "/hbase/MasterData", "/hbase/data/hbase")) {
      hdfs.with(directory, StoragePolicy.UNSPECIFIED);
    }
  }

  static PlantedCluster of(Plant plant) throws IOException {
    PlantedCluster cluster = new PlantedCluster();
    plant.into(cluster);
    cluster.settle();
    return cluster;
  }

  PlantedCluster ssd(long capacity, long free, int nodes) {
    space =
        Optional.of(
            new SsdSpace(capacity * GIB, (capacity - free) * GIB, free * GIB, nodes, List.of()));
    return this;
  }

  PlantedCluster inMaintenance(int dataNodes) {
    space = space.map(was -> with(was, was.without, dataNodes));
    return this;
  }

  void spaceIsUnreadable() {
    space = Optional.empty();
  }

  PlantedCluster openWal(StorageType... replicas) {
    hdfs.file(
        "/hbase/WALs/rs1,16020,1/log",
        StoragePolicy.UNSPECIFIED,
        true,
        new FileBlocks.Block(10, replicas));
    return this;
  }

  /** A closed file of ten bytes. */
  void file(String path, StorageType... replicas) {
    hdfs.file(path, 10, replicas);
  }

  /** An admin's, on a directory in which the plugin creates files. */
  void foreignPolicy(String directory) {
    hdfs.with(directory, StoragePolicy.ONE_SSD.id());
  }

  void stalls(String... hosts) {
    Map<String, String> since = new TreeMap<>();
    for (String host : hosts) {
      since.put(host + ":9866", "2026-01-01T00:00:00Z");
    }
    doctor.excludes(since);
  }

  /** Names of DataNodes without SSD, beside those that have it. */
  void withoutSsd(String... names) {
    space = space.map(was -> with(was, List.of(names), was.inMaintenance));
  }

  private static SsdSpace with(SsdSpace was, List<String> without, int inMaintenance) {
    return new SsdSpace(
        was.capacity, was.used, was.remaining, was.nodes, was.perNode, without, inMaintenance);
  }

  PlantedCluster filledByOthers(long capacity, long used) {
    space = Optional.of(new SsdSpace(capacity * GIB, used, 0, 3, List.of()));
    return this;
  }

  void tier() {
    tier = Optional.of(TierState.closed("SSD is short"));
  }

  /** The servers that the master has asked what they run. */
  void asked(String... servers) {
    asked = Set.of(servers);
  }

  void hdfsIsDown() {
    later = 600_000;
  }

  /** Looks at the space as an active master does. */
  private void settle() throws IOException {
    conf = doctor.conf();
    settings = HybridSettings.read(conf);
    String why = space.isPresent() ? "" : "the web server is off";
    WalServers servers = WalServers.of(hdfs, layout.wals());
    SpaceLook look = new SpaceLook(System.currentTimeMillis(), space, why, servers, 3, 256L << 20);
    looked = looked.with(Map.of(HDFS, look));
  }

  /** The verdict's level, and the first finding if there is one. */
  String check() throws IOException {
    Report report = checked();
    return verdict(report.verdict().level(), ids(report.findings));
  }

  private Report checked() throws IOException {
    space.ifPresent(seen -> doctor.hdfs(seen, policies()));
    Diagnosis diagnosis = doctor.diagnosis();
    diagnosis.addAll(PlacementFindings.ofScan(snapshot(), space));
    return diagnosis.report("");
  }

  private Map<String, PolicyStatus> policies() {
    Map<String, PolicyStatus> policies = new TreeMap<>();
    for (Path path : List.of(layout.root(), layout.wals(), layout.masterData(), layout.meta())) {
      hdfs.policy(path).ifPresent(status -> policies.put(path.toString(), status));
    }
    return policies;
  }

  private PlacementSnapshot snapshot() throws IOException {
    TierFiles files = TierFiles.now(namespaces, layout, settings, conf);
    ScanReport scan = new ScanReport(new Expectation(layout, settings, files), 0);
    new BlockScanner(layout, namespaces).walk(scan);
    long now = System.currentTimeMillis();
    Diagnosis others = new Diagnosis();
    if (stopped) {
      others.missing("the rest of the files");
    }
    return new PlacementSnapshot(
        "check",
        now,
        layout,
        settings,
        ClusterLook.NONE.with(tier),
        Optional.of(new ScanTurn(now, now, scan, TierTotals.now(settings, conf), !stopped)),
        "",
        others);
  }

  String page() throws Exception {
    MasterPicture picture = new MasterPicture(settings, layout, "m1,16000,1", () -> looked);
    if (!asked.isEmpty()) {
      List<ServerPlugin> plugins = new ArrayList<>();
      for (String one : asked) {
        plugins.add(
            new ServerPlugin(one, Observed.unknown("planted"), Observed.unknown("planted")));
      }
      picture.servers(doctor.servers(), plugins, System.currentTimeMillis());
    }
    ScanChore scan =
        ScanChore.of(
            conf,
            layout,
            settings,
            namespaces,
            () -> stopped,
            // A scan that fails is tried again for a minute; not by the clock.
            new ScanPace(0, new TestClock(System::nanoTime, pause -> {})));
    picture.scan(scan);
    for (int turn = 0; turn < scans; turn++) {
      scan.doWork();
    }
    long[] early = {TimeUnit.MINUTES.toMillis(2)};
    TierController controller =
        new TierController(
            settings,
            hdfs,
            ROOT,
            () -> looked.space(HDFS).flatMap(SpaceLook::read),
            () -> 1,
            () -> System.currentTimeMillis() - early[0]);
    controller.doWork();
    early[0] = 0;
    controller.doWork(); // a capacity is believed after a minute
    picture.tier(controller);
    if (scanFails) {
      hdfs.failsToList("/hbase/WALs", 1_000);
      scan.turn();
    }
    lastPage = PageRenderer.render(picture.report(System.currentTimeMillis() + later));
    scan.close();
    Matcher verdict = VERDICT.matcher(lastPage);
    String kind = verdict.find() ? verdict.group(1) : "none";
    List<String> found = idsOfPage();
    return verdict(kind.equals("unknown") ? kind : found.isEmpty() ? "fine" : kind + "s", found);
  }

  private static String verdict(String level, List<String> ids) {
    return ids.isEmpty() || level.equals("unknown") ? level : level + " " + ids.get(0);
  }

  String lastPage() {
    return lastPage;
  }

  /** The findings of page or check in their order. */
  List<String> ids(boolean onPage) throws Exception {
    if (onPage) {
      page();
      return idsOfPage();
    }
    return ids(findings());
  }

  private static List<String> ids(List<Finding> findings) {
    return findings.stream().map(one -> one.id().id()).collect(Collectors.toList());
  }

  private List<String> idsOfPage() {
    return FINDING
        .matcher(lastPage)
        .results()
        .map(one -> one.group(1))
        .collect(Collectors.toList());
  }

  /** Those of check. */
  List<Finding> findings() throws IOException {
    return checked().findings;
  }
}
