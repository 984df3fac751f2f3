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

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** One thing to measure once: a value on each {@link Axis}. Immutable. */
@InterfaceAudience.Private
final class Cell {
  private static final int LONGER = 4;

  private final Map<Axis, String> values;

  private Cell(Map<Axis, String> values) {
    this.values = values;
  }

  /** The cell from which one axis at a time is varied. */
  static Cell base() {
    Map<Axis, String> values = new EnumMap<>(Axis.class);
    for (Axis axis : Axis.values()) {
      values.put(axis, axis.base);
    }
    return new Cell(values);
  }

  /** The same with another value on an axis. */
  Cell with(Axis axis, String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException("nothing for " + axis.label());
    }
    Map<Axis, String> changed = new EnumMap<>(values);
    changed.put(axis, value);
    return new Cell(changed);
  }

  /**
   * The same, without what has no meaning for it: a share where neither a cache nor hot rows have
   * one, and a distribution that is the workload's own.
   */
  Cell normal() {
    Cell cell = this;
    if (!setup().hasShare()) {
      cell = cell.with(Axis.SHARE, Axis.SHARE.base);
    }
    if (mix().keys.equals(get(Axis.KEYS))) {
      cell = cell.with(Axis.KEYS, Axis.KEYS.base);
    }
    return cell;
  }

  String get(Axis axis) {
    return values.get(axis);
  }

  int number(Axis axis) {
    return Integer.parseInt(get(axis));
  }

  /** Percent. */
  double share() {
    return Double.parseDouble(get(Axis.SHARE));
  }

  Setup setup() {
    return Axis.of(Setup.class, get(Axis.SETUP));
  }

  Mix mix() {
    return Axis.of(Mix.class, get(Axis.WORKLOAD));
  }

  Experiment experiment() {
    return Axis.of(Experiment.class, get(Axis.EXPERIMENT));
  }

  boolean durable() {
    return second(Axis.SYNC, "hflush", "durable");
  }

  boolean readsHitMemory() {
    return second(Axis.READS, "devices", "memory");
  }

  private boolean second(Axis axis, String first, String second) {
    if (!List.of(first, second).contains(get(axis))) {
      throw new IllegalArgumentException(
          "--" + axis.label() + " " + get(axis) + ": " + first + " or " + second);
    }
    return get(axis).equals(second);
  }

  /** How many times slower than they are said to be all devices are made, 1 or more. */
  int slower() {
    int times = number(Axis.SLOWER);
    if (times < 1) {
      throw new IllegalArgumentException("slower " + times + " times: 1 or more");
    }
    return times;
  }

  /**
   * How many times as long as others it takes: a slow HDD takes minutes until what writes were
   * ahead of it, in memory and on the SSD, has an end.
   */
  int longer() {
    return slower() == 1 ? 1 : LONGER;
  }

  /** Size of the bucket cache in percent of the data; 0 for none. */
  double cachePercent() {
    return setup() == Setup.HYBRID_HOT ? 0 : share();
  }

  /** What files of hot rows may have, in percent of a store; 0 for none. */
  double hotPercent() {
    return setup() == Setup.HYBRID_HOT ? share() : 0;
  }

  /** The distribution of keys. */
  String keys() {
    return get(Axis.KEYS).equals(Axis.KEYS.base) ? mix().keys : get(Axis.KEYS);
  }

  /** Rows that are loaded for it, and learnt if some are to be hot; cells that agree share them. */
  String load() {
    return stored("hot/");
  }

  /** What is stored before it begins; cells that agree in it share one state of their load. */
  String state() {
    return stored(get(Axis.SHARE) + "% hot/");
  }

  private String stored(String hot) {
    String what = experiment() == Experiment.RECOVERY ? "/recovery" : "";
    String learnt = hotPercent() == 0 ? "" : "/" + hot + keys();
    return setup().stored() + "/" + get(Axis.BLOCK) + "k" + learnt + what;
  }

  /** Its name in results, by which a run that goes on knows what is done. */
  String id() {
    return values.values().stream().collect(Collectors.joining("/"));
  }

  @Override
  public boolean equals(Object that) {
    return that instanceof Cell && values.equals(((Cell) that).values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return id();
  }
}
