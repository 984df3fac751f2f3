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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.WriterShortfall;
import io.github.hybridhbase.tool.doctor.TierChecks.HotChecks;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each finding of doctor on running servers and tables, planted. */
@InterfaceAudience.Private
public class ServersDiagnosisTest extends HealthyFacts {
  @Test
  void serversThatRunWithoutIt() {
    ClusterFacts facts = healthy();
    facts.servers = Observed.at(List.of(new ClusterFacts.Server("a", "2.6.4", true, List.of("X"))));
    facts.masterCoprocessors = Observed.at(List.of());
    finds(facts, FindingId.NOT_LOADED, FindingId.NOT_LOADED);
  }

  /** As the first doctor finds it; the remedy of not-loaded would be that of not-installed. */
  @Test
  void aClusterWithoutThePluginIsOnlyNotEnabled() {
    conf.unset("hbase.wal.provider");
    conf.unset("hbase.coprocessor.master.classes");
    conf.unset("hbase.coprocessor.region.classes");
    ClusterFacts facts = healthy();
    facts.servers = Observed.at(List.of(new ClusterFacts.Server("a", "2.6.4", true, List.of("X"))));
    facts.masterCoprocessors = Observed.at(List.of());
    facts.plugins =
        Observed.at(
            List.of(
                plugin("active master m", null),
                plugin("a", null),
                new ServerPlugin(
                    "backup master c", Observed.at(Optional.of("1.0")), Observed.at(false))));
    finds(facts, FindingId.NOT_INSTALLED);
    assertEquals(List.of(), Doctor.examine(facts).notChecked());
    // Then this host's site file is behind.
    facts.plugins = Observed.at(List.of(plugin("active master m", "1.0"), plugin("b", null)));
    assertTrue(ids(facts).contains(FindingId.NOT_LOADED.id()), ids(facts)::toString);
    assertEquals(List.of(), Doctor.examine(facts).notChecked());
  }

  @Test
  void serversOfTwoVersions() {
    ClusterFacts facts = healthy();
    facts.servers =
        Observed.at(
            List.of(
                new ClusterFacts.Server("a", "2.6.4", false, List.of()),
                new ClusterFacts.Server("b", "2.5.13", false, List.of())));
    finds(facts, FindingId.DECLARATIONS_DIFFER);
  }

  @Test
  void oldWalsThatAPeerHolds() {
    ClusterFacts facts = healthy();
    facts.oldWals = Observed.at(new ClusterFacts.OldWals(9_000, GIB, 86_400_000));
    finds(facts, FindingId.OLD_WALS_HELD);
  }

  /** As with a cleaner that is switched off, or that fails (HBASE-28680). */
  @Test
  void oldWalsThatNoPeerHolds() {
    ClusterFacts facts = healthy();
    facts.peers = Observed.at(List.of());
    facts.oldWals = Observed.at(new ClusterFacts.OldWals(9_000, GIB, 86_400_000));
    finds(facts, FindingId.OLD_WALS_HELD);
    Finding held = Doctor.examine(facts).findings().get(0);
    assertTrue(held.seen().endsWith("replication peers: none."), held.seen());
    assertTrue(held.remedy().contains("cleaner_chore_switch true"), held.remedy());
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
    ClusterFacts.OldWals found = FactFinder.oldWals(local, old, 10_000);
    assertEquals(2, found.files);
    assertEquals(8_000, found.oldestMillis);
  }

  /** HBase keeps them that long by itself, and then until its cleaner has run. */
  @Test
  void oldWalsAsOldAsHBaseKeepsThemAreHeldByNobody() {
    conf.setLong("hbase.master.logcleaner.ttl", 86_400_000);
    conf.setLong("hbase.master.cleaner.interval", 600_000);
    ClusterFacts facts = healthy();
    facts.oldWals = Observed.at(new ClusterFacts.OldWals(9_000, GIB, 86_400_000 + 1_200_000));
    finds(facts);
    facts.oldWals = Observed.at(new ClusterFacts.OldWals(9_000, GIB, 86_400_000 + 1_200_001));
    finds(facts, FindingId.OLD_WALS_HELD);
  }

