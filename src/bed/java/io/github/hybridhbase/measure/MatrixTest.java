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
package io.github.hybridhbase.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.ParseException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is measured, in which order, and how long that takes. */
@InterfaceAudience.Private
class MatrixTest {
  private static long minutes(Profile profile) {
    return seconds(profile.plan(profile.sections), profile) / 60;
  }

  private static long seconds(Matrix plan, Profile profile) {
    return plan.seconds(Set.of(), profile.rows, 1, profile.seconds, profile.warm);
  }

  private static List<String> ids(Matrix plan) {
    return plan.cells().stream().map(Cell::id).collect(Collectors.toList());
  }

  @Test
  void profilesTakeWhatTheyAreSaidTo() {
    assertTrue(minutes(Profile.of("short")) <= 22, minutes(Profile.of("short")) + " minutes");
    assertTrue(minutes(Profile.of("writes")) <= 60, minutes(Profile.of("writes")) + " minutes");
    assertTrue(minutes(Profile.of("reads")) <= 150, minutes(Profile.of("reads")) + " minutes");
    assertTrue(minutes(Profile.of("paper")) <= 7 * 60, minutes(Profile.of("paper")) + " minutes");
    assertTrue(minutes(Profile.of("full")) <= 12 * 60, minutes(Profile.of("full")) + " minutes");
    assertThrows(IllegalArgumentException.class, () -> Profile.of("long"));
  }

  @Test
  void movedHotRowsAreMeasuredAfterOneStoreOfEach() {
    Matrix plan = Matrix.of(Profile.of("moved").sections);
    assertEquals(
        List.of("hdd", "hybrid+hot", "hybrid+hot"),
        plan.cells().stream().map(cell -> cell.get(Axis.SETUP)).collect(Collectors.toList()));
    assertEquals(2, plan.states().size());
    assertTrue(minutes(Profile.of("moved")) >= CellRun.LONGEST_MOVE_SECONDS / 60);
  }

  @Test
  void thePapersFigureHasEachRoundWholeBeforeTheNext() {
    Profile paper = Profile.of("paper");
    List<Cell> cells = paper.plan(paper.sections).cells();
    int round = cells.size() / 3;
    assertEquals(48, round, "A to F and two numbers of clients in six set-ups");
    for (int i = 0; i < cells.size(); i++) {
      assertEquals(1 + i / round, cells.get(i).number(Axis.ROUND), cells.get(i).id());
    }
    assertEquals(
        List.of("hdd 0", "wal-only 0", "hybrid 0", "hybrid+hot 10", "ssd 0", "hybrid+hot 25"),
        cells.subList(0, 6).stream()
            .map(cell -> cell.get(Axis.SETUP) + " " + cell.get(Axis.SHARE))
            .collect(Collectors.toList()));
    assertEquals(
        Set.of("10", "100"),
        cells.stream()
            .filter(Cell::durable)
            .map(cell -> cell.get(Axis.THREADS))
            .collect(Collectors.toSet()));
    assertEquals(7, paper.plan(paper.sections).mostStates(), "D has hot rows of its own");
  }

  @Test
  void theHelpRunsThePapersFigureAsTheReadmeDoes() throws IOException {
    ByteArrayOutputStream help = new ByteArrayOutputStream();
    BenchOptions.help(new PrintStream(help, true, StandardCharsets.UTF_8));
    String command =
        help.toString(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.contains("--profile paper"))
            .collect(Collectors.joining())
            .trim();
    String readme = Files.readString(Path.of("bench/README.md"));
    assertTrue(readme.contains("| `" + command + "` |"), command);
  }

  @Test
  void theFirstRoundOfThePapersFigureTakesAnEvening() {
    Profile paper = Profile.of("paper");
    Matrix all = paper.plan(paper.sections);
    Set<String> later = new HashSet<>();
    all.cells().stream()
        .filter(cell -> cell.number(Axis.ROUND) > 1)
        .forEach(cell -> later.add(cell.id()));
    long minutes = seconds(all.without(later), paper) / 60;
    assertTrue(minutes <= 195, minutes + " minutes");
  }

