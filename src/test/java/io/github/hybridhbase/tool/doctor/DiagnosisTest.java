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
package io.github.hybridhbase.tool.doctor;

import static io.github.hybridhbase.tool.doctor.DoctorView.GIB;
import static io.github.hybridhbase.tool.doctor.DoctorView.node;
import static io.github.hybridhbase.tool.doctor.DoctorView.plugin;
import static io.github.hybridhbase.tool.doctor.DoctorView.ssdNode;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId.Severity;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.WriterShortfall;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.tool.doctor.CapabilityProbe.Step;
import io.github.hybridhbase.tool.doctor.ClusterFacts.Family;
import io.github.hybridhbase.tool.doctor.ClusterFacts.OldWals;
import io.github.hybridhbase.tool.doctor.ClusterFacts.Server;
import io.github.hybridhbase.tool.doctor.TierChecks.HotChecks;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The findings of doctor: each state of a cluster has those that are listed and no other. */
@InterfaceAudience.Private
public class DiagnosisTest {
  private static final StorageType[] MIXED = {SSD, DISK, DISK};
  private static final String PROVIDER = "hbase.wal.provider";
  private static final String META = "hbase.hybrid.meta.policy";
  private static final String ENGINE = "hbase.hstore.engine.class";
  private static final String TOPOLOGY = HdfsChecks.TOPOLOGY;
  private static final long DAY = 86_400_000;

  private static DoctorView healthy() {
    return new DoctorView();
  }

  /**
   * Checks all findings.
   *
   * @param ids of the findings in their order, and {@code ?} for each text of what was not checked
   * @param texts that are in subjects, findings, remedies or what was not checked
   */
  private static void finds(DoctorView cluster, String ids, String... texts) {
    Diagnosis diagnosis = cluster.diagnosis();
    List<String> found = new ArrayList<>();
    StringBuilder all = new StringBuilder();
    for (Finding one : diagnosis.findings()) {
      found.add(one.id().id());
      all.append(one.subject).append(": ").append(one.seen()).append(' ').append(one.remedy());
      assertTrue(!one.remedy().isEmpty() || one.id().severity == Severity.NOTE, one::toString);
    }
    for (String text : diagnosis.notChecked()) {
      found.add("?");
      all.append("\n? ").append(text);
    }
    assertEquals(ids, String.join(" ", found), all::toString);
    for (String text : texts) {
      assertTrue(all.indexOf(text) >= 0, () -> "'" + text + "' in " + all);
    }
  }

  @Test
  void aHealthyClusterHasNoneAndEverythingWasChecked() {
    finds(healthy(), "");
  }

  @Test
  void keysOfTheSiteFile() {
    String hstore = "hbase.hstore.block.storage.policy";
    String hregion = "hbase.hregion.block.storage.policy";
    String wals = "hbase.wal.storage.policy";
    finds(healthy().set(hstore, "HOT").set(hregion, "HOT").set(wals, "ALL_SSD"), "policy-above");
    finds(healthy().set(hstore, "NONE").set(hregion, "").set(wals, "NONE"), "");
    finds(
        healthy().set("hbase.hybrid.wal.polcy", "HOT").set("hbase.hybrid.mode", "maybe"),
        "setting-wrong setting-wrong",
        "hbase.hybrid.mode: ",
        "hbase.hybrid.wal.polcy: ");
    finds(healthy().set(ENGINE, "x.Engine"), "tier-not-in-force");
    finds(
        healthy().with(facts -> facts.otherRoots = List.of(new Path("s3a://bucket/hbase"))),
        "root-not-on-hdfs");
    finds(
        healthy().with(facts -> facts.zooKeeperDisks = Set.of("zk:/hdd/zk")), "zookeeper-on-disk");
  }

  @Test
  void aSiteFileThatDoesNotEnableIt() {
    finds(healthy().unset(PROVIDER), "not-installed");
    finds(healthy().set("hbase.hybrid.mode", "off"), "not-installed");
    finds(healthy().set(PROVIDER, "multiwal"), "not-installed");
    String ours = healthy().conf.get(PROVIDER);
    DoctorView groups =
        healthy().set(PROVIDER, "multiwal").set("hbase.wal.regiongrouping.delegate.provider", ours);
    finds(groups, "");
    finds(groups.plugins(plugin("a", null)), "?", "it starts with a server's first region");
  }

