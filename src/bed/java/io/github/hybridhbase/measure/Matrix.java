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

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
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

  private final Set<Cell> cells = new LinkedHashSet<>();

  private Matrix() {}

  /** The cells of all sections in their order, each once. */
  static Matrix of(Collection<Section> sections) {
    Matrix matrix = new Matrix();
    sections.forEach(section -> matrix.cells.addAll(section.cells()));
    return matrix;
  }

  /** The same cells, first all of the first round. */
  Matrix byRound() {
    Matrix sorted = new Matrix();
    cells().stream()
        .sorted(Comparator.comparingInt(cell -> cell.number(Axis.ROUND))) // a stable sort
        .forEach(sorted.cells::add);
    return sorted;
  }

  /** In the order in which they are measured. */
  List<Cell> cells() {
    return List.copyOf(cells);
  }

  /** What remains where these are done. */
  Matrix without(Set<String> ids) {
    Matrix rest = new Matrix();
    cells.stream().filter(cell -> !ids.contains(cell.id())).forEach(rest.cells::add);
    return rest;
  }

  /** The states that are loaded. */
  Set<String> states() {
    Set<String> states = new LinkedHashSet<>();
    cells.forEach(cell -> states.add(cell.state()));
    return states;
  }

  /** The last cell of each state, after which the state may go. */
  Map<String, Cell> lastOfState() {
    Map<String, Cell> last = new HashMap<>();
    cells.forEach(cell -> last.put(cell.state(), cell));
    return last;
  }

  /** States that are kept at once, at most: each has its own copy of the data. */
  int mostStates() {
    Map<String, Cell> last = lastOfState();
    Set<String> kept = new LinkedHashSet<>();
    int most = 0;
    for (Cell cell : cells) {
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
   * @param learn reads a row from which hot rows are learnt, 0 for none
   * @param seconds of a run
   * @param warm seconds before it
   */
  long seconds(long rows, double learn, int seconds, int warm) {
    long all = 0;
    for (Map.Entry<String, Cell> state : lastOfState().entrySet()) {
      all += loadSeconds(rows, state.getValue().hotPercent() > 0 ? learn : 0);
    }
    for (Cell cell : cells) {
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

  /** About how long a cell takes. */
  static long cellSeconds(Cell cell, int seconds, int warm) {
    return START_SECONDS
        + warm / 2
        + cell.longer() * (warm / 2 + seconds)
        + cell.experiment().moreSeconds();
  }
}
