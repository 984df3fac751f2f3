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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.hdfs.TierState.TierUse;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.Expectation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TierControllerTest {
  private static final Path ROOT = new Path("/hbase");
  private static final URI HDFS = URI.create("hdfs://nn");
  private static final long GIB = 1L << 30;
  private static final String DECLARED =
      "wal=ALL_SSD master=ALL_SSD meta=ALL_SSD archive=HOT user=HOT";

  private final FakeNamespace hdfs = new FakeNamespace();
  private final Configuration conf = new Configuration(false);
  private Optional<SsdSpace> space = space(1_000, 900);
  private boolean settled;
  private int servers = 4;
  private List<Long> uses = List.of();
  private int looks;
  private long seconds;
  private TierController controller = controller();

  TierControllerTest() throws IOException {
    agree(DECLARED);
    hdfs.writes().clear();
  }

  private void agree(String declaration) throws IOException {
    hdfs.write(MoveConsent.RECORD, ROOT, MoveConsent.given(declaration));
  }

  private static Optional<SsdSpace> space(long capacity, long free) {
    return Optional.of(
        new SsdSpace(capacity * GIB, (capacity - free) * GIB, free * GIB, 4, List.of()));
  }

  private TierController controller() {
    return new TierController(
        HybridSettings.read(conf),
        hdfs,
        ROOT,
        HDFS,
        this::look,
        this::regions,
        consent -> Expectation.movesUserData(consent, HybridSettings.read(conf)),
        "master",
        () -> TimeUnit.SECONDS.toNanos(seconds),
        () -> TimeUnit.SECONDS.toMillis(seconds));
  }

  /** A headroom of 3 GiB; the last of the servers that publish their use has published none yet. */
  private ClusterLook look() {
    List<String> names = new ArrayList<>();
    FakeNamespace wals = new FakeNamespace();
    for (int server = 0; server < servers; server++) {
      names.add("s" + server + ",1,1");
      if (server < uses.size()) {
        String directory = "/hbase/WALs/s" + server + ",1,1";
        wals.with(directory, StoragePolicy.UNSPECIFIED);
        if (server + 1 < uses.size()) {
          wals.withForeign(directory, TierUse.XATTR, new TierUse(uses.get(server)).toString());
        }
      }
    }
    boolean certain = space.isPresent() || settled;
    SpaceLook here =
        SpaceLook.first(Settling.within(certain ? 0 : TimeUnit.DAYS.toNanos(1)))
            .next(
                space,
                "planted",
                new WalServers(names),
                new Headroom.Estimate(new Configuration(false), GIB, 1, false),
                false,
                1);
    try {
      return ClusterLook.NONE
          .with(Map.of(HDFS, here))
          .with(ServerReports.read(path -> Optional.of(wals), new Layout(ROOT, ROOT), 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The servers have no region of a table. */
  private ClusterMetrics regions() {
    looks++;
    Map<ServerName, ServerMetrics> live = new HashMap<>();
    for (int server = 0; server < servers; server++) {
      ServerName name = ServerName.valueOf("s" + server + ",1,1");
      live.put(name, ServerMetricsBuilder.of(name));
    }
    return ClusterMetricsBuilder.newBuilder().setLiveServerMetrics(live).build();
  }

  private TierState said() throws IOException {
    controller.doWork();
    seconds += 10;
    return TierState.on(hdfs, ROOT).read().orElse(TierState.closed("nothing"));
  }

  @Test
  void eachServerHasAnEqualShareOfTheBudget() throws IOException {
    assertEquals(50 * GIB, said().share());
    servers = 5;
    assertEquals(40 * GIB, said().share());
  }

  @Test
  void aServerThatWritesMuchHasWhatTheOthersLeave() throws IOException {
    uses = List.of(0L, 0L, 0L, 0L);
    assertEquals(50 * GIB, said().share());
    uses = List.of(40 * GIB, 0L, 0L, 0L);
    for (int i = 0; i < 7; i++) {
      said();
    }
    assertEquals(100 * GIB, said().share(), "twice as much a minute");
    assertEquals(1, looks, "once in ten minutes: the answer has the load of every region");
    for (int i = 0; i < 61; i++) {
      said();
    }
    assertEquals(2, looks);
    servers = 5;
    uses = List.of(40 * GIB, 0L, 0L, 0L, 0L);
    said();
    assertEquals(3, looks, "and where a server is new");
  }

  @Test
  void nothingLandsOrIsDrainedWhereUserDataFollowsAnAdminsPolicy() throws IOException {
    assertTrue(said().open());
    hdfs.with("/hbase", StoragePolicy.ALL_SSD.id());
    TierState tierState = said();
    assertFalse(tierState.open());
    assertFalse(tierState.drains());
    assertTrue(tierState.why().contains("ALL_SSD"), tierState::why);
    hdfs.with("/hbase", StoragePolicy.UNSPECIFIED);
    assertTrue(said().open());
    hdfs.defaultsTo(StoragePolicy.ALL_SSD);
    assertFalse(said().drains());
  }

  @Test
  void theSameStateIsWrittenOnce() throws IOException {
    said();
    said();
    said();
    assertEquals(1, hdfs.writes().size());
  }

  @Test
  void aShareGrowsOnlyAfterTheDwell() throws IOException {
    said();
    servers = 2;
    for (int i = 0; i < 6; i++) {
      assertEquals(50 * GIB, said().share());
    }
    assertEquals(100 * GIB, said().share());
    servers = 4;
    assertEquals(50 * GIB, said().share());
  }

  @Test
  @DisplayName("closes before a component must leave SSD, opens at the high watermark")
  void shortSpace_closesBeforeDemotion() throws IOException {
    assertTrue(said().open());
    space = space(1_000, 149);
    assertFalse(said().open());
    space = space(1_000, 190);
    seconds += 1_000;
    assertFalse(said().open());
    space = space(1_000, 200);
    assertTrue(said().open());
  }

  @Test
  void itClosesWhereADataNodeHasNoHeadroom() throws IOException {
    space = space(10, 9);
    assertFalse(said().open(), () -> "2.25 GiB a node is less than 3");
  }

  @Test
  void itIsClosedWhereThereIsNoSsdAndNeedsNoSatisfier() throws IOException {
    space = space(0, 0);
    assertEquals("no DataNode has SSD", said().why());
    space = space(1_000, 900);
    hdfs.movesNothing();
    assertTrue(said().open());
  }

  @Test
  void theRoomIsWhatIsFreeAboveTheHighWatermark() throws IOException {
    assertEquals(175 * GIB, said().room());
    space = space(1_000, 240);
    assertEquals(10 * GIB, said().room());
    space = space(1_000, 160);
    assertEquals(-10 * GIB, said().room());
    assertTrue(said().open());
  }

  @Test
  void theWordIsRenewedWellBeforeItExpires() throws IOException {
    TierState first = said();
    int writes = hdfs.writes().size();
    for (int i = 0; i < 29; i++) {
      assertEquals(first, said());
    }
    assertEquals(writes, hdfs.writes().size());
    TierState renewed = said();
    assertEquals(300_000, renewed.publishedMillis() - first.publishedMillis());
    assertEquals("master", renewed.sender());
  }

  @Test
  void withoutSightOfSsdItKeepsWhatItKnew() throws IOException {
    space = Optional.empty();
    assertFalse(said().open());
    space = space(1_000, 900);
    said();
    space = Optional.empty();
    assertEquals(50 * GIB, said().share());
  }

  /** Draining would write all of the SSD tier to HDD because a web server did not answer. */
  @Test
  void nothingIsAddedOrDrainedWhileTheSpaceCannotBeRead() throws IOException {
    assertTrue(said().open());
    space = Optional.empty();
    assertTrue(said().open(), "not certain yet");
    settled = true;
    for (int hour = 0; hour < 360; hour++) {
      TierState grant = said();
      assertFalse(grant.open());
      assertFalse(grant.drains(), grant::toString);
      assertTrue(grant.keeps(), "or the scan would move what is on SSD");
      assertEquals("the space on SSD cannot be read", grant.why());
    }
    space = space(1_000, 900);
    assertTrue(said().open());
  }

  @Test
  void aDrainThatBeganWithAFigureGoesOnWithoutOne() throws IOException {
    assertTrue(said().open());
    space = space(1_000, 149);
    TierState closed = said();
    assertTrue(closed.drains() && !closed.open());
    space = Optional.empty();
    settled = true;
    assertEquals(closed, said());
    controller = controller(); // has read nothing
    assertFalse(said().drains());
  }

  @Test
  void aNewClusterWhoseSpaceIsNotKnownYetDrainsNothing() throws IOException {
    space = Optional.empty();
    assertFalse(said().open());
    assertFalse(said().drains());
  }

  /** A longer one would let the grant expire between two turns of the master. */
  @Test
  void theLongestPeriodRenewsTheGrantInTime() throws IOException {
    conf.set("hbase.hybrid.ssd.period", "1800s");
    int period = HybridSettings.read(conf).tier().periodSeconds();
    assertTrue(period <= 300, () -> "a period of " + period + " s is accepted");
    conf.set("hbase.hybrid.ssd.period", "300s");
    controller = controller();
    for (int turn = 0; turn < 20; turn++) {
      TierState grant = said();
      seconds += 319; // of which ten by said(): a turn that is late
      assertTrue(grant.asOf(TimeUnit.SECONDS.toMillis(seconds)).open(), grant::toString);
    }
  }

  @Test
  void whatIsNotKnownOpensNothingEither() throws IOException {
    said();
    space = space(1_000, 149);
    assertFalse(said().open());
    space = Optional.empty();
    for (int look = 0; look < 30; look++) {
      assertFalse(said().open());
    }
    space = space(1_000, 900);
    assertTrue(said().open());
  }

  @Test
  void aNewMasterThatDoesNotKnowYetLeavesTheWordOfTheOldOne() throws IOException {
    said();
    hdfs.writes().clear();
    space = Optional.empty();
    controller = controller();
    assertEquals(50 * GIB, said().share());
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void aHoldOrAnotherDeclarationTakesTheStateBack() throws IOException {
    said();
    hdfs.write(Hold.RECORD, ROOT, new Hold("test"));
    assertEquals("nothing", said().why());
    hdfs.remove(Hold.RECORD, ROOT);
    assertTrue(said().open());
    conf.set("hbase.hybrid.tier.policy", "NONE");
    controller = controller();
    assertEquals("nothing", said().why());
  }

  @Test
  void untilSomebodyAgreesNeitherIsAnythingDrainedNorDoesItLand() throws IOException {
    for (MoveConsent none :
        List.of(
            MoveConsent.waiting(DECLARED, "1 file"),
            MoveConsent.given(DECLARED + " not user hdfs://nn/hbase/data"),
            MoveConsent.given(DECLARED.replace("user=HOT", "user=NONE")))) {
      hdfs.write(MoveConsent.RECORD, ROOT, none);
      TierState tierState = said();
      assertFalse(tierState.open(), none::toString);
      assertFalse(tierState.drains(), none::toString);
      assertTrue(tierState.why().contains("apply"), tierState::why);
    }
    hdfs.remove(MoveConsent.RECORD, ROOT);
    space = Optional.empty();
    assertFalse(said().drains());
    hdfs.movesNothing();
    assertFalse(said().drains());
  }

  @Test
  void aClosedTierNamesItsFirstReason() throws IOException {
    hdfs.remove(MoveConsent.RECORD, ROOT);
    controller.scans(Optional::empty);
    assertTrue(said().why().startsWith(TierController.NO_SCAN), () -> hdfs.toString());
    controller.scans(() -> Optional.of("misplaced files of wal"));
    assertEquals("the last scan did not find all in place: misplaced files of wal", said().why());
    hdfs.write(MoveConsent.RECORD, ROOT, MoveConsent.waiting(DECLARED, "1 file to SSD"));
    assertEquals("existing data waits for 'hbase-hybrid apply': 1 file to SSD", said().why());
    space = space(1_000, 10);
    TierState tierState = said();
    String why = tierState.why();
    assertTrue(why.startsWith("the space monitor keeps SSD free"), why);
    assertTrue(
        why.endsWith("besides, existing data waits for 'hbase-hybrid apply': 1 file to SSD"), why);
    assertFalse(tierState.drains(), "nobody consented");
    space = space(0, 0);
    assertTrue(said().why().startsWith("no DataNode has SSD; besides, "));
    space = space(1_000, 900);
    conf.set("hbase.hybrid.scan.period", "0");
    hdfs.remove(MoveConsent.RECORD, ROOT);
    controller = controller();
    assertTrue(said().why().contains("hbase.hybrid.scan.period is 0"));
  }

  @Test
  void whatIsAgreedToBesideUserDataCountsToo() throws IOException {
    agree(DECLARED + " not archive hdfs://wals/hbase/oldWALs");
    assertTrue(said().open());
  }

  @Test
  void theKeyIsAWordToo() throws IOException {
    hdfs.remove(MoveConsent.RECORD, ROOT);
    conf.setBoolean("hbase.hybrid.move.existing", true);
    controller = controller();
    assertTrue(said().open());
  }

  /** A scan says nothing of data that nothing is declared for. */
  @Test
  void userDataThatIsLeftAloneIsNotDrained() throws IOException {
    conf.set("hbase.hybrid.user.policy", "NONE");
    agree(DECLARED.replace("user=HOT", "user=NONE"));
    controller = controller();
    assertFalse(said().drains());
  }
}