  private static PolicyStatus status(StoragePolicy policy) {
    return new PolicyStatus(policy.id(), false);
  }

  private static DoctorView policies(Map<String, PolicyStatus> policies) {
    return healthy().with(facts -> facts.policies = Observed.at(new TreeMap<>(policies)));
  }

  @Test
  void policiesOfAnAdminAreReportedWhereTheyBegin() {
    PolicyStatus coded = new PolicyStatus(StoragePolicy.UNSPECIFIED, true);
    finds(
        policies(
            Map.of(
                "/hbase", status(StoragePolicy.COLD),
                "/hbase/WALs", status(StoragePolicy.COLD),
                "/hbase/data/hbase", status(StoragePolicy.ONE_SSD))),
        "policy-above",
        "the declared one: 2 (/hbase (COLD), /hbase/data/hbase (ONE_SSD)).");
    finds(
        policies(Map.of("/hbase/WALs", coded, "/hbase/WALs/x", coded)),
        "policy-above",
        "the declared one: 1 (/hbase/WALs (erasure-coded)).");
    finds(
        policies(
            Map.of(
                "/hbase", new PolicyStatus(StoragePolicy.UNSPECIFIED, false),
                "/hbase/WALs", status(StoragePolicy.HOT),
                "/hbase/MasterData", status(StoragePolicy.ALL_SSD))),
        "");
  }

  private static DoctorView refusing(Step step, IOException why) {
    return healthy().refuses(step, why);
  }

  @Test
  void whatHdfsRefuses() {
    finds(refusing(Step.POLICY, new IOException("it is set to false.")), "policies-disabled");
    finds(refusing(Step.XATTR, new IOException("dfs.namenode.xattrs")), "xattrs-disabled");
    finds(refusing(Step.WRITE, new IOException("0 of 3")), "ssd-refuses", "none (0 of 3)");
    QuotaByStorageTypeExceededException quota = new QuotaByStorageTypeExceededException(1, 2, SSD);
    finds(refusing(Step.WRITE, quota), "ssd-refuses");
    quota.setPathName("/hbase");
    finds(refusing(Step.WRITE, quota), "ssd-quota");
    finds(
        healthy().probeGoesTo(SSD, DISK, SSD),
        "ssd-refuses",
        "Replicas of a probe block under ALL_SSD: [SSD, DISK, SSD]; SSD DataNodes with space for a"
            + " WAL block: 3.");
  }

  @Test
  void aRefusedFileIsUnknownAndIsBlamedOnTheUserOnlyIfHdfsDoes() {
    finds(refusing(Step.CREATE, new AccessControlException("no")), "?", "as HBase's own user (no");
    String safeMode = "org.apache.hadoop.hdfs.server.namenode.SafeModeException";
    finds(
        refusing(Step.CREATE, new RemoteException(safeMode, "Name node is in safe mode.")),
        "?",
        "run this again once HDFS takes writes (Name node is in safe mode");
    finds(
        refusing(Step.CREATE, new NSQuotaExceededException("The NameSpace quota is exceeded")),
        "?",
        "run this again once HDFS takes writes (The NameSpace quota is exceeded");
  }

  private static DoctorView volumes(String directories, String... tolerated) {
    Map<String, String> settings = new HashMap<>();
    settings.put(HdfsChecks.SYNC_ON_CLOSE, "true");
    settings.put("dfs.datanode.data.dir", directories);
    List.of(tolerated).forEach(volumes -> settings.put(HdfsChecks.FAILED_VOLUMES, volumes));
    return healthy().dataNode(settings);
  }

  @Test
  void aDataNodeThatEndsWithItsFirstDeadVolume() {
    finds(volumes("[SSD]file:///ssd,[DISK]file:///hdd"), "failed-volumes");
    finds(volumes("[disk]/hdd, [ssd]/ssd", "0"), "failed-volumes"); // HDFS accepts any case
    finds(volumes("[SSD]/ssd,[DISK]/hdd", "1"), "");
    finds(volumes("[SSD]/ssd,[DISK]/hdd", "-1"), ""); // as long as one volume is left
    finds(volumes("[SSD]/ssd", "0"), "");
    finds(volumes("[DISK]/a,[DISK]/b", "0"), "");
  }

