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
package io.github.hybridhbase.tier.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.tier.drain.Drain.DrainPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class DrainPlanTest {
  private static TieredFile file(
      String table, String name, long bytes, long due, boolean archived) {
    Path path = new Path("/hbase/" + table + "/" + name);
    TieredFile file = TieredFile.inStore(path, table, bytes, due, 0, true);
    return archived ? file.archived(path, due) : file;
  }

  private static List<String> choose(List<TieredFile> files, long now, long threshold, int most) {
    return DrainPlan.choose(files, f -> true, f -> false, now, threshold, false, most).stream()
        .map(TieredFile::name)
        .collect(Collectors.toList());
  }

  @Test
  void whatIsDueGoesOldestFirst() {
    List<TieredFile> files =
        List.of(
            file("t", "b", 1, 20, false),
            file("t", "a", 1, 10, false),
            file("t", "young", 1, 99, false));
    assertEquals(List.of("a", "b"), choose(files, 50, 1_000, 10));
    assertEquals(List.of("a"), choose(files, 50, 1_000, 1));
  }

  @Test
  void aboveTheThresholdTheTableThatIsMostOverItsFairShareGoesFirst() {
    List<TieredFile> files =
        List.of(
            file("small", "s1", 10, 100, false),
            file("large", "l2", 30, 102, false),
            file("large", "l1", 30, 101, false),
            file("large", "l3", 30, 103, false));
    assertEquals(List.of("l1"), choose(files, 0, 70, 10));
    assertEquals(List.of("l1", "l2", "l3"), choose(files, 0, 10, 10));
    assertEquals(List.of(), choose(files, 0, 100, 10));
  }

  @Test
  void theArchiveDiesByItselfUnlessItIsOverdueOrSsdIsClosed() {
    List<TieredFile> files =
        List.of(file("t", "old", 50, 100, true), file("t", "new", 5, 200, false));
    assertEquals(List.of("new"), choose(files, 0, 0, 10));
    assertEquals(List.of("old"), choose(files, 100, 50, 10));
    assertEquals(2, DrainPlan.choose(files, f -> true, f -> false, 0, 0, true, 10).size());
  }

  @Test
  void propertiesHoldForAnyFiles() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 3_000; round++) {
      String what = "seed " + seed + " round " + round;
      List<TieredFile> files = new ArrayList<>();
      for (int i = random.nextInt(30); i > 0; i--) {
        files.add(
            file(
                "t" + random.nextInt(3),
                "f" + random.nextInt(40),
                random.nextInt(100),
                random.nextInt(100),
                random.nextInt(4) == 0));
      }
      int busy = random.nextInt(5) + 1;
      int now = random.nextInt(120);
      long threshold = random.nextInt(1_500);
      int most = random.nextInt(30);
      boolean closed = random.nextInt(4) == 0;
      List<TieredFile> chosen =
          DrainPlan.choose(
              files,
              f -> f.bytes() % busy != 0 || busy == 1,
              f -> f.bytes() % 7 == 3,
              now,
              threshold,
              closed,
              most);
      assertTrue(chosen.size() <= most, what);
      assertEquals(chosen.size(), chosen.stream().map(TieredFile::key).distinct().count(), what);
      for (TieredFile one : chosen) {
        assertTrue(one.bytes() % busy != 0 || busy == 1, what);
        assertFalse(one.bytes() % 7 == 3, what);
        if (one.archived()) {
          assertTrue(closed || one.dueMillis() <= now, what);
        }
      }
    }
  }
}