  @Test
  void thePluginInTwoVersions() {
    ClusterFacts facts = healthy();
    facts.plugins =
        Observed.at(
            List.of(plugin("a", "1.0"), plugin("b", "1.1"), plugin("backup master c", "1.1")));
    finds(facts, FindingId.DECLARATIONS_DIFFER);
    String seen = Doctor.examine(facts).findings().get(0).seen();
    assertEquals("Its value is 1.0 on a; 1.1 on b, backup master c.", seen);
  }

  @Test
  void aServerWithoutRegionsThatRunsWithoutIt() {
    ClusterFacts facts = healthy();
    facts.plugins = Observed.at(List.of(plugin("a", "1.0"), plugin("b", null)));
    finds(facts, FindingId.NOT_LOADED);
    conf.set("hbase.hybrid.mode", "off");
    finds(healthy(), FindingId.NOT_INSTALLED);
  }

  @Test
  void aServerWithoutItIsOneFindingOnly() {
    ClusterFacts facts = healthy();
    facts.servers = Observed.at(List.of(new ClusterFacts.Server("a", "2.6.4", true, List.of("X"))));
    facts.plugins = Observed.at(List.of(plugin("a", null)));
    finds(facts, FindingId.NOT_LOADED);
  }

  @Test
  void aBackupMasterWhoseConfigurationDoesNotNameIt() {
    ClusterFacts facts = healthy();
    facts.plugins =
        Observed.at(
            List.of(
                new ServerPlugin("backup master c", Observed.unknown("x"), Observed.at(false))));
    finds(facts, FindingId.NOT_LOADED);
    assertEquals(List.of(), Doctor.examine(facts).notChecked());
  }

