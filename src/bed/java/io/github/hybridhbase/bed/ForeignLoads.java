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
package io.github.hybridhbase.bed;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** The foreign loads of one campaign. For one thread. */
@InterfaceAudience.Private
final class ForeignLoads implements AutoCloseable {
  /** What keeps servers up. */
  interface Upkeep {
    void run() throws IOException, InterruptedException;
  }

  private final List<LoadRounds> all = new ArrayList<>();

  /** Begins them on a bed whose servers are all up. */
  ForeignLoads(Bed bed, Set<LoadKind> kinds) throws IOException, InterruptedException {
    try {
      for (LoadKind kind : kinds) {
        all.add(new LoadRounds(kind.toString(), kind.begin(bed)));
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Looks at each.
   *
   * @throws AssertionError where one has found something missing or wrong
   */
  void check() {
    all.forEach(LoadRounds::check);
  }

  /**
   * Has each verify once more, all servers being up from now on, and waits for that.
   *
   * @param meanwhile keeps them up; called every second
   * @throws AssertionError as {@link #check}
   */
  void end(Upkeep meanwhile) throws IOException, InterruptedException {
    all.forEach(LoadRounds::finish);
    while (all.stream().anyMatch(LoadRounds::isUnderWay)) {
      meanwhile.run();
      TimeUnit.SECONDS.sleep(1);
    }
    for (LoadRounds one : all) {
      one.end();
    }
  }

  /** What came of each so far. */
  List<String> lines() {
    return all.stream().map(LoadRounds::toString).collect(Collectors.toList());
  }

  @Override
  public void close() throws IOException, InterruptedException {
    for (LoadRounds one : all) {
      one.close();
    }
  }
}