  @Test
  void noSyncOnClose() {
    finds(healthy().dataNode(Map.of()), "sync-on-close");
    // Its fsync is not of the directories that a replica is renamed between.
    finds(healthy().set("hbase.hfile.hsync", "true").dataNode(Map.of()), "sync-on-close");
    // A whole WAL of edits that were called durable may be lost.
    finds(autoWithoutSync("asyncfs"), "auto-without-sync-on-close");
    finds(autoWithoutSync("multiwal"), "auto-without-sync-on-close");
    finds(autoWithoutSync("filesystem"), "sync-on-close"); // SYNC_BLOCK
  }

  private static DoctorView autoWithoutSync(String delegate) {
    return healthy()
        .set("hbase.hybrid.wal.hsync", "auto")
        .set("hbase.hybrid.wal.delegate", delegate)
        .dataNode(Map.of());
  }

  @Test
  void oneSsdOnTheDefaultTopology() {
    finds(healthy().set(META, "ONE_SSD"), "one-ssd-topology");
    finds(
        healthy()
            .set(META, "ONE_SSD")
            .with(facts -> facts.nameNode = Observed.at(Map.of(TOPOLOGY, "false"))),
        "");
  }

  /** SSD nodes over racks in turn, then DISK nodes. */
  private static List<DataNodeState> nodes(int all, int ssd, int racks, int ssdRacks) {
    List<DataNodeState> nodes = new ArrayList<>();
    for (int i = 0; i < all; i++) {
      nodes.add(
          i < ssd
              ? ssdNode("ssd" + i, "/r" + i % ssdRacks)
              : node("disk" + i, "/r" + i % racks, "In Service", DISK));
    }
    return nodes;
  }

  private static DoctorView with(List<DataNodeState> nodes) {
    int ssd = (int) nodes.stream().filter(node -> node.hasSsd() && node.inService()).count();
    return space(ssd * GIB, ssd * 99 * GIB, ssd)
        .with(facts -> facts.dataNodes = Observed.at(nodes));
  }

  private static DoctorView space(long used, long free, int nodes, DataNodeState... perNode) {
    SsdSpace space = new SsdSpace(used + free, used, free, nodes, List.of(perNode));
    return healthy().with(facts -> facts.space = Observed.at(space));
  }

  @Test
  void spaceOnSsd() {
    finds(space(0, 0, 0).probeGoesTo(DISK, DISK, DISK), "no-ssd");
    finds(space(0, 200 * GIB, 2).probeGoesTo(SSD, SSD, DISK), "few-ssd-nodes");
    finds(
        with(nodes(3, 2, 1, 1)).probeGoesTo(SSD, SSD, DISK),
        "few-ssd-nodes",
        "2 of 3 DataNodes have SSD, but files have 3 replicas; without SSD: disk2.");
    finds(space(299 * GIB, 3 << 20, 3), "ssd-space"); // less than a WAL's block
    DataNodeState late = Ssds.dataNode("dn2:9866", 1L << 40, 1L << 40, 1L << 40, 31);
    finds(space(0, 3L << 40, 3, late, late, late), "datanode-silent", "dn2:9866 (31 s)");
    finds(
        healthy().with(facts -> facts.silent = Observed.at(List.of("dn1:9866 (dead)"))),
        "datanode-silent",
        "dn1:9866 (dead)");
  }

  @Test
  void racksWithSsd() {
    finds(
        with(nodes(12, 6, 4, 1)).probeGoesTo(MIXED),
        "ssd-racks",
        "{/r0=6}, of 4 racks",
        "at most 2 of 3 replicas");
    finds(with(nodes(12, 6, 4, 2)), "");
    finds(with(nodes(12, 6, 1, 1)), "");
    finds(with(nodes(12, 6, 4, 1)).with(facts -> facts.replication = 1), "");
    // One rack may not hold both.
    finds(with(nodes(12, 6, 4, 1)).with(facts -> facts.replication = 2), "ssd-racks");
  }

  @Test
  void dataNodesOutOfServiceDoNotCount() {
    List<DataNodeState> nodes = nodes(8, 4, 1, 1);
    nodes.set(0, node("gone", "/r0", "Decommissioned", MIXED));
    finds(with(nodes), "");
    nodes.set(1, node("care", "/r0", "In Maintenance", MIXED));
    finds(with(nodes).probeGoesTo(MIXED), "few-ssd-nodes");
  }

