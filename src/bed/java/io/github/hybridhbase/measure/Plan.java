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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.ParseException;
import org.apache.yetus.audience.InterfaceAudience;

/** The cells of a run in their order. */
@InterfaceAudience.Private
final class Plan {
  /** What was stored comes back, all processes start and end; measured on two idle cores. */
  private static final int START_SECONDS = 50;

  /** Rows a second that are loaded, and what a load takes beside them. */
  private static final int ROWS_PER_SECOND = 12_000;

  private static final int LOAD_SECONDS = 40;

  /** Bytes of store files to bytes of rows. */
  private static final double BYTES_STORED = 1.07;

  final List<Cell> cells;

  private Plan(List<Cell> cells) {
    this.cells = cells;
  }

  /**
   * Those of a profile; if an axis is given all combinations of what is given, above a profile's
   * single section. Round by round, so that a stopped run has each round as a whole.
   */
  static Plan of(Profile profile, String[] given) throws ParseException {
    CommandLine line = BenchOptions.parse(given);
    boolean axes = Arrays.stream(Axis.values()).anyMatch(axis -> line.hasOption(axis.label()));
    List<String> sections = axes && profile.sections.size() > 1 ? List.of("") : profile.sections;
    Set<Cell> all = new LinkedHashSet<>();
    for (String section : sections) {
      all.addAll(
          combinations(BenchOptions.parse(given, section, profile.options, BenchOptions.DEFAULTS)));
    }
    return new Plan(
        all.stream()
            .sorted( // stable: what is compared follows each other
                Comparator.comparingInt((Cell cell) -> cell.number(Axis.ROUND))
                    .thenComparing(Cell::mix))
            .collect(Collectors.toList()));
  }

  /**
   * Within a round the set-ups of one combination follow each other, each round beginning with
   * another one, so that what drifts with time meets all alike.
   */
  private static List<Cell> combinations(CommandLine line) {
    List<Cell> all = new ArrayList<>();
    for (int round = 1; round <= BenchOptions.number(line, "rounds"); round++) {
      List<Cell> cells = List.of(Cell.base().with(Axis.ROUND, Integer.toString(round)));
      for (Axis axis : Axis.values()) {
        if (line.hasOption(axis.label())) {
          List<String> values =
              new ArrayList<>(List.of(line.getOptionValue(axis.label()).split(",", -1)));
          Collections.rotate(values, axis == Axis.SETUP ? 1 - round : 0);
          cells =
              cells.stream()
                  .flatMap(cell -> values.stream().map(value -> cell.with(axis, value)))
                  .collect(Collectors.toList());
        }
      }
      cells.forEach(cell -> all.add(cell.normal()));
    }
    return all;
  }

  /** What remains where these are done. */
  Plan without(Set<String> ids) {
    return new Plan(
        cells.stream().filter(cell -> !ids.contains(cell.id())).collect(Collectors.toList()));
  }

  /** Loads, and states that are made of them: each has its own copy of the data, until all ends. */
  Set<String> states() {
    return cells.stream()
        .flatMap(cell -> Stream.of(cell.load(), cell.state()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** About how many bytes of HDD it needs: for states, and for one more while it is loaded. */
  long bytes(long dataBytes) {
    return (long) ((states().size() + 2) * dataBytes * BYTES_STORED);
  }

  /** About how long it takes, loads included. */
  long seconds(RunSettings settings) {
    Set<String> loaded = new LinkedHashSet<>();
    long all = 0;
    for (Cell cell : cells) {
      all +=
          START_SECONDS
              + settings.warm / 2
              + cell.longer() * (settings.warm / 2 + settings.seconds)
              + cell.experiment().moreSeconds;
      if (loaded.add(cell.load())) {
        all += START_SECONDS + LOAD_SECONDS + settings.rows / ROWS_PER_SECOND;
        all += cell.hotPercent() > 0 ? settings.learnSeconds() : 0;
      }
      if (loaded.add(cell.state()) && settings.learn > 0) {
        all += START_SECONDS + LOAD_SECONDS + settings.renewSeconds();
      }
    }
    return all;
  }
}
