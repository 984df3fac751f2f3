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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/** What is measured, in which order, and how long that takes. Pure; immutable. */
@InterfaceAudience.Private
final class Matrix {
  /** What was stored comes back, all processes start and end; measured on two idle cores. */
  static final int START_SECONDS = 50;

  /** Rows a second that are loaded, and what a load takes beside them. */
  private static final int ROWS_PER_SECOND = 12_000;

  private static final int LOAD_SECONDS = 40;

  /** Reads a second from which hot rows are learnt, by 16 clients on two cores. */
  private static final int LEARNING_READS_PER_SECOND = 4_400;

  /** Bytes of store files to bytes of rows. */
  private static final double BYTES_STORED = 1.07;

  private final Map<Cell, List<String>> sections = new LinkedHashMap<>();

  private Matrix() {}

  /** The cells of all sections in their order, each once. */
  static Matrix of(Collection<Section> sections) {
    Matrix matrix = new Matrix();
    for (Section section : sections) {
      for (Cell cell : section.cells()) {
        List<String> names = matrix.sections.computeIfAbsent(cell, any -> new ArrayList<>());
        if (!names.contains(section.name())) {
          names.add(section.name());
        }
      }
    }
    return matrix;
  }

  /** The same cells, first all of the first round. */
  Matrix byRound() {
    Matrix sorted = new Matrix();
    cells().stream()
        .sorted(Comparator.comparingInt(cell -> cell.number(Axis.ROUND))) // a stable sort
        .forEach(cell -> sorted.sections.put(cell, sections.get(cell)));
    return sorted;
  }

  /** In the order in which they are measured. */
  List<Cell> cells() {
    return new ArrayList<>(sections.keySet());
  }

  /** Names of the sections that have a cell: it is measured in the first. */
  List<String> sections(Cell cell) {
    return List.copyOf(sections.get(cell));
  }

  /** What remains where these are done. */
  Matrix without(Set<String> ids) {
    Matrix rest = new Matrix();
    sections.forEach(
        (cell, names) -> {
          if (!ids.contains(cell.id())) {
            rest.sections.put(cell, names);
          }
        });
    return rest;
  }

  /** The states that are loaded. */
  Set<String> states() {
    Set<String> states = new LinkedHashSet<>();
    sections.keySet().forEach(cell -> states.add(cell.state()));
    return states;
  }

  /** The last cell of each state, after which the state may go. */
  Map<String, Cell> lastOfState() {
    Map<String, Cell> last = new HashMap<>();
    sections.keySet().forEach(cell -> last.put(cell.state(), cell));
    return last;
  }

  /** States that are kept at once, at most: each has its own copy of the data. */
  int mostStates() {
    Map<String, Cell> last = lastOfState();
    Set<String> kept = new LinkedHashSet<>();
    int most = 0;
    for (Cell cell : sections.keySet()) {
      kept.add(cell.state());
      most = Math.max(most, kept.size());
      if (last.get(cell.state()).equals(cell)) {
        kept.remove(cell.state());
      }
    }
    return most;
  }

  /** About how many bytes of HDD it needs: for states, and for one more while it is loaded. */
  long bytes(long dataBytes) {
    return (long) ((mostStates() + 2) * dataBytes * BYTES_STORED);
  }

  /**
   * About how long it takes, loads included.
   *
   * @param loaded states that need no load any more
   * @param learn reads a row from which hot rows are learnt, 0 for none
   * @param seconds of a run
   * @param warm seconds before it
   */
  long seconds(Set<String> loaded, long rows, double learn, int seconds, int warm) {
    long all = 0;
    for (Map.Entry<String, Cell> state : lastOfState().entrySet()) {
      if (!loaded.contains(state.getKey())) {
        all += loadSeconds(rows, state.getValue().hotPercent() > 0 ? learn : 0);
      }
    }
    for (Cell cell : sections.keySet()) {
      all += cellSeconds(cell, seconds, warm);
    }
    return all;
  }

  /** About how long a load of a state takes, with a second compaction if rows are learnt. */
  private static long loadSeconds(long rows, double learn) {
    long load = START_SECONDS + LOAD_SECONDS + rows / ROWS_PER_SECOND;
    return learn == 0
        ? load
        : load + LOAD_SECONDS + (long) (learn * rows / LEARNING_READS_PER_SECOND);
  }

  /**
   * What is left at the pace so far.
   *
   * @param estimated seconds of the whole run
   * @param left seconds of what is left of it, by the same estimate
   * @param took seconds so far
   */
  static long secondsLeft(long estimated, long left, long took) {
    return estimated > left ? left * took / (estimated - left) : left;
  }

  /** About how long a cell takes. */
  static long cellSeconds(Cell cell, int seconds, int warm) {
    return START_SECONDS
        + warm / 2
        + cell.longer() * (warm / 2 + seconds)
        + cell.experiment().moreSeconds();
  }
}