  @Test
  void serversThatDoNotSayTheirVersionAreNamedOnceForEachReason() {
    ClusterFacts facts = healthy();
    List<ServerPlugin> silent = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      silent.add(new ServerPlugin("s" + i, Observed.unknown("it is off"), Observed.at(true)));
    }
    facts.plugins = Observed.at(silent);
    finds(facts);
    List<String> notChecked = Doctor.examine(facts).notChecked();
    assertEquals(1, notChecked.size(), notChecked::toString);
    assertTrue(notChecked.get(0).endsWith("s9 and 490 more: it is off"), notChecked::toString);
  }

  @Test
  void writersOfServersThatCannotDoWhatIsAsked() {
    WriterShortfall auto =
        new WriterShortfall("hbase.hybrid.wal.hsync=auto", "It is ViewFS.", "Name an HDFS.");
    ClusterFacts facts = healthy();
    facts.plugins =
        Observed.at(
            List.of(
                plugin("master", "1.0"), lacking("a", List.of(auto)), lacking("b", List.of(auto))));
    finds(facts, FindingId.WRITER_NOT_IN_FORCE);
    Finding finding = Doctor.examine(facts).findings().get(0);
    assertTrue(
        finding.seen().startsWith("On a, b the WAL writers lack hbase.hybrid.wal.hsync=auto"));
    assertTrue(finding.seen().endsWith("It is ViewFS."), finding.seen());
    assertEquals("Name an HDFS.", finding.remedy());
  }

  private static ServerPlugin lacking(String server, List<WriterShortfall> what) {
    ServerPlugin plugin = plugin(server, "1.0");
    plugin.notInForce = what;
    return plugin;
  }

  @Test
  void anHBaseThatTellsOfNoCommitHasNoTier() {
    ClusterFacts facts = healthy();
    facts.commitsAreNotified = false;
    facts.tierDeclared = true;
    finds(facts, FindingId.TIER_NOT_IN_FORCE);
    facts.tierDeclared = false;
    finds(facts);
  }

  @Test
  void familiesThatBypassTheTier() {
    ClusterFacts facts = healthy();
    facts.tierDeclared = true;
    facts.families =
        Observed.at(
            List.of(
                new ClusterFacts.Family("t:hot", "HOT"),
                new ClusterFacts.Family("t:none", "NONE"),
                new ClusterFacts.Family("t:lower", "none"),
                new ClusterFacts.Family("t:plain", "")));
    finds(facts, FindingId.TIER_BYPASSED);
    Finding bypassed = Doctor.examine(facts).findings().get(0);
    assertEquals("t:hot", bypassed.subject);
    assertEquals(FindingId.Severity.NOTE, bypassed.id().severity);
    assertTrue(
        bypassed.remedy().contains("alter 't', {NAME => 'hot', STORAGE_POLICY => 'HOT'}"),
        bypassed.remedy());
    facts.tierDeclared = false;
    finds(facts);
  }

  @Test
  void noStoreEngineInTheSiteFileOrOnAServer() {
    conf.unset("hbase.hstore.engine.class");
    finds(healthy());
    conf.set("hbase.hstore.engine.class", "org.example.Engine");
    finds(healthy(), FindingId.TIER_NOT_IN_FORCE);
    ClusterFacts facts = healthy();
    ServerPlugin a = facts.plugins.seen().orElseThrow().get(1);
    a.engine = Optional.of(true);
    finds(facts); // what servers report counts, however they got it
    facts.plugins.seen().orElseThrow().get(2).engine = Optional.of(false);
    finds(facts, FindingId.TIER_NOT_IN_FORCE);
    assertEquals(
        "The SSD tier is not in force on b: stores of user tables lack its engine.",
        Doctor.examine(facts).findings().get(0).seen());
    facts.tierDeclared = false;
    finds(facts);
  }

  private String unserved(String key, String value) {
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"));
    if (!key.isEmpty()) {
      family.setConfiguration(key, value);
    }
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(family.build())
            .setCompactionEnabled(!value.equals("off"))
            .build();
    return TierChecks.unserved(table, table.getColumnFamilies()[0], conf);
  }

  @Test
  void familiesThatTheTierCannotServe() {
    assertEquals("", unserved("", ""));
    String tiered = "org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine";
    String stripe = "org.apache.hadoop.hbase.regionserver.StripeStoreEngine";
    String fifo = "org.apache.hadoop.hbase.regionserver.compactions.FIFOCompactionPolicy";
    assertTrue(unserved("hbase.hstore.engine.class", tiered).contains(tiered));
    assertTrue(unserved("hbase.hstore.engine.class", stripe).contains(stripe));
    assertTrue(
        unserved("hbase.hstore.defaultengine.compactionpolicy.class", fifo).contains("FIFO"));
    assertTrue(unserved("", "off").contains("COMPACTION_ENABLED"));
    ClusterFacts facts = healthy();
    ClusterFacts.Family family = new ClusterFacts.Family("t:fifo", "");
    family.unserved = "hbase.hstore.defaultengine.compactionpolicy.class=FIFO";
    facts.families = Observed.at(List.of(family));
    finds(facts, FindingId.TIER_NOT_SERVED);
    facts.tierDeclared = false;
    finds(facts);
  }

  private ClusterFacts.Family hot(BloomType filter, int blockBytes, String policy) {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                    .setBloomFilterType(filter)
                    .setBlocksize(blockBytes)
                    .build())
            .setValue("hbase.hybrid.hot.policy", policy)
            .build();
    ClusterFacts.Family family = new ClusterFacts.Family("t:f", "");
    HotChecks.read(family, table, table.getColumnFamilies()[0], conf);
    return family;
  }

  @Test
  void hotRowsNeedARowFilterAndSmallBlocks() {
    ClusterFacts facts = healthy();
    facts.tierDeclared = true;
    facts.families = Observed.at(List.of(hot(BloomType.ROWCOL, 8_192, "ALL_SSD")));
    finds(facts, FindingId.HOT_NO_ROW_FILTER);
    facts.families = Observed.at(List.of(hot(BloomType.ROW, 65_536, "ALL_SSD")));
    finds(facts, FindingId.HOT_LARGE_BLOCKS);
    facts.families = Observed.at(List.of(hot(BloomType.ROW, 8_192, "ALL_SSD")));
    finds(facts);
    facts.families = Observed.at(List.of(hot(BloomType.NONE, 65_536, "NONE")));
    finds(facts);
  }

  @Test
  void hotRowsUnderOneSsdNeedSsdOnEachServer() {
    ClusterFacts facts = healthy();
    facts.tierDeclared = true;
    facts.families = Observed.at(List.of(hot(BloomType.ROW, 8_192, "ONE_SSD")));
    facts.nameNode =
        Observed.at(
            Map.of(
                "dfs.use.dfs.network.topology",
                "false",
                "dfs.namenode.read.considerStorageType",
                "true"));
    facts.servers =
        Observed.at(
            List.of(
                new ClusterFacts.Server("a,16020,1", "2.6.4", false, List.of()),
                new ClusterFacts.Server("d,16020,1", "2.6.4", false, List.of()),
                new ClusterFacts.Server("elsewhere,16020,1", "2.6.4", false, List.of())));
    finds(facts);
    List<DataNodeState> nodes = new ArrayList<>(facts.dataNodes.seen().orElseThrow());
    nodes.add(node("d:9866", "/r1", "In Service", StorageType.DISK));
    facts.dataNodes = Observed.at(nodes);
    finds(facts, FindingId.HOT_ONE_SSD);
    String seen = Doctor.examine(facts).findings().get(0).toString();
    assertTrue(seen.contains("1 RegionServers have no SSD: d,16020,1"), seen);
    facts.families = Observed.at(List.of(hot(BloomType.ROW, 8_192, "ALL_SSD")));
    finds(facts);
  }

  @Test
  void oneSsdOfHotRowsCountsAsDeclared() {
    ClusterFacts facts = healthy();
    facts.tierDeclared = true;
    facts.families = Observed.at(List.of(hot(BloomType.ROW, 8_192, "ONE_SSD")));
    finds(facts, FindingId.ONE_SSD_TOPOLOGY);
  }

  @Test
  void tablesWhoseSettingsAreWrong() {
    ClusterFacts facts = healthy();
    facts.tierDeclared = true;
    facts.families = Observed.at(List.of(new ClusterFacts.Family("t:f", "")));
    facts.tableProblems.put("t", "hbase.hybrid.tier.policy=NON is not understood.");
    finds(facts, FindingId.TABLE_SETTING_WRONG);
    Finding finding = Doctor.examine(facts).findings().get(0);
    assertEquals("t", finding.subject);
    assertTrue(finding.remedy().contains("alter 't', METHOD => 'table_conf_unset'"));
  }

  private static ServerPlugin declaring(String server, String wal) {
    ServerPlugin plugin = plugin(server, "1.0");
    Configuration conf = new Configuration(false);
    conf.set("hbase.hybrid.wal.policy", wal);
    plugin.declared = HybridSettings.read(conf).declared();
    return plugin;
  }

  @Test
  void serversThatDeclareOtherwise() {
    ClusterFacts facts = healthy();
    facts.plugins =
        Observed.at(
            List.of(
                declaring("active master m1", "ALL_SSD"),
                declaring("a", "ALL_SSD"),
                declaring("b", "HOT"),
                declaring("c", "HOT"),
                declaring("backup master m2", "NONE"),
                plugin("old", "1.0")));
    finds(facts, FindingId.DECLARATIONS_DIFFER);
    Finding finding = Doctor.examine(facts).findings().get(0);
    assertEquals("hbase.hybrid.wal.policy", finding.subject);
    assertEquals(
        "Its value is ALL_SSD on active master m1, a, this host; HOT on b, c; NONE on backup master"
            + " m2.",
        finding.seen());
    assertTrue(finding.remedy().contains("the masters first"), finding.remedy());
    facts.plugins = Observed.at(List.of(declaring("active master m1", "ALL_SSD")));
    finds(facts);
  }

  @Test
  void thisHostThatDeclaresOtherwiseSinceTheVerbsGoByIt() {
    conf.set("hbase.hybrid.meta.policy", "NONE");
    ClusterFacts facts = healthy();
    facts.plugins = Observed.at(List.of(declaring("active master m1", "ALL_SSD")));
    finds(facts, FindingId.DECLARATIONS_DIFFER);
    assertEquals(
        "Its value is ALL_SSD on active master m1; NONE on this host.",
        Doctor.examine(facts).findings().get(0).seen());
  }

  @Test
  void aServerOfOtherDurability() {
    ClusterFacts facts = healthy();
    conf.set("hbase.hybrid.tier.max.age", "60m"); // the default, spelled otherwise
    ServerPlugin other = declaring("b", "ALL_SSD");
    other.declared = new HashMap<>(other.declared);
    other.declared.put("hbase.hybrid.wal.hsync", "AUTO");
    facts.plugins = Observed.at(List.of(declaring("active master m1", "ALL_SSD"), other));
    finds(facts, FindingId.DECLARATIONS_DIFFER);
    assertEquals("hbase.hybrid.wal.hsync", Doctor.examine(facts).findings().get(0).subject);
  }
}
