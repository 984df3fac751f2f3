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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class LeaversTest {
  private final Map<String, FakeStore> stores = new HashMap<>();

  private FakeStore store(String table) {
    return stores.computeIfAbsent(
        table, name -> new FakeStore(name, new Path("/hbase/" + name), 1));
  }

  private Map<TierFile, TierStore> owners(List<TierFile> files) {
    Map<TierFile, TierStore> owners = new HashMap<>();
    files.forEach(file -> owners.put(file, store(file.path.getParent().getName())));
    return owners;
  }

  private static TierFile file(String table, String name, long bytes, long due) {
    return FakeStore.young(new Path("/hbase/" + table + "/" + name), bytes, due, 0);
  }

  private List<String> choose(List<TierFile> files, long now, long threshold) {
    return names(Leavers.choose(owners(files), now, threshold, false));
  }

  private static List<String> names(List<TierFile> files) {
    return files.stream().map(file -> file.path.getName()).collect(Collectors.toList());
  }

  @Test
  void whatIsDueGoesOldestFirst() {
    List<TierFile> files =
        List.of(file("t", "b", 1, 20), file("t", "a", 1, 10), file("t", "young", 1, 99));
    assertEquals(List.of("a", "b"), choose(files, 50, 1_000));
  }

  @Test
  void aboveTheThresholdTheOldestOfTheLargestTableGoesFirst() {
    List<TierFile> files =
        List.of(
            file("small", "s1", 10, 100),
            file("large", "l2", 30, 102),
            file("large", "l1", 30, 101),
            file("large", "l3", 30, 103));
    assertEquals(List.of("l1"), choose(files, 0, 70));
    assertEquals(List.of("l1", "l2", "l3"), choose(files, 0, 10));
    assertEquals(List.of(), choose(files, 0, 100));
  }

  @Test
  void whatIsCompactedAwayGoesByItself() {
    List<TierFile> files =
        List.of(file("t", "old", 50, 100).passing(200), file("t", "new", 5, 200));
    assertEquals(List.of("new"), choose(files, 0, 0));
    assertEquals(List.of(), choose(files, 0, 5));
  }

  @Test
  void aHotFileStaysAndCountsSoThatYoungOnesLeave() {
    Path path = new Path("/hbase/t/h");
    List<TierFile> files = List.of(FakeStore.hot(path, 50, 1), file("t", "young", 5, 200));
    assertEquals(List.of(), choose(files, 100, 55));
    assertEquals(List.of("young"), choose(files, 100, 54));
    assertEquals(List.of("young"), names(Leavers.choose(owners(files), 0, 0, true)));
  }

  @Test
  void propertiesHoldForAnyFiles() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 3_000; round++) {
      String what = "seed " + seed + " round " + round;
      List<TierFile> files = new ArrayList<>();
      for (int i = random.nextInt(30); i > 0; i--) {
        String name = "f" + i;
        TierFile file =
            file("t" + random.nextInt(3), name, random.nextInt(100), random.nextInt(100));
        files.add(random.nextInt(4) == 0 ? file.passing(random.nextInt(200)) : file);
      }
      int now = random.nextInt(120);
      long threshold = random.nextInt(1_500);
      boolean closed = random.nextInt(4) == 0;
      List<TierFile> chosen = Leavers.choose(owners(files), now, closed ? 0 : threshold, closed);
      assertEquals(chosen.size(), chosen.stream().distinct().count(), what);
      for (TierFile one : chosen) {
        assertTrue(one.is(TierFile.Kind.YOUNG), what);
      }
      for (TierFile one : files) {
        if (one.is(TierFile.Kind.YOUNG) && (closed || one.dueMillis <= now)) {
          assertTrue(chosen.contains(one), what);
        }
      }
    }
  }
}
