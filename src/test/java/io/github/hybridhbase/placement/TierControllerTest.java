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
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.runtime.HybridSettings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TierControllerTest {
  private static final Path ROOT = new Path("/hbase");
  private static final long GIB = 1L << 30;

  private final FakeNamespace hdfs = new FakeNamespace();
  private final Configuration conf = new Configuration(false);
  private Optional<SsdSpace> space = space(1_000, 900);
  private int servers = 4;
  private long seconds = 1_000;
  private TierController controller = controller();

  TierControllerTest() {
    settle();
    hdfs.writes().clear();
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
        () -> space,
        () -> servers,
        () -> TimeUnit.SECONDS.toMillis(seconds));
  }

  private TierState said() throws IOException {
    controller.doWork();
    seconds += 10;
    return TierState.on(hdfs, ROOT).orElse(TierState.closed("nothing"));
  }

  private void settle() {
    for (int i = 0; i < 7; i++) {
      controller.doWork();
      seconds += 10;
    }
  }

  private TierState settled() throws IOException {
    settle();
    return said();
  }

  @Test
  void eachServerHasAnEqualShareOfTheBudget() throws IOException {
    assertEquals(50 * GIB, said().share());
    servers = 5;
    assertEquals(40 * GIB, said().share());
  }

  @Test
  void aShareGrowsOnlyAfterTheDwell() throws IOException {
    said();
    servers = 2;
    for (int i = 0; i < 5; i++) {
      assertEquals(50 * GIB, said().share());
    }
    assertEquals(100 * GIB, said().share());
    servers = 4;
    assertEquals(50 * GIB, said().share());
  }

  @Test
  @DisplayName("closes half-way between the watermarks, opens at the high one")
  void shortSpace_closes() throws IOException {
    assertTrue(said().open());
    space = space(1_000, 149);
    TierState closed = said();
    assertTrue(closed.drains() && !closed.open());
    assertTrue(closed.why().startsWith("SSD is short"), closed::why);
    space = space(1_000, 190);
    seconds += 1_000;
    assertFalse(said().open());
    space = space(1_000, 200);
    assertTrue(said().open());
  }

  @Test
  void itIsClosedWhereThereIsNoSsd() throws IOException {
    space = space(0, 0);
    assertEquals("no DataNode has SSD", settled().why());
    space = space(1_000, 900);
    assertTrue(settled().open());
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
    TierState renewed = first;
    while (renewed.equals(first)) {
      renewed = said();
    }
    assertEquals(300_000, renewed.publishedMillis() - first.publishedMillis());
    assertEquals(1, hdfs.writes().size());
  }

  /** Draining would write all of the SSD tier to HDD because a web server did not answer. */
  @Test
  void nothingIsPublishedWhileTheSpaceCannotBeRead() throws IOException {
    TierState before = said();
    space = Optional.empty();
    for (int turn = 0; turn < 360; turn++) {
      assertEquals(before, said());
    }
    assertFalse(before.asOf(TimeUnit.SECONDS.toMillis(seconds)).open(), "servers add nothing");
    assertFalse(before.asOf(TimeUnit.SECONDS.toMillis(seconds)).drains(), "and rewrite nothing");
    space = space(1_000, 900);
    assertTrue(said().publishedMillis() > before.publishedMillis());
  }

  /** A NameNode that has left safe mode shows little SSD at first, and it full. */
  @Test
  void aCapacityIsBelievedOnceItHasStoodForAMinute() throws IOException {
    TierState before = said();
    for (int nodes = 1; nodes < 5; nodes++) {
      space = space(nodes * 200, nodes);
      assertEquals(before, said());
    }
    space = space(1_000, 900);
    assertEquals(50 * GIB, settled().share());
    space = space(500, 450);
    assertEquals(25 * GIB, settled().share());
  }

  @Test
  void aNewClusterWhoseSpaceIsNotKnownYetDrainsNothing() throws IOException {
    hdfs.removeXattr(ROOT, TierState.XATTR);
    space = Optional.empty();
    TierState paused = said();
    assertFalse(paused.open() || paused.drains());
  }

  @Test
  void aTierThatTheLastMasterClosedStaysClosedUpToTheHighWatermark() throws IOException {
    space = space(1_000, 149);
    assertFalse(said().open());
    space = space(1_000, 190);
    controller = controller();
    assertFalse(settled().open());
    hdfs.removeXattr(
        ROOT, TierState.XATTR); // the control: 19 % would open a tier that was not closed
    assertTrue(said().open());
  }

  @Test
  void aNewMasterThatDoesNotKnowYetLeavesTheWordOfTheOldOne() throws IOException {
    TierState before = said();
    controller = controller();
    assertEquals(before, said());
    space = Optional.empty();
    assertEquals(before, said());
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void anotherVersionsWordIsLeftAloneAndGrantsNothing() throws IOException {
    hdfs.withForeign("/hbase", TierState.XATTR, "v9 open");
    settle();
    assertEquals(List.of(), hdfs.writes());
    TierState last = controller.last().orElseThrow();
    assertFalse(last.open() || last.drains());
  }

  @Test
  void anotherDeclarationTakesTheStateBack() throws IOException {
    said();
    conf.set("hbase.hybrid.tier.policy", "NONE");
    controller = controller();
    assertEquals("nothing", said().why());
  }
}
