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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Watermarks;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class SsdSpaceMonitorTest {
  private static final long GIB = 1L << 30;
  private static final int UNSET = StoragePolicy.UNSPECIFIED;
  private static final byte HOT = StoragePolicy.HOT.id();
  private static final byte ALL_SSD = StoragePolicy.ALL_SSD.id();
  private static final String WALS = "/hbase/WALs";
  private static final String META = "/hbase/data/hbase";
  private static final String MASTER = "/hbase/MasterData";
  private static final Configuration CONF = new Configuration(false);
  private static final HybridSettings SETTINGS = HybridSettings.read(CONF);
  private static final List<DirectoryRule> RULES =
      new Layout(new Path("/hbase"), new Path("/hbase")).rules(SETTINGS);

  private final FakeNamespace hdfs =
      new FakeNamespace()
          .with("/hbase", UNSET)
          .with(WALS, UNSET)
          .with("/hbase/data", UNSET)
          .with(META, UNSET)
          .with(MASTER, UNSET);
  private final DirectoryEnforcer enforcer =
      new DirectoryEnforcer(rule -> Optional.of(hdfs), 0, false);
  private long capacity = 3000 * GIB;
  private int freePercent = 50;
  private boolean walsOnHdfs;
  private boolean blind;
  private boolean gone;
  private boolean noDisk;
  private long now;
  private ClusterWatch.Hdfs monitor = monitor(true);

  private ClusterWatch.Hdfs monitor(boolean acts) {
    return new ClusterWatch.Hdfs(
        URI.create("hdfs://nn"),
        hdfs,
        null,
        Optional.empty(),
        true,
        new Headroom.Estimate(CONF, 256 << 20, 3, false),
        SpaceLook.first(Settling.within(0)),
        new SsdSpaceMonitor(
            new Watermarks(12, 20, 60),
            RULES,
            3,
            new SsdDemoter(rule -> found(), 0),
            () -> now,
            acts));
  }

  private int look() throws IOException {
    return look(monitor);
  }

  private int look(ClusterWatch.Hdfs at) throws IOException {
    Optional<SsdSpace> space =
        blind
            ? Optional.empty()
            : Optional.of(ssd(capacity)).map(one -> noDisk ? one.withoutDisk() : one);
    WalServers servers =
        walsOnHdfs
            ? WalServers.of(hdfs, new Path(WALS))
            : new WalServers(List.of("rs1,16020,1", "rs2,16020,1", "rs3,16020,1"));
    return at.act(space, "planted", servers, now);
  }

  private SsdSpace ssd(long bytes) {
    return new SsdSpace(bytes, 0, bytes / 100 * freePercent, 3, List.of());
  }

  private Optional<StorageNamespace> found() throws IOException {
    if (gone) {
      throw new ConnectException("planted");
    }
    return Optional.of(hdfs);
  }

  private void minute() {
    now += TimeUnit.MINUTES.toNanos(1);
  }

  private void keep() {
    enforcer.place(RULES);
  }

  @Test
  void oneThatOnlyObservesDemotesNothingAndWritesNoProbe() throws IOException {
    ClusterWatch.Hdfs observing = monitor(false);
    keep();
    List<String> writes = List.copyOf(hdfs.writes());
    for (int percent : new int[] {50, 1, 1, 50}) {
      freePercent = percent;
      assertEquals(0, look(observing));
      minute();
    }
    blind = true;
    assertEquals(0, look(observing));
    assertEquals(writes, hdfs.writes());
  }

  @Test
  void demotesAndRestoresTheFirstComponentWithItsProvenance() throws IOException {
    keep();
    assertEquals(0, look());
    freePercent = 11;
    assertEquals(1, look());
    assertEquals(HOT, hdfs.own(META));
    assertEquals(
        "v2 before=0 set=7 was=7 by=space", hdfs.provenanceOf(META).orElseThrow().toString());
    assertEquals(ALL_SSD, hdfs.own(WALS));
    freePercent = 50;
    minute();
    hdfs.writes().clear();
    assertEquals(1, look());
    assertEquals(List.of("probe", "provenance", "set", "provenance"), kinds());
    assertEquals(ALL_SSD, hdfs.own(META));
    assertEquals("v2 before=0 set=12 was=12", hdfs.provenanceOf(META).orElseThrow().toString());
  }

  private List<String> kinds() {
    return hdfs.writes().stream()
        .map(write -> write.substring(0, write.indexOf(' ')))
        .collect(java.util.stream.Collectors.toList());
  }

  @Test
  void noServersPlacerUndoesTheSpaceMonitor() throws IOException {
    keep();
    freePercent = 0;
    assertEquals(3, look());
    hdfs.writes().clear();
    keep();
    assertEquals(List.of(), hdfs.writes());
    assertEquals(HOT, hdfs.own(WALS));
  }

  @Test
  void aRefusedProbeDemotesAllWhereSpaceCannotBeRead() throws IOException {
    keep();
    blind = true;
    assertEquals(0, look());
    hdfs.refusesProbes("could only be written to 0 of the 1 minReplication nodes");
    assertEquals(3, look());
    assertEquals(
        Set.of(Component.META, Component.MASTER, Component.WAL), monitor.monitor().demoted());
    hdfs.refusesProbes(null);
    minute();
    assertEquals(1, look());
    assertEquals(ALL_SSD, hdfs.own(WALS));
    assertEquals(HOT, hdfs.own(META));
  }

  @Test
  void whereSsdIsNotFoundNothingIsDemoted() throws IOException {
    keep();
    blind = true;
    hdfs.probesGoTo(StorageType.DISK);
    assertEquals(0, look());
    assertEquals(ALL_SSD, hdfs.own(WALS));
  }

  @Test
  void anotherMasterGoesOnWhereThisOneStopped() throws IOException {
    keep();
    freePercent = 0;
    look();
    freePercent = 50;
    minute();
    ClusterWatch.Hdfs successor = monitor(true);
    assertEquals(0, look(successor), "the dwell counts from when it came");
    assertEquals(3, successor.monitor().demoted().size());
    minute();
    assertEquals(1, look(successor));
    assertEquals(ALL_SSD, hdfs.own(WALS));
  }

  @Test
  void takesOverWhatAServerDemotedInItsNeed() throws IOException {
    keep();
    SsdDemoter server = new SsdDemoter(rule -> Optional.of(hdfs), 0);
    assertTrue(server.demote(rule(Component.MASTER)));
    look();
    assertEquals(Set.of(Component.META, Component.MASTER), monitor.monitor().demoted());
    assertEquals(HOT, hdfs.own(META), "what leaves earlier left too");
    for (int look = 0; look < 3; look++) {
      minute();
      look();
    }
    assertEquals(Set.of(), monitor.monitor().demoted());
    assertEquals(ALL_SSD, hdfs.own(MASTER));
  }

  /** A last call of a flush, or a master of an earlier version, on an HDFS without DISK. */
  @Test
  void nothingIsTurnedToHotWhereHdfsTakesNoBlockOnDisk() throws IOException {
    keep();
    hdfs.hasNoDisk();
    noDisk = true;
    freePercent = 1;
    SsdDemoter server = new SsdDemoter(rule -> Optional.of(hdfs), 0);
    assertFalse(server.demote(rule(Component.META)));
    assertEquals(ALL_SSD, hdfs.own(META));
    assertEquals(0, look());
    // Turned away by other hands: what leaves earlier is not pulled along, and it comes back.
    hdfs.with(MASTER, HOT)
        .withProvenance(
            MASTER, hdfs.provenanceOf(MASTER).orElseThrow().change(StoragePolicy.HOT).asDemoted());
    look();
    assertEquals(ALL_SSD, hdfs.own(META));
    for (int look = 0; look < 3; look++) {
      minute();
      look();
    }
    assertEquals(ALL_SSD, hdfs.own(MASTER));
    assertEquals(Set.of(), monitor.monitor().demoted());
  }

  @Test
  void anAdminsPolicyIsLeftAlone() throws IOException {
    keep();
    hdfs.with(WALS, StoragePolicy.COLD.id());
    freePercent = 0;
    look();
    assertEquals(StoragePolicy.COLD.id(), hdfs.own(WALS));
    freePercent = 50;
    minute();
    look();
    assertEquals(StoragePolicy.COLD.id(), hdfs.own(WALS));
  }

  /** The space monitor has demoted all, then an admin takes one of them into his own hands. */
  @Test
  void anAdminsHandOnOneDirectoryDoesNotKeepTheOthersOffSsd() throws IOException {
    keep();
    freePercent = 0;
    look();
    hdfs.with(WALS, StoragePolicy.ONE_SSD.id());
    freePercent = 90;
    long turnedBack = HybridMetrics.get().value(Metric.RESTORATIONS);
    hdfs.writes().clear();
    int turned = 0;
    for (int second = 0; second < 3_600; second += 10) {
      now += TimeUnit.SECONDS.toNanos(10);
      turned += look();
      if (second % 300 == 0) {
        keep();
      }
    }
    assertEquals(StoragePolicy.ONE_SSD.id(), hdfs.own(WALS));
    assertEquals(ALL_SSD, hdfs.own(MASTER));
    assertEquals(ALL_SSD, hdfs.own(META));
    assertEquals(Set.of(), monitor.monitor().demoted());
    assertEquals(2, turned, "master and meta, once each");
    assertEquals(2, HybridMetrics.get().value(Metric.RESTORATIONS) - turnedBack);
    long probes = hdfs.writes().stream().filter(write -> write.startsWith("probe")).count();
    assertTrue(probes <= 5, hdfs.writes()::toString);
  }

  /** A master that takes over could not tell it from an admin's hand. */
  @Test
  void withoutXattrsNothingIsDemoted() throws IOException {
    hdfs.hasNoXattrs();
    hdfs.with(WALS, ALL_SSD);
    freePercent = 0;
    assertEquals(0, look());
    assertEquals(ALL_SSD, hdfs.own(WALS));
  }

  /** A master dies between any two writes; the next one finishes, and nothing looks foreign. */
  @Test
  void dyingAnywhereLeavesNothingThatLooksLikeAnAdminsHand() throws IOException {
    Random random = new Random(7);
    keep();
    for (int life = 0; life < 300; life++) {
      hdfs.writes().clear();
      hdfs.diesAfter(random.nextInt(5));
      freePercent = random.nextInt(40);
      minute();
      ClusterWatch.Hdfs mortal = monitor(true);
      try {
        look(mortal);
        minute();
        look(mortal);
      } catch (IOException e) {
        assertTrue(e.getMessage().contains("died"));
      }
      keep();
    }
    hdfs.writes().clear();
    hdfs.diesAfter(Integer.MAX_VALUE);
    freePercent = 90;
    ClusterWatch.Hdfs last = monitor(true);
    for (int look = 0; look < 5; look++) {
      look(last);
      minute();
      keep();
    }
    for (String path : new String[] {WALS, META, MASTER}) {
      assertEquals(ALL_SSD, hdfs.own(path), path);
      PolicyProvenance provenance = hdfs.provenanceOf(path).orElseThrow();
      assertFalse(provenance.demoted(), path);
      assertEquals(UNSET, provenance.before(), path);
    }
  }

  private static DirectoryRule rule(Component component) {
    return RULES.stream().filter(r -> r.component() == component).findFirst().orElseThrow();
  }

  private static long count(Metric metric) {
    return HybridMetrics.get().value(metric);
  }

  private static long gauge(String label) {
    return HybridMetrics.get().space().value(label);
  }

  /** Each cause once, and its metric. */
  @Test
  void everyMetricOfItMovesAndItsGaugesEndWithIt() throws IOException {
    keep();
    monitor.monitor().close();
    final long demotions = count(Metric.DEMOTIONS);
    final long restorations = count(Metric.RESTORATIONS);
    final long refused = count(Metric.PROBES_REFUSED);
    final long unknown = count(Metric.SPACE_UNKNOWN);
    final long known = gauge("ssdSpaceKnown");
    final long capacity = gauge("ssdCapacityBytes");
    final long free = gauge("ssdFreeBytes");
    final long nodes = gauge("ssdDataNodes");
    final long full = gauge("ssdDataNodesWithoutHeadroom");
    final long headroom = gauge("ssdHeadroomBytes");
    final long demoted = gauge("componentsDemoted");
    freePercent = 0;
    look();
    assertEquals(demotions + 3, count(Metric.DEMOTIONS));
    assertEquals(known + 1, gauge("ssdSpaceKnown"));
    assertEquals(capacity + 3000 * GIB, gauge("ssdCapacityBytes"));
    assertEquals(free, gauge("ssdFreeBytes"));
    assertEquals(nodes + 3, gauge("ssdDataNodes"));
    assertEquals(full + 3, gauge("ssdDataNodesWithoutHeadroom"));
    assertTrue(gauge("ssdHeadroomBytes") > headroom);
    assertEquals(demoted + 3, gauge("componentsDemoted"));

    freePercent = 50;
    hdfs.refusesProbes("planted");
    minute();
    final long probes = count(Metric.PROBES);
    look();
    assertEquals(restorations, count(Metric.RESTORATIONS));
    assertEquals(probes + 3, count(Metric.PROBES), "SSD, DISK, and SSD again");
    assertEquals(refused + 1, count(Metric.PROBES_REFUSED));
    hdfs.refusesProbes(null);
    minute();
    look();
    assertEquals(restorations + 1, count(Metric.RESTORATIONS));
    assertEquals(free + 1500 * GIB, gauge("ssdFreeBytes"));

    blind = true;
    look();
    assertEquals(unknown + 1, count(Metric.SPACE_UNKNOWN));
    assertEquals(known, gauge("ssdSpaceKnown"));
    assertEquals(demoted + monitor.monitor().demoted().size(), gauge("componentsDemoted"));
    assertFalse(monitor.monitor().demoted().isEmpty(), "it remembers");

    monitor.monitor().close();
    assertEquals(demoted, gauge("componentsDemoted"));
    assertEquals(capacity, gauge("ssdCapacityBytes"));
    assertEquals(headroom, gauge("ssdHeadroomBytes"));
  }

  /** Nothing can react then, so metrics alone warn; they may not go dark while SSD fills. */
  @Test
  void metricsTellTheSpaceAndWhatStandsWherePoliciesAreDenied() throws IOException {
    keep();
    monitor.monitor().close();
    final long known = gauge("ssdSpaceKnown");
    final long free = gauge("ssdFreeBytes");
    final long demoted = gauge("componentsDemoted");
    hdfs.refusesPolicies(new AccessControlException("Superuser privilege is required"));
    hdfs.refusesProbes("planted");
    freePercent = 5;
    for (int looks = 0; looks < 3; looks++) {
      assertThrows(AccessControlException.class, this::look);
      assertEquals(known + 1, gauge("ssdSpaceKnown"));
      assertEquals(free + 150 * GIB, gauge("ssdFreeBytes"));
      assertEquals(demoted, gauge("componentsDemoted"), "nothing is");
      assertEquals(Set.of(), monitor.look().demotions().components());
    }
    monitor.monitor().close();
  }

  @Test
  void whatIsDemotedStaysSoWhileNoNameNodeAnswers() throws IOException {
    keep();
    monitor.monitor().close();
    final long demoted = gauge("componentsDemoted");
    freePercent = 0;
    look();
    assertEquals(demoted + 3, gauge("componentsDemoted"));
    gone = true;
    assertThrows(ConnectException.class, this::look);
    assertEquals(demoted + 3, gauge("componentsDemoted"));
    monitor.monitor().close();
  }

  @Test
  void whatCannotBeDemotedIsNotCalledDemoted() throws IOException {
    keep();
    monitor.monitor().close();
    final long demoted = gauge("componentsDemoted");
    hdfs.hasNoXattrs();
    freePercent = 0;
    look();
    assertEquals(ALL_SSD, hdfs.own(META));
    assertEquals(demoted, gauge("componentsDemoted"));
    assertEquals(Set.of(), monitor.look().demotions().components());
    monitor.monitor().close();
  }

  /** It would never restore them. */
  @Test
  void userDataForSsdIsNotTheMonitors() throws IOException {
    CONF.set("hbase.hybrid.user.policy", "ALL_SSD");
    List<DirectoryRule> rules =
        new ArrayList<>(
            new Layout(new Path("/hbase"), new Path("/hbase")).rules(HybridSettings.read(CONF)));
    CONF.unset("hbase.hybrid.user.policy");
    hdfs.with("/hbase/data", HOT)
        .withProvenance(
            "/hbase/data", PolicyProvenance.first((byte) 0, StoragePolicy.HOT).asDemoted());
    SsdSpaceMonitor all =
        new SsdSpaceMonitor(
            new Watermarks(12, 20, 60),
            rules,
            3,
            new SsdDemoter(rule -> found(), 0),
            () -> now,
            true);
    all.doWork(monitor.look());
    assertEquals(Set.of(), all.demoted());
    all.close();
    final long known = gauge("ssdSpaceKnown");
    rules.removeIf(rule -> rule.component() != Component.USER);
    SsdSpaceMonitor alone =
        new SsdSpaceMonitor(
            new Watermarks(12, 20, 60),
            rules,
            3,
            new SsdDemoter(rule -> found(), 0),
            () -> now,
            true);
    hdfs.writes().clear();
    look();
    alone.doWork(monitor.look());
    assertEquals(known + 2, gauge("ssdSpaceKnown"), "of both monitors");
    assertEquals(List.of(), hdfs.writes());
    alone.close();
    monitor.monitor().close();
  }

  /** Such a look ends before it comes to the space. */
  @Test
  void aLookThatFindsNoNameNodeCountsAsOneThatReadNothing() throws IOException {
    keep();
    monitor.monitor().close();
    final long unknown = count(Metric.SPACE_UNKNOWN);
    final long known = gauge("ssdSpaceKnown");
    look();
    assertEquals(known + 1, gauge("ssdSpaceKnown"));
    gone = true;
    for (int looks = 1; looks <= 2; looks++) {
      assertThrows(ConnectException.class, this::look);
      assertEquals(unknown + looks, count(Metric.SPACE_UNKNOWN));
      assertEquals(known, gauge("ssdSpaceKnown"));
    }
    gone = false;
    look();
    assertEquals(unknown + 2, count(Metric.SPACE_UNKNOWN));
    assertEquals(known + 1, gauge("ssdSpaceKnown"));
    monitor.monitor().close();
  }

  /** 43 WALs of 256 MiB need more headroom than an SSD of 3 GiB has; those of one server do not. */
  @Test
  void whatDeadServersLeftInWalsReservesNothing() throws IOException {
    keep();
    capacity = 9 * GIB;
    freePercent = 96;
    walsOnHdfs = true;
    hdfs.with(WALS + "/rs0.example.com,16020,1700000000001", UNSET);
    assertEquals(0, look());
    long headroom = monitor.look().headroom().bytes();
    for (int rs = 1; rs <= 40; rs++) {
      hdfs.with(WALS + "/rs" + rs + ".example.com,16020,1700000000001-splitting", UNSET);
    }
    hdfs.with(WALS + "/rs0.example.com,16020,1600000000001", UNSET); // the one that ran before it
    hdfs.with(WALS + "/somebody's", UNSET);
    minute();
    assertEquals(0, look(), () -> monitor.look().demotions().toString());
    assertEquals(headroom, monitor.look().headroom().bytes());
    assertEquals(Set.of(), monitor.monitor().demoted());
  }
}
