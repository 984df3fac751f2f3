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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.wal.fallback.OpenState.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OpenStateTest {
  private static OpenState at(Step step, int tries, int silent) {
    OpenState state = new OpenState();
    state.step = step;
    state.tries = tries;
    for (int node = 0; node < silent; node++) {
      state.silent.add(WalOpenerTest.node("silent" + node));
    }
    return state;
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void nothingFollowsWhatIsOver_norAnAbsenceThatLastedTooLong(Step step) {
    OpenState state = at(step, 1, 0);
    assertNull(state.next(HdfsError.Kind.NAMENODE, -1));
    assertNull(state.next(HdfsError.Kind.GONE, 1));
    assertNull(state.next(HdfsError.Kind.PERMISSION, 1));
  }

  @ParameterizedTest
  @EnumSource(HdfsError.Kind.class)
  void aRefusalThatComesAfterTheDeadlineStillLeadsToDisk_andEveryOpeningEnds(HdfsError.Kind cause) {
    boolean medium = !cause.isNameNodes() && !cause.isFinal();
    assertEquals(medium ? Step.DISK : null, at(Step.SSD, 1, 0).next(cause, -1));
    Step step = Step.SSD;
    int tries = 1;
    for (int all = 1; step != null; all++) {
      assertTrue(all <= OpenState.TRIES + 3, cause + " goes on at " + step);
      Step next = at(step, tries, 1).next(cause, 1);
      tries = next == step ? tries + 1 : 1;
      step = next;
    }
  }

  /** With time left for SSD. */
  @ParameterizedTest
  @CsvSource({
    "SSD,         1, 0, NODE_REFUSED,    SSD",
    "SSD,         3, 0, NODE_REFUSED,    SSD",
    "SSD,         4, 0, NODE_REFUSED,    DISK",
    "SSD,         1, 0, NODE_SILENT,     SSD",
    "SSD,         1, 0, NO_TARGET,       DISK",
    "SSD,         1, 0, UNDER_REPLICATED, DISK",
    "DISK,        1, 0, NO_TARGET,       DISK_AFRESH",
    "DISK,        1, 1, NO_TARGET,       DISK_AFRESH",
    "DISK_AFRESH, 1, 0, NO_TARGET,",
    "DISK_AFRESH, 1, 1, NO_TARGET,",
    "DISK_AFRESH, 1, 0, NODE_REFUSED,", // tried in DISK
    "DISK_AFRESH, 1, 1, NODE_REFUSED,    DISK_AFRESH",
    "DISK_AFRESH, 2, 1, NODE_REFUSED,"
  })
  void oneStepFollowsAnother(Step step, int tries, int silent, HdfsError.Kind cause, Step next) {
    assertEquals(next, at(step, tries, silent).next(cause, 0));
  }

  /** Of three replicas only what silent DataNodes owe may be missing on SSD. */
  @ParameterizedTest
  @CsvSource({
    "SSD,  3, 0, 0, false, false, true",
    "SSD,  0, 0, 0, false, false, true", // not known
    "SSD,  2, 0, 0, false, false, false",
    "DISK, 1, 0, 0, false, false, true",
    "SSD,  2, 0, 1, false, false, true",
    "SSD,  1, 0, 1, false, false, false",
    "SSD,  2, 0, 1, true,  false, false",
    // Or what HDFS has no DataNode for, if it gives DISK instead.
    "SSD,  1, 0, 0, false, true,  true",
    "SSD,  1, 1, 0, false, true,  false",
    "SSD,  2, 0, 0, true,  true,  false"
  })
  void aShortFileIsKeptIfSsdIsNotWhy(
      Step step, int onSsd, int onDisk, int silent, boolean refused, boolean disk, boolean keeps) {
    OpenState state = at(step, 1, silent);
    state.refused = refused;
    List<StorageType> media = new ArrayList<>(Collections.nCopies(onSsd, StorageType.SSD));
    media.addAll(Collections.nCopies(onDisk, StorageType.DISK));
    assertEquals(keeps, state.keeps(media, 3, disk));
  }
}
