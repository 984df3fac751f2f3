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

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** How many operations a second a cell is given. Pure. */
@InterfaceAudience.Private
final class TargetLoad {
  private TargetLoad() {}

  /**
   * The load of a cell.
   *
   * @param measured cells so far: a share, such as {@code 80%}, is of the median of all HDD's
   *     throughput there, without a target and else alike
   * @return operations a second, 0 for as many as go
   * @throws IllegalArgumentException where all HDD was not measured
   */
  static int of(Cell cell, List<JsonNode> measured) {
    String target = cell.get(Axis.TARGET);
    if (!target.endsWith("%")) {
      return Integer.parseInt(target);
    }
    Cell base =
        cell.with(Axis.TARGET, Axis.TARGET.base()).with(Axis.SETUP, Setup.HDD.label()).normal();
    List<Double> rates = new ArrayList<>();
    for (JsonNode one : measured) {
      boolean alike = true;
      for (Axis axis : Axis.values()) {
        alike &= axis == Axis.ROUND || one.path(axis.label()).asText().equals(base.get(axis));
      }
      if (alike) {
        rates.add(one.path("opsPerSecond").asDouble());
      }
    }
    if (rates.isEmpty()) {
      throw new IllegalArgumentException(
          "the target "
              + target
              + " is of all HDD without a target, which was not measured: "
              + base);
    }
    double percent = Double.parseDouble(target.substring(0, target.length() - 1));
    return Math.max(1, (int) (Numbers.median(rates) * percent / 100));
  }
}
