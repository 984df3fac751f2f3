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

import io.github.hybridhbase.coprocessor.PlantedCluster.Plant;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.tool.doctor.CapabilityProbe.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The truth table: for each state of a cluster, the verdict of check and page (level, then the
 * first finding). The page is fine beside errors only if its footer says that it does not look
 * there.
 */
@InterfaceAudience.Private
public class VerdictTableTest {
  private static final StorageType SSD = StorageType.SSD;
  private static final StorageType DISK = StorageType.DISK;
  private static final StorageType[] DISKS = {DISK, DISK, DISK};
  private static final StorageType[] SSDS = {SSD, SSD, SSD};
  private static final String WALS = "/hbase/WALs";
  private static final String LOG = WALS + "/rs1,16020,1/log";
  private static final String META = "/hbase/data/hbase/meta/r/info/f";
  private static final String TABLE = "/hbase/data/default/t/r/f/x";

  /** What the page cannot see, as its footer says. */
  private static final Set<String> OUT_OF_SCOPE =
      Set.of("policies-disabled", "xattrs-disabled", "ssd-refuses", "ssd-quota");

  private static Arguments state(String name, String check, String page, Plant plant) {
    return Arguments.of(name, check, page, plant);
  }

  private static Arguments both(String name, String verdict, Plant plant) {
    return Arguments.of(name, verdict, verdict, plant);
  }

