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
package io.github.hybridhbase.wal.fallback;

import static io.github.hybridhbase.hdfs.HdfsError.Kind.GONE;
import static io.github.hybridhbase.hdfs.HdfsError.Kind.NAMENODE;
import static io.github.hybridhbase.hdfs.HdfsError.Kind.NODE_REFUSED;
import static io.github.hybridhbase.hdfs.HdfsError.Kind.NODE_SILENT;
import static io.github.hybridhbase.hdfs.HdfsError.Kind.NO_TARGET;
import static io.github.hybridhbase.hdfs.HdfsError.Kind.PERMISSION;
import static io.github.hybridhbase.hdfs.HdfsError.Kind.UNDER_REPLICATED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.wal.fallback.OpenState.Step;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class OpenStateTest {
  private int silent;
  private boolean refused;
  private boolean diskForSsd;
  private long ssdLeft = 1;
  private long nameNodeLeft = 1;

  private OpenState after(Step step, int tries) {
    OpenState state = new OpenState();
    state.step = step;
    state.tries = tries;
    for (int node = 0; node < silent; node++) {
      state.silent.add(WalOpenerTest.node("silent" + node));
    }
    state.refused = refused;
    return state;
  }

  private boolean keeps(Step step, int replicas) {
    return after(step, 1).keeps(Collections.nCopies(replicas, StorageType.SSD), 3, diskForSsd);
  }

  private Step next(Step step, HdfsError.Kind cause) {
    return after(step, 1).next(cause, ssdLeft, nameNodeLeft);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"WAIT", "GIVE_UP"})
  void unavailableNameNode_isAwaitedUntilDeadline_inEveryStep(Step step) {
    ssdLeft = -1;
    assertEquals(Step.WAIT, next(step, NAMENODE));
    nameNodeLeft = 0;
    assertEquals(Step.GIVE_UP, next(step, NAMENODE));
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"WAIT", "GIVE_UP"})
  void whatIsOverIsGivenUp(Step step) {
    assertEquals(Step.GIVE_UP, next(step, GONE));
    assertEquals(Step.GIVE_UP, next(step, PERMISSION));
  }

  @ParameterizedTest
  @EnumSource(HdfsError.Kind.class)
  void aRefusalThatComesAfterTheDeadlineStillLeadsToDisk(HdfsError.Kind cause) {
    nameNodeLeft = -1;
    ssdLeft = -1;
    boolean medium = !cause.isNameNodes() && !cause.isFinal();
    assertEquals(medium ? Step.DISK : Step.GIVE_UP, next(Step.SSD, cause));
  }

  @Test
  void ssdIsTriedAgainWithoutTheDataNodeThatFailed() {
    assertEquals(Step.SSD, next(Step.SSD, NODE_REFUSED));
    assertEquals(Step.SSD, next(Step.SSD, NODE_SILENT));
    assertEquals(
        Step.DISK, after(Step.SSD, OpenState.TRIES).next(NODE_REFUSED, ssdLeft, nameNodeLeft));
  }

  @Test
  void refusalOfNameNode_leadsToDisk() {
    assertEquals(Step.DISK, next(Step.SSD, NO_TARGET));
    assertEquals(Step.DISK, next(Step.SSD, UNDER_REPLICATED));
    assertEquals(Step.DISK_AFRESH, next(Step.DISK, NO_TARGET));
    assertEquals(Step.GIVE_UP, next(Step.DISK_AFRESH, NO_TARGET));
  }

  @Test
  void aSilentDataNodeIsLeftOutOnDiskToo() {
    silent = 1;
    assertEquals(Step.DISK_WITHOUT_SILENT, next(Step.SSD, NO_TARGET));
    assertEquals(Step.DISK_AFRESH, next(Step.DISK_WITHOUT_SILENT, NO_TARGET));
    // HBase's own client has two tries, as after DISK.
    assertEquals(Step.DISK_AFRESH, next(Step.DISK_AFRESH, NODE_REFUSED));
    assertEquals(
        Step.GIVE_UP, after(Step.DISK_AFRESH, 2).next(NODE_REFUSED, ssdLeft, nameNodeLeft));
    assertEquals(Step.GIVE_UP, next(Step.DISK_AFRESH, NO_TARGET));
  }

  @Test
  void everyOpeningEnds() {
    for (HdfsError.Kind cause : HdfsError.Kind.values()) {
      if (!cause.isNameNodes()) {
        silent = 1;
        Step step = Step.SSD;
        int tries = 1;
        for (int all = 1; step != Step.GIVE_UP; all++) {
          assertTrue(all <= OpenState.TRIES + 3, cause + " goes on at " + step);
          Step next = after(step, tries).next(cause, ssdLeft, nameNodeLeft);
          tries = next == step ? tries + 1 : 1;
          step = next;
        }
      }
    }
  }

  @Test
  void onlyWhatSilentDataNodesOweMayBeMissingOnSsd() {
    assertTrue(keeps(Step.SSD, 3));
    assertTrue(keeps(Step.SSD, 0), "not known");
    assertFalse(keeps(Step.SSD, 2));
    assertTrue(keeps(Step.DISK, 1));
    silent = 1;
    assertTrue(keeps(Step.SSD, 2));
    assertFalse(keeps(Step.SSD, 1));
    refused = true;
    assertFalse(keeps(Step.SSD, 2));
  }

  @Test
  void noDataNodeForReplica_mayBeMissing_ifHdfsGivesDisk() {
    diskForSsd = true;
    assertTrue(keeps(Step.SSD, 1));
    assertFalse(
        after(Step.SSD, 1).keeps(List.of(StorageType.SSD, StorageType.DISK), 3, diskForSsd));
    refused = true;
    assertFalse(keeps(Step.SSD, 2));
  }
}