  @Test
  void whatIsUnknownIsNeverFine() {
    List<DataNodeState> nodes = nodes(6, 3, 1, 1);
    nodes.set(5, node("unread", "/r0", "In Service"));
    finds(with(nodes), "?", "media of 1 of 6 DataNodes");
    finds(
        healthy().with(facts -> facts.nameNode = Observed.unknown("no answer")),
        "?",
        "HDFS's placement policy: no answer");
    Map<String, String> other = Map.of("dfs.block.replicator.classname", "x.OtherPolicy");
    finds(
        healthy().with(facts -> facts.nameNode = Observed.at(other)),
        "?",
        "another placement policy");
    finds(
        healthy().hbaseIsDown(),
        "?",
        "RegionServers, the master's coprocessors, the plugin's version on each server: HBase does"
            + " not answer");
  }

  @Test
  void whatIsNeededForAVerdict() {
    Diagnosis unseen = Doctor.examine(new ClusterFacts(healthy().conf));
    assertEquals(List.of(), unseen.findings());
    String notChecked = unseen.notChecked().get(0);
    assertTrue(notChecked.endsWith("version on each server: it was not looked at"), notChecked);
    assertEquals(10, notChecked.split(", ", -1).length, notChecked);
    assertEquals(3, unseen.missing().size());
    assertEquals(List.of(), healthy().diagnosis().missing());
    Diagnosis refused = refusing(Step.CREATE, new AccessControlException("no")).diagnosis();
    String line = refused.report("").verdict().line();
    assertTrue(line.matches("NOT KNOWN: .*whether HDFS accepts blocks.*"), line);
  }

  private static Server server(String name, String version, String... coprocessors) {
    return new Server(name, version, coprocessors.length > 0, List.of(coprocessors));
  }

  private static ServerPlugin unconfigured(Observed<Optional<String>> version) {
    return new ServerPlugin("backup master c", version, Observed.at(false));
  }

  private static DoctorView stockServers(DoctorView cluster) {
    cluster.facts.masterCoprocessors = Observed.at(List.of());
    return cluster.regionServers(server("a", "2.6.4", "X"));
  }

  @Test
  void serversThatRunWithoutIt() {
    finds(stockServers(healthy()), "not-loaded not-loaded");
    finds(healthy().plugins(plugin("a", "1.0"), plugin("b", null)), "not-loaded");
    finds(
        healthy().regionServers(server("a", "2.6.4", "X")).plugins(plugin("a", null)),
        "not-loaded");
    finds(healthy().plugins(unconfigured(Observed.unknown("x"))), "not-loaded");
  }

  /** The remedy of not-loaded would be that of not-installed. */
  @Test
  void aClusterWithoutThePluginIsOnlyNotEnabled() {
    DoctorView stock =
        healthy()
            .unset(
                PROVIDER, "hbase.coprocessor.master.classes", "hbase.coprocessor.region.classes");
    stockServers(stock)
        .plugins(
            plugin("active master m", null),
            plugin("a", null),
            unconfigured(Observed.at(Optional.of("1.0"))));
    finds(stock, "not-installed");
    // Then this host's site file is behind.
    finds(
        stock.plugins(plugin("active master m", "1.0"), plugin("b", null)),
        "not-loaded not-loaded not-loaded not-installed");
  }

  @Test
  void serversOfTwoVersions() {
    finds(
        healthy().regionServers(server("a", "2.6.4"), server("b", "2.5.13")),
        "declarations-differ",
        "2.5.13, 2.6.4");
    finds(
        healthy().plugins(plugin("a", "1.0"), plugin("b", "1.1"), plugin("backup master c", "1.1")),
        "declarations-differ",
        "Its value is 1.0 on a; 1.1 on b, backup master c.");
  }

  @Test
  void serversOfUnknownVersionAreNamedOnceForEachReason() {
    ServerPlugin[] silent =
        IntStream.range(0, 500)
            .mapToObj(i -> new ServerPlugin("s" + i, Observed.unknown("off"), Observed.at(true)))
            .toArray(ServerPlugin[]::new);
    finds(healthy().plugins(silent), "?", "s9 and 490 more: off");
  }

  private static DoctorView oldWals(DoctorView cluster, long millis, String... peers) {
    cluster.facts.oldWals = Observed.at(new OldWals(9_000, GIB, millis));
    cluster.facts.peers = Observed.at(List.of(peers));
    return cluster;
  }

