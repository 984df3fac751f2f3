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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.TierState.TierUse;
import io.github.hybridhbase.placement.TierGrant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** What is told to all servers leaves to those that write much what the others do not need. */
@InterfaceAudience.Private
class TierLevelTest {
  private static final long BUDGET = 8_000;
  private static final Path WALS = new Path("/hbase/WALs/s,1,1");

  private long seconds = 1_000;

  @Test
  void whereNobodyOrEverybodyNeedsMoreItIsTheEqualPart() {
    assertEquals(2_000, TierGrant.nextBudget(BUDGET, 4, 0, List.of()));
    assertEquals(2_000, TierGrant.nextBudget(BUDGET, 4, 2_000, List.of(0L, 0L, 0L, 0L)));
    assertEquals(2_000, TierGrant.nextBudget(BUDGET, 4, 5_000, List.of(9L, 100L, 0L, 30L)));
    assertEquals(2_000, TierGrant.nextBudget(BUDGET, 4, 2_000, Collections.nCopies(4, 2_000L)));
    assertEquals(2_000, TierGrant.nextBudget(BUDGET, 4, 5_000, Collections.nCopies(4, 4_000L)));
  }

  @Test
  void oneThatWritesMuchHasMoreByAndBy() {
    List<Long> uses = List.of(1_600L, 0L, 0L, 0L);
    long level = TierGrant.nextBudget(BUDGET, 4, 2_000, uses);
    assertEquals(4_000, level, "twice at most");
    assertEquals(level, TierGrant.nextBudget(BUDGET, 4, level, uses), "it has not filled it yet");
    assertEquals(6_500, TierGrant.nextBudget(BUDGET, 4, level, List.of(3_500L, 0L, 0L, 0L)));
  }

  @Test
  void oneThatSaysNothingKeepsItsEqualPart() {
    assertEquals(2_000, TierGrant.nextBudget(BUDGET, 4, 2_000, List.of(2_000L)));
    assertEquals(5_000, TierGrant.nextBudget(BUDGET, 4, 4_000, List.of(4_000L, 0L, 0L)));
  }

  @Test
  void itFallsAtOnceWhereOthersBeginToWrite() {
    long before = 6_000;
    long next = TierGrant.nextBudget(BUDGET, 4, before, List.of(5_900L, 4_000L, 0L, 0L));
    assertTrue(next < before && next >= 2_000, () -> "" + next);
  }

  @Test
  void itIsNeverBelowTheEqualPartNorAboveTheBudget() {
    Random random = new Random(31);
    for (int i = 0; i < 10_000; i++) {
      int servers = 1 + random.nextInt(50);
      long told = random.nextInt((int) BUDGET);
      List<Long> uses = new ArrayList<>();
      for (int server = random.nextInt(servers + 1); server > 0; server--) {
        uses.add((long) random.nextInt((int) BUDGET));
      }
      long level = TierGrant.nextBudget(BUDGET, servers, told, uses);
      assertTrue(level >= BUDGET / servers && level <= BUDGET, () -> level + " of " + uses);
    }
  }

  @Test
  void aServerTellsOnceAndThenWhereMuchHasChanged() {
    long minute = TimeUnit.MINUTES.toNanos(1);
    assertTrue(TierService.UseReport.isWorthTelling(-1, 0, 0, 0));
    assertFalse(TierService.UseReport.isWorthTelling(0, 0, 0, 100 * minute));
    assertFalse(TierService.UseReport.isWorthTelling(0, 99, 800, minute));
    assertTrue(TierService.UseReport.isWorthTelling(0, 100, 800, minute));
    assertTrue(TierService.UseReport.isWorthTelling(100, 0, 800, minute));
    assertFalse(TierService.UseReport.isWorthTelling(0, 100, 800, minute - 1), "once a minute");
  }

  @Test
  void whatCouldNotBeToldIsToldLater() throws IOException {
    FakeNamespace hdfs = new FakeNamespace();
    TierService.UseReport report =
        new TierService.UseReport(hdfs, WALS, () -> TimeUnit.SECONDS.toNanos(seconds));
    report.turn(5, 800); // there is no WAL yet
    hdfs.with(WALS.toString(), 0);
    report.turn(5, 800);
    assertEquals(new TierUse(5), hdfs.read(TierUse.RECORD, WALS).read().orElseThrow());
    report.turn(700, 800);
    assertEquals(5, hdfs.read(TierUse.RECORD, WALS).read().orElseThrow().bytes());
    seconds += 60;
    report.turn(700, 800);
    assertEquals(700, hdfs.read(TierUse.RECORD, WALS).read().orElseThrow().bytes());
  }

  @Test
  void aServerThatHasLostItsStoresHasNothing() throws IOException {
    FakeNamespace hdfs = new FakeNamespace();
    hdfs.with(WALS.toString(), 0);
    TierService.UseReport report =
        new TierService.UseReport(hdfs, WALS, () -> TimeUnit.SECONDS.toNanos(seconds));
    report.last();
    assertTrue(hdfs.read(TierUse.RECORD, WALS).read().isEmpty(), "it has said nothing yet");
    report.turn(700, 800);
    report.last();
    assertEquals(0, hdfs.read(TierUse.RECORD, WALS).read().orElseThrow().bytes(), "at once");
    seconds += 60;
    report.turn(700, 800);
    assertEquals(
        700, hdfs.read(TierUse.RECORD, WALS).read().orElseThrow().bytes(), "stores came back");
  }

  /** Or its old figure would keep a part of the budget from the others. */
  @Test
  void whatAServerCouldNotTellAtLastItTellsAtTheNextTurn() throws IOException {
    FakeNamespace hdfs = new FakeNamespace();
    hdfs.with(WALS.toString(), 0);
    TierService.UseReport report =
        new TierService.UseReport(hdfs, WALS, () -> TimeUnit.SECONDS.toNanos(seconds));
    report.turn(700, 800);
    hdfs.diesAfter(0);
    assertThrows(IOException.class, report::last);
    hdfs.diesAfter(Integer.MAX_VALUE);
    report.last();
    assertEquals(0, hdfs.read(TierUse.RECORD, WALS).read().orElseThrow().bytes());
  }

  /** Without the zeros of those without stores the others had their equal part and no more. */
  @Test
  void whatServersWithoutStoresLeaveIsTheOthers() {
    List<Long> uses = new ArrayList<>(List.of(100L));
    assertEquals(100, TierGrant.nextBudget(1_000, 10, 100, uses));
    uses.addAll(Collections.nCopies(9, 0L));
    assertEquals(200, TierGrant.nextBudget(1_000, 10, 100, uses));
  }
}
