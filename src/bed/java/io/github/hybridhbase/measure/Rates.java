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
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** Operations a second of each ten seconds: whether a cell had settled. For one thread. */
@InterfaceAudience.Private
final class Rates {
  private static final double SECONDS = 10;

  private final List<Double> all = new ArrayList<>();
  private long counted;
  private double since;

  /**
   * @param count of operations since the beginning
   * @param seconds since the beginning
   */
  void look(long count, double seconds) {
    if (seconds - since >= SECONDS) {
      all.add(Numbers.rounded((count - counted) / (seconds - since)));
      counted = count;
      since = seconds;
    }
  }

  /** In the order of time; what is left of less than ten seconds is not among them. */
  List<Double> all() {
    return all;
  }
}