  @Test
  void oldWalsThatAreHeld() {
    finds(oldWals(healthy(), DAY, "peer"), "old-wals-held");
    // By a cleaner that is switched off, or that fails (HBASE-28680).
    finds(
        oldWals(healthy(), DAY),
        "old-wals-held",
        "replication peers: none.",
        "cleaner_chore_switch true");
    // HBase keeps them for a time by itself, and then until its cleaner has run.
    DoctorView aDay = healthy().set("hbase.master.logcleaner.ttl", "" + DAY);
    aDay.set("hbase.master.cleaner.interval", "600000");
    finds(oldWals(aDay, DAY + 1_200_000, "peer"), "");
    finds(oldWals(aDay, DAY + 1_200_001, "peer"), "old-wals-held");
  }

  /** HBASE-23285 */
  @Test
  void oldWalsInADirectoryOfTheirServer(@TempDir File directory) throws IOException {
    FileSystem local = FileSystem.getLocal(new Configuration(false)).getRaw();
    Path old = new Path(directory.toURI());
    for (String name : List.of("flat", "rs1,16020,1/nested")) {
      Path file = new Path(old, name);
      local.create(file).close();
      local.setTimes(file, name.equals("flat") ? 5_000 : 2_000, -1);
    }
    OldWals found = FactFinder.oldWals(local, old, 10_000);
    assertEquals(2, found.files);
    assertEquals(8_000, found.oldestMillis);
  }

  private static ServerPlugin lacking(String server) {
    ServerPlugin plugin = plugin(server, "1.0");
    plugin.notInForce =
        List.of(new WriterShortfall("hbase.hybrid.wal.hsync=auto", "It is ViewFS.", "Name HDFS."));
    return plugin;
  }

  @Test
  void writersOfServersThatCannotDoWhatIsAsked() {
    finds(
        healthy().plugins(plugin("master", "1.0"), lacking("a"), lacking("b")),
        "writer-not-in-force",
        "On a, b the WAL writers lack hbase.hybrid.wal.hsync=auto",
        "It is ViewFS. Name HDFS.");
  }

  private static DoctorView engines(DoctorView cluster, boolean ofA, boolean ofB) {
    List<ServerPlugin> plugins = cluster.facts.plugins.seen().orElseThrow();
    plugins.get(1).engine = Optional.of(ofA);
    plugins.get(2).engine = Optional.of(ofB);
    return cluster;
  }

  private static void noTier(ClusterFacts facts) {
    facts.tierDeclared = false;
  }

  @Test
  void aTierWithoutItsEngineOrWithoutNoticeOfCommits() {
    DoctorView silent = healthy().with(facts -> facts.commitsAreNotified = false);
    finds(silent, "tier-not-in-force");
    finds(silent.with(DiagnosisTest::noTier), "");
    // What servers report counts, however they got it.
    finds(engines(healthy().set(ENGINE, "x.Engine"), true, true), "");
    DoctorView other = engines(healthy(), true, false);
    finds(
        other,
        "tier-not-in-force",
        "The SSD tier is not in force on b: stores of user tables lack its engine.");
    finds(other.with(DiagnosisTest::noTier), "");
  }

  private static ServerPlugin declaring(String server, String wal) {
    ServerPlugin plugin = plugin(server, "1.0");
    Configuration conf = new Configuration(false);
    conf.set("hbase.hybrid.wal.policy", wal);
    plugin.declared = new HashMap<>(HybridSettings.read(conf).declared());
    return plugin;
  }

  @Test
  void serversThatDeclareOtherwise() {
    finds(
        healthy()
            .plugins(
                declaring("active master m1", "ALL_SSD"),
                declaring("a", "ALL_SSD"),
                declaring("b", "HOT"),
                declaring("c", "HOT"),
                declaring("backup master m2", "NONE"),
                plugin("old", "1.0")),
        "declarations-differ",
        "hbase.hybrid.wal.policy: Its value is ALL_SSD on active master m1, a, this host; HOT on b,"
            + " c; NONE on backup master m2.",
        "the masters first");
    // A default that is spelled otherwise.
    DoctorView same = healthy().set("hbase.hybrid.tier.max.age", "60m");
    finds(same.plugins(declaring("m", "ALL_SSD")), "");
    ServerPlugin durable = declaring("b", "ALL_SSD");
    durable.declared.put("hbase.hybrid.wal.hsync", "AUTO");
    same.plugins(declaring("m", "ALL_SSD"), durable);
    finds(same, "declarations-differ", "hbase.hybrid.wal.hsync: ");
    // The verbs go by this host's site file.
    finds(
        healthy().set(META, "NONE").plugins(declaring("active master m1", "ALL_SSD")),
        "declarations-differ",
        "Its value is ALL_SSD on active master m1; NONE on this host.");
  }