  /** An hour of loads is lost if the sixth one finds no space. */
  @Test
  void aPlanWhoseStatesDoNotFitIsRefusedAtOnce() {
    Profile paper = Profile.of("paper");
    Matrix plan = paper.plan(paper.sections);
    Scale scale = Scale.of(paper.rows, paper.memoryRatio, paper.tierPercent);
    BenchCommand.check(plan, scale, 24_000_000_000L);
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> BenchCommand.check(plan, scale, 16_000_000_000L));
    assertEquals(
        "7 states at once need 19.3 GB of HDD, 16.0 are free: with --devices set GB=22",
        refused.getMessage());
  }

  @Test
  void whatIsLeftIsEstimatedByWhatItTookSoFar() {
    Profile paper = Profile.of("paper");
    Matrix plan = paper.plan(paper.sections);
    long all = seconds(plan, paper);
    assertEquals(all, Matrix.secondsLeft(all, all, 0), "nothing is done");
    assertEquals(1_500, Matrix.secondsLeft(2_000, 1_000, 1_500), "half took half as long again");
    assertEquals(1_000, Matrix.secondsLeft(900, 1_000, 50), "a state has to be loaded again");
    Set<String> loaded = plan.states();
    assertEquals(
        plan.cells().size() * Matrix.cellSeconds(Cell.base(), paper.seconds, paper.warm),
        plan.seconds(loaded, paper.rows, 1, paper.seconds, paper.warm));
  }

  private static List<String> words(String profile) {
    return Matrix.of(Profile.of(profile).sections).cells().stream()
        .map(
            cell ->
                String.join(
                    " ",
                    cell.get(Axis.WORKLOAD),
                    cell.get(Axis.SYNC),
                    cell.get(Axis.THREADS),
                    cell.get(Axis.READS),
                    cell.get(Axis.SETUP)))
        .collect(Collectors.toList());
  }

  @Test
  void theShortProfileAnswersTheMainQuestions() {
    assertEquals(
        List.of(
            "C hflush 16 devices hdd",
            "C hflush 16 devices hybrid",
            "update hflush 16 memory hdd",
            "update hflush 16 memory hybrid",
            "update durable 100 memory wal-only",
            "update durable 100 memory hybrid"),
        words("short"));
    assertEquals(2, Matrix.of(Profile.of("short").sections).states().size());
  }

  @Test
  void theWritesAreMeasuredWithBothOfHBasesWaysAndThePlugin() {
    List<String> cells = words("writes");
    for (String setup : new String[] {"hdd", "wal-only", "hybrid"}) {
      for (String workload : new String[] {"update", "A", "F"}) {
        assertTrue(cells.contains(workload + " hflush 16 memory " + setup), cells.toString());
      }
    }
    for (String setup : new String[] {"wal-only", "hybrid"}) {
      assertTrue(cells.contains("update durable 10 memory " + setup), cells.toString());
      assertTrue(cells.contains("update durable 100 memory " + setup), cells.toString());
    }
  }

  /** Else what memory and the SSD take for a moment counts as throughput. */
  @Test
  void slowDevicesAreMeasuredForLonger() {
    Cell cell = Cell.base();
    assertEquals(Matrix.START_SECONDS + 40 + 30, Matrix.cellSeconds(cell, 30, 40));
    assertEquals(
        Matrix.START_SECONDS + 20 + 4 * (20 + 30),
        Matrix.cellSeconds(cell.with(Axis.SLOWER, "24"), 30, 40));
  }

  @Test
  void theFullProfileHasEverySetUpEveryWorkloadAndAllAxes() {
    List<Cell> cells = Matrix.of(Profile.of("full").sections).cells();
    Set<String> setups = cells.stream().map(c -> c.get(Axis.SETUP)).collect(Collectors.toSet());
    // Hot rows are learnt in each cell, which takes minutes: profile hot has them.
    assertEquals(Setup.values().length - 1, setups.size(), setups.toString());
    assertFalse(setups.contains("hybrid+hot"));
    Set<Mix> mixes = cells.stream().map(Cell::mix).collect(Collectors.toSet());
    assertEquals(Mix.values().length, mixes.size());
    assertEquals(
        Set.of("0", "1", "5", "10", "25"),
        cells.stream().map(c -> c.get(Axis.SHARE)).collect(Collectors.toSet()));
    assertEquals(
        Set.of("8", "16", "32", "64"),
        cells.stream().map(c -> c.get(Axis.BLOCK)).collect(Collectors.toSet()));
    assertEquals(
        Set.of("uniform", "zipfian", "latest", "hotspot"),
        cells.stream().map(Cell::keys).collect(Collectors.toSet()));
  }

  @Test
  void theReadsOfTheFullProfileAreMeasuredWithCachesThatLive() {
    Profile reads = Profile.of("reads");
    Scale scale = Scale.of(reads.rows, Scale.PAPER, reads.tierPercent);
    List<Cell> full = Matrix.of(Profile.of("full").sections).cells();
    for (Cell cell : Matrix.of(reads.sections).cells()) {
      assertTrue(full.contains(cell), cell.id());
      assertEquals("devices", cell.get(Axis.READS));
      scale.cacheMb(cell.number(Axis.SHARE)); // which refuses what HBase would
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reads", "full"})
  void oneAxisAtATimeIsVaried(String profile) {
    for (Cell cell : Matrix.of(Profile.of(profile).sections).cells()) {
      int other = 0;
      for (Axis axis : List.of(Axis.KEYS, Axis.BLOCK, Axis.TARGET, Axis.SYNC)) {
        other += cell.get(axis).equals(axis.base()) ? 0 : 1;
      }
      assertTrue(other <= 1, cell.id());
    }
  }

  @Test
  void setUpsOfOneCombinationFollowEachOtherAndTakeTurnsToBeFirst() {
    Matrix plan =
        Matrix.of(
            List.of(
                Section.of("s", 2).over(Axis.WORKLOAD, "A", "C").over(Axis.SETUP, "hdd", "ssd")));
    assertEquals(
        List.of(
            "A hdd 1", "A ssd 1", "C hdd 1", "C ssd 1", "A ssd 2", "A hdd 2", "C ssd 2", "C hdd 2"),
        plan.cells().stream()
            .map(c -> c.get(Axis.WORKLOAD) + " " + c.get(Axis.SETUP) + " " + c.get(Axis.ROUND))
            .collect(Collectors.toList()));
  }

  @Test
  void whatTwoSectionsShareIsMeasuredOnce() {
    Section shares =
        Section.of("shares", 1).over(Axis.SHARE, "5", "10").over(Axis.SETUP, "hdd", "hybrid+cache");
    Section keys = Section.of("keys", 1).over(Axis.KEYS, "zipfian").over(Axis.SETUP, "hdd");
    Matrix plan = Matrix.of(List.of(shares, keys));
    assertEquals(3, plan.cells().size(), ids(plan).toString());
    assertEquals(List.of("shares", "keys"), plan.sections(plan.cells().get(0)));
    assertEquals(new HashSet<>(ids(plan)).size(), ids(plan).size());
  }

  @Test
  void roundsAloneRepeatThePlan() throws ParseException {
    CommandLine line =
        new DefaultParser().parse(BenchOptions.all(), new String[] {"--rounds", "3"});
    Profile profile = Profile.of("short");
    Matrix once = Matrix.of(profile.sections);
    Matrix thrice = Matrix.of(BenchCommand.sections(line, profile));
    assertEquals(3 * once.cells().size(), thrice.cells().size());
    assertTrue(thrice.cells().containsAll(once.cells()), "what was measured once is not repeated");
  }

  @Test
  void aRunGoesOnWithWhatIsNotDone() {
    Matrix plan = Matrix.of(Profile.of("short").sections);
    List<String> ids = ids(plan);
    Matrix rest = plan.without(new HashSet<>(ids.subList(0, 3)));
    assertEquals(ids.subList(3, ids.size()), ids(rest));
    assertEquals(0, plan.without(new HashSet<>(ids)).cells().size());
    assertEquals(0, seconds(plan.without(new HashSet<>(ids)), Profile.of("short")));
  }

  @Test
  void aCacheSharesItsStateWithHybridAndABlockSizeDoesNot() {
    Section section = Section.of("s", 1).over(Axis.SHARE, "5");
    Matrix one = Matrix.of(List.of(section.over(Axis.SETUP, "hybrid", "hybrid+cache")));
    assertEquals(Set.of("hybrid/64k"), one.states());
    Section several = section.over(Axis.BLOCK, "8", "16").over(Axis.SETUP, "hdd", "hybrid");
    Matrix blocks = Matrix.of(List.of(several));
    assertEquals(4, blocks.states().size());
    assertEquals(1, blocks.mostStates(), "each goes after its only cell");
    assertEquals(4, Matrix.of(List.of(several.rounds(2))).mostStates());
    assertEquals("hdd", blocks.lastOfState().get("hdd/16k").get(Axis.SETUP));
  }

  /** Which rows are hot is learnt while a state is loaded. */
  @Test
  void hotRowsHaveAStateForEachShareAndDistribution() {
    Section section = Section.of("s", 1).over(Axis.SETUP, "hybrid", "hybrid+hot");
    Matrix shares =
        Matrix.of(List.of(section.over(Axis.WORKLOAD, "B", "C", "D").over(Axis.SHARE, "5", "25")));
    assertEquals(
        Set.of(
            "hybrid/64k",
            "hybrid/64k/5% hot/zipfian",
            "hybrid/64k/25% hot/zipfian",
            "hybrid/64k/5% hot/latest",
            "hybrid/64k/25% hot/latest"),
        shares.states());
    assertEquals(9, shares.cells().size(), "no share for hybrid");
  }

  @Test
  void whatNoSetUpIsCalledIsRefused() {
    Section section = Section.of("s", 1).over(Axis.SETUP, "hdds");
    assertThrows(IllegalArgumentException.class, () -> Matrix.of(List.of(section)));
    Cell cell = Cell.base().with(Axis.SYNC, "often");
    assertThrows(IllegalArgumentException.class, cell::durable);
  }
}
