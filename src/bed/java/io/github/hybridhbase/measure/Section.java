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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A part of a plan: all combinations of what is given for some axes, the rest as in {@link
 * Cell#base}. Immutable.
 */
@InterfaceAudience.Private
final class Section {
  private final String name;
  private final int rounds;
  private final Map<Axis, List<String>> values;

  private Section(String name, int rounds, Map<Axis, List<String>> values) {
    this.name = name;
    this.rounds = rounds;
    this.values = values;
  }

  /**
   * @param name for people
   * @param rounds 1 or more
   */
  static Section of(String name, int rounds) {
    return new Section(name, rounds, new EnumMap<>(Axis.class));
  }

  Section over(Axis axis, String... several) {
    Map<Axis, List<String>> more = new EnumMap<>(values);
    more.put(axis, List.of(several));
    return new Section(name, rounds, more);
  }

  /** The same, as often. */
  Section rounds(int count) {
    return new Section(name, count, values);
  }

  String name() {
    return name;
  }

  /**
   * Round by round; within a round the set-ups of one combination follow each other, each round
   * beginning with another one, so that what drifts with time meets all alike.
   */
  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      List<Cell> combinations = List.of(Cell.base().with(Axis.ROUND, Integer.toString(round)));
      for (Map.Entry<Axis, List<String>> axis : values.entrySet()) {
        combinations = product(combinations, axis.getKey(), axis.getValue(), round);
      }
      combinations.forEach(cell -> cells.add(cell.normal()));
    }
    return cells;
  }

  private static List<Cell> product(List<Cell> cells, Axis axis, List<String> several, int round) {
    List<Cell> product = new ArrayList<>();
    for (Cell cell : cells) {
      for (int i = 0; i < several.size(); i++) {
        int turn = axis == Axis.SETUP ? (i + round - 1) % several.size() : i;
        product.add(cell.with(axis, several.get(turn)));
      }
    }
    return product;
  }
}