  static Stream<Arguments> states() {
    return Stream.of(
        both("healthy", "fine", c -> {}),
        // SSD
        both("no SSD", "errors no-ssd", c -> c.ssd(0, 0, 0)),
        both("SSD on two DataNodes", "errors few-ssd-nodes", c -> c.ssd(300, 290, 2)),
        both("SSD below the low watermark", "warnings ssd-space", c -> c.ssd(300, 20, 3)),
        both(
            "all SSDs full, all WALs on DISK",
            "warnings ssd-space",
            c -> c.ssd(300, 0, 3).openWal(DISKS)),
        both(
            "SSD short, an open WAL still on SSD",
            "warnings ssd-space",
            c -> c.ssd(300, 0, 3).openWal(SSDS)),
        state(
            "SSD is unreadable for this user",
            "fine",
            "unknown",
            c -> {
              c.spaceIsUnreadable();
              c.doctor.spaceIsUnreadable();
            }),
        both(
            "full SSDs refuse a probe",
            "warnings ssd-space",
            c -> c.ssd(300, 0, 3).doctor.probeGoesTo(DISKS)),
        state(
            "SSD refuses a probe",
            "warnings ssd-refuses",
            "warnings misplaced",
            c -> {
              c.doctor.probeGoesTo(DISK, DISK, SSD);
              c.openWal(DISK, DISK, SSD);
            }),
        state(
            "a quota for SSD is used up",
            "errors ssd-quota",
            "warnings misplaced",
            c -> {
              c.doctor.refuses(
                  Step.WRITE,
                  new IOException(
                      "Quota by storage type : SSD on path : /hbase is exceeded. quota : 1 B"));
              c.openWal(DISK, DISK, SSD);
            }),
        both("a DataNode stalls", "warnings stalled-datanode", c -> c.stalls("dn7")),
        // WALs
        both("HDFS placed an open WAL on DISK", "warnings misplaced", c -> c.openWal(DISKS)),
        both("a closed WAL is on DISK", "warnings misplaced", c -> c.file(LOG + ".1", DISKS)),
        both("hbase:meta is on DISK", "warnings misplaced", c -> c.file(META, DISKS)),
        both(
            "somebody set a server's WAL directory to ONE_SSD",
            "warnings policy-above",
            c -> c.foreignPolicy("/hbase/WALs/rs1,16020,1")),
        both(
            "a user's file is on SSD without a policy",
            "warnings misplaced",
            c -> c.file(TABLE, SSDS)),
        // policies and files
        both(
            "somebody else's policy",
            "warnings policy-above",
            c -> c.foreignPolicy("/hbase/MasterData")),
        both(
            "somebody else's policy on WALs, and an open WAL that follows it",
            "warnings policy-above",
            c -> {
              c.foreignPolicy("/hbase/WALs");
              c.openWal(SSD, DISK, DISK);
            }),
        both("a block lacks replicas", "errors under-replicated", c -> c.file(TABLE, DISK)),
        both(
            "a replica is on a DataNode in maintenance",
            "notes replicas-in-maintenance",
            c -> c.inMaintenance(1).file(TABLE, DISK, DISK)),
        both(
            "a block lacks more replicas than one in maintenance has",
            "errors under-replicated",
            c -> c.inMaintenance(1).file(TABLE, DISK)),
        both(
            "an unreadable directory",
            "warnings unreadable",
            c -> c.hdfs.with("/hbase/data/default/t", 0).unreadable("/hbase/data/default/t")),
        state(
            "an erasure-coded directory",
            "warnings policy-above",
            "notes erasure-coded",
            c -> c.hdfs.erasureCoded(WALS)),
        state("the tier is closed", "notes tier-closed", "fine", c -> c.tier()),
        // HDFS's settings
        state(
            "HDFS without storage policies",
            "errors policies-disabled",
            "fine",
            c -> c.doctor.refuses(Step.POLICY, new IOException("disabled"))),
        state(
            "HDFS without xattrs",
            "errors xattrs-disabled",
            "fine",
            c -> c.doctor.refuses(Step.XATTR, new IOException("disabled"))),
        state(
            "a user who may not write a probe",
            "unknown",
            "fine",
            c -> c.doctor.refuses(Step.CREATE, new AccessControlException("no"))),
        // HBase
        both(
            "half-installed",
            "errors not-loaded",
            c -> c.doctor.lastServerRuns(null, null, "ALL_SSD", true)),
        state("a server that has just started", "fine", "unknown", c -> c.asked("rs0,16020,1")),
        state("servers that were not asked yet", "fine", "unknown", c -> c.asked()),
        both(
            "an old plugin on one server",
            "warnings declarations-differ",
            c -> c.doctor.lastServerRuns("0.9", null, "ALL_SSD", true)),
        both(
            "another store engine on one server",
            "warnings tier-not-in-force",
            c -> c.doctor.lastServerRuns("1.0", false, "ALL_SSD", true)),
        both(
            "a server that declares otherwise",
            "warnings declarations-differ",
            c -> c.doctor.lastServerRuns("1.0", null, "HOT", true)),
        both(
            "writers that lack a capability",
            "errors writer-not-in-force",
            c -> c.doctor.lastServerRuns("1.0", null, "ALL_SSD", false)),
        both(
            "a setting that is wrong",
            "errors setting-wrong",
            c -> c.doctor.set("hbase.hybrid.tier.period", "soon")),
        both(
            "a mode that is misspelt",
            "errors setting-wrong",
            c -> c.doctor.set("hbase.hybrid.mode", "perfer")),
        // what is not known
        state("HBase is down", "unknown", "none", c -> c.doctor.hbaseIsDown()),
        state("HDFS is down, seen by the master", "none", "unknown", c -> c.hdfsIsDown()),
        state("before the first scan", "fine", "unknown", c -> c.scans = 0),
        state("the last scan failed", "fine", "unknown", c -> c.scanFails = true),
        both("the scan ended early", "unknown", c -> c.stopped = true));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void theViewsOfAState(String name, String check, String page, Plant plant) throws Exception {
    PlantedCluster cluster = PlantedCluster.of(plant);
    List<String> said =
        List.of(
            check.equals("none") ? check : cluster.check(),
            page.equals("none") ? page : cluster.page());
    assertEquals(List.of(check, page), said, cluster::lastPage);
  }

  /** By the table, whose cells are tested above. */
  @Test
  void thePageIsGreenBesideARedCheckOnlyForWhatItsFooterNames() throws Exception {
    List<String> green = new ArrayList<>();
    states()
        .map(Arguments::get)
        .filter(cells -> cells[1].toString().startsWith("errors ") && cells[2].equals("fine"))
        .forEach(cells -> green.add(cells[1].toString().substring("errors ".length())));
    assertFalse(green.isEmpty());
    assertTrue(OUT_OF_SCOPE.containsAll(green), green::toString);
    PlantedCluster cluster = PlantedCluster.of(c -> {});
    cluster.page();
    assertTrue(cluster.lastPage().contains("HDFS&#39;s settings are not checked here"));
  }

  private static void assertFindings(PlantedCluster cluster, String... ids) throws Exception {
    assertEquals(List.of(ids), cluster.ids(false));
    assertEquals(List.of(ids), cluster.ids(true), cluster::lastPage);
  }

  /** What follows from a finding, and is no worse, is none. */
  @Test
  void fewSsdNodesExplainWhatTheyKeepOffSsd() throws Exception {
    PlantedCluster cluster =
        PlantedCluster.of(
            c -> {
              c.ssd(300, 290, 2).openWal(SSD, SSD, DISK);
              c.withoutSsd("dn3:9866", "dn4:9866");
              c.stalls("dn3", "dn7");
              c.file(LOG + ".1", SSD, SSD, DISK);
              c.file(LOG + ".2", SSD, SSD);
              c.file(META, DISKS);
            });
    // One cause, and the DataNode that stalls though it has SSD.
    assertFindings(cluster, "few-ssd-nodes", "stalled-datanode");
    assertEquals(
        "2 of 4 DataNodes have SSD, but files have 3 replicas; without SSD: dn3:9866, dn4:9866.",
        cluster.findings().get(0).seen());
    assertTrue(cluster.findings().get(1).subject.contains("dn7"), cluster.findings()::toString);
  }

  @Test
  void anAdminsPolicyExplainsWhatLiesBelowIt() throws Exception {
    PlantedCluster cluster =
        PlantedCluster.of(
            c -> {
              c.foreignPolicy(WALS);
              c.openWal(DISKS);
              c.file(LOG + ".1", DISKS);
              c.file(META, DISKS);
            });
    assertFindings(cluster, "policy-above", "misplaced");
    String remedy = cluster.findings().get(0).remedy();
    assertTrue(remedy.contains("-unsetStoragePolicy -path PATH"), remedy);
  }

  @Test
  void fullSsdExplainsBlocksThatLackReplicas() throws Exception {
    PlantedCluster cluster =
        PlantedCluster.of(
            c -> {
              c.filledByOthers(300, 1 << 20).openWal(DISKS);
              c.file(LOG + ".1", SSD, SSD);
            });
    assertFindings(cluster, "ssd-space", "under-replicated");
    Finding space = cluster.findings().get(0);
    assertTrue(space.seen().contains("not HDFS's files: 300.0 GiB"), space::seen);
    String text = cluster.lastPage().replaceAll("<[^>]*>", " ").replace("&#39;", "'");
    assertTrue(text.contains("Closed: SSD is short of free space"), text);
    assertTrue(text.contains(" 0, 0, 1 "), text);
    assertTrue(text.contains("SSD 0 B of 300 GiB free on 3 DataNodes"), text);
  }

  @Test
  void unreadSpaceIsNotKnownOrNotCheckedIfNoSsdIsDeclared() throws Exception {
    PlantedCluster cluster = PlantedCluster.of(c -> c.spaceIsUnreadable());
    cluster.page();
    String unread = "the space on SSD. It cannot be read: the web server is off";
    String page = cluster.lastPage();
    assertTrue(page.contains("; not seen: " + unread), page);
    cluster =
        PlantedCluster.of(
            c -> {
              c.doctor.set("hbase.hybrid.mode", "off");
              c.spaceIsUnreadable();
            });
    cluster.page();
    page = cluster.lastPage();
    assertTrue(page.contains("<li>" + unread + "</li>"), page);
    assertFalse(page.contains("NOT KNOWN"), page);
  }
}