  private static Family unserved() {
    Family family = new Family("t:fifo", "");
    family.unserved = "hbase.hstore.defaultengine.compactionpolicy.class=FIFO";
    return family;
  }

  @Test
  void familiesThatTheTierDoesNotServe() {
    Family[] bypassing = {
      new Family("t:hot", "HOT"),
      new Family("t:none", "NONE"),
      new Family("t:lower", "none"),
      new Family("t:plain", "")
    };
    finds(
        healthy().families(bypassing),
        "tier-bypassed",
        "t:hot: ",
        "alter 't', {NAME => 'hot', STORAGE_POLICY => 'HOT'}");
    finds(healthy().families(unserved()), "tier-not-served");
    DoctorView wrong =
        healthy()
            .with(facts -> facts.tableProblems.put("t", "hbase.hybrid.tier.policy=NON is wrong."));
    finds(wrong, "table-setting-wrong", "t: ", "alter 't', METHOD => 'table_conf_unset'");
    wrong.families(bypassing[0], unserved(), hot(BloomType.NONE, 65_536, "ONE_SSD"));
    finds(wrong.with(DiagnosisTest::noTier), "");
  }

  @ParameterizedTest
  @CsvSource({
    "any, any, ''",
    "hbase.hstore.engine.class, org.example.DateTieredStoreEngine, key=value",
    "hbase.hstore.defaultengine.compactionpolicy.class, org.example.FIFOCompactionPolicy, key=value",
    "any, off, COMPACTION_ENABLED of the table=false"
  })
  void whatTheTierCannotServe(String key, String value, String why) {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(table(family().setConfiguration(key, value), "NONE"))
            .setCompactionEnabled(!value.equals("off"))
            .build();
    assertEquals(
        why.replace("key", key).replace("value", value),
        TierChecks.unserved(table, table.getColumnFamilies()[0], new Configuration(false)));
  }

  private static TableDescriptor table(ColumnFamilyDescriptorBuilder family, String hotPolicy) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
        .setColumnFamily(family.build())
        .setValue("hbase.hybrid.hot.policy", hotPolicy)
        .build();
  }

  private static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"));
  }

  private static Family hot(BloomType filter, int blockBytes, String policy) {
    TableDescriptor table =
        table(family().setBloomFilterType(filter).setBlocksize(blockBytes), policy);
    Family family = new Family("t:f", "");
    HotChecks.read(family, table, table.getColumnFamilies()[0], new Configuration(false));
    return family;
  }

  @Test
  void hotRowsNeedARowFilterSmallBlocksAndSsdOnEachServer() {
    Family all = hot(BloomType.ROW, 8_192, "ALL_SSD");
    Family one = hot(BloomType.ROW, 8_192, "ONE_SSD");
    finds(healthy().families(all, hot(BloomType.NONE, 65_536, "NONE")), "");
    finds(healthy().families(hot(BloomType.ROWCOL, 8_192, "ALL_SSD")), "hot-no-row-filter");
    finds(healthy().families(hot(BloomType.ROW, 65_536, "ALL_SSD")), "hot-large-blocks");
    finds(healthy().families(one), "one-ssd-topology");
    List<DataNodeState> nodes = nodes(4, 3, 1, 1);
    DoctorView cluster =
        with(nodes)
            .with(facts -> facts.nameNode = Observed.at(Map.of(TOPOLOGY, "false")))
            .regionServers(
                server("ssd0,16020,1", "2.6.4"),
                server("disk3,16020,1", "2.6.4"),
                server("elsewhere,16020,1", "2.6.4"));
    finds(cluster.families(all), "");
    finds(cluster.families(one), "hot-one-ssd", "1 RegionServers have no SSD: disk3,16020,1");
    nodes.set(3, ssdNode("disk3:9866", "/r0"));
    finds(cluster, "");
  }
}
