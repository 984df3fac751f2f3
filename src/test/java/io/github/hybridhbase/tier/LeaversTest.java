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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which files leave SSD, and which of a store leave it together. */
@InterfaceAudience.Private
class LeaversTest {
  private static final long NOW = 10_000;

  private static TierFile file(String table, String name, long bytes, long due) {
    return FakeStore.young(new Path("/hbase/" + table + "/" + name), bytes, due, 0);
  }

  private static List<TierFile> chosen(
      List<TierFile> files, long now, long threshold, boolean closed) {
    Map<String, FakeStore> stores = new HashMap<>();
    Map<TierFile, TierStore> owners = new HashMap<>();
    for (TierFile file : files) {
      Path directory = file.path.getParent();
      owners.put(
          file,
          stores.computeIfAbsent(directory.getName(), table -> new FakeStore(table, directory, 1)));
    }
    return Leavers.choose(owners, now, threshold, closed);
  }

  private static String names(List<TierFile> files) {
    return files.stream().map(file -> file.path.getName()).collect(Collectors.joining(" "));
  }

  private static String choose(List<TierFile> files, long now, long threshold) {
    return names(chosen(files, now, threshold, false));
  }

  @Test
  void whatIsDueGoesOldestFirst() {
    List<TierFile> files =
        List.of(file("t", "b", 1, 20), file("t", "a", 1, 10), file("t", "young", 1, 21));
    assertEquals("a b", choose(files, 20, 1_000));
  }

  @Test
  void aboveTheThresholdTheOldestOfTheLargestTableGoesFirst() {
    List<TierFile> files =
        List.of(
            file("small", "s1", 10, 100),
            file("large", "l2", 30, 102),
            file("large", "l1", 30, 101),
            file("large", "l3", 30, 103));
    assertEquals("l1", choose(files, 0, 70));
    assertEquals("l1 l2 l3", choose(files, 0, 10));
    assertEquals("", choose(files, 0, 100));
  }

  @Test
  void whatIsCompactedAwayGoesByItselfAndAHotFileStays() {
    List<TierFile> files =
        List.of(file("t", "old", 50, 100).passing(200), file("t", "new", 5, 200));
    assertEquals("new", choose(files, 0, 0));
    assertEquals("", choose(files, 0, 5));
    files = List.of(FakeStore.hot(new Path("/hbase/t/h"), 50, 1), file("t", "young", 5, 200));
    assertEquals("", choose(files, 100, 55));
    assertEquals("young", choose(files, 100, 54));
    assertEquals("young", names(chosen(files, 0, 0, true)));
  }

  @Test
  void ofAnyFilesAllThatAreDueAreChosenOnce() {
    long seed = Long.getLong("hybrid.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 3_000; round++) {
      String what = "seed " + seed + " round " + round;
      List<TierFile> files = new ArrayList<>();
      for (int i = random.nextInt(30); i > 0; i--) {
        TierFile file =
            file("t" + random.nextInt(3), "f" + i, random.nextInt(100), random.nextInt(100));
        files.add(random.nextInt(4) == 0 ? file.passing(random.nextInt(200)) : file);
      }
      int now = random.nextInt(120);
      boolean closed = random.nextInt(4) == 0;
      List<TierFile> chosen = chosen(files, now, closed ? 0 : random.nextInt(1_500), closed);
      assertEquals(chosen.size(), chosen.stream().distinct().count(), what);
      assertTrue(chosen.stream().allMatch(one -> one.is(TierFile.Kind.YOUNG)), what);
      for (TierFile one : files) {
        if (one.is(TierFile.Kind.YOUNG) && (closed || one.dueMillis <= now)) {
          assertTrue(chosen.contains(one), what);
        }
      }
    }
  }

  /** By the ages of a store's files, oldest first; null for one that stays. */
  private static List<Integer> run(List<Integer> ages, int mostFiles, long mostBytes) {
    List<Integer> sequence = IntStream.range(0, ages.size()).boxed().collect(Collectors.toList());
    return Leavers.run(
        sequence,
        i -> ages.get(i) == null ? null : NOW - ages.get(i),
        i -> 10,
        NOW - 100,
        NOW,
        mostFiles,
        mostBytes);
  }

  /** Files that are 100 old have to leave. */
  @ParameterizedTest
  @CsvSource({
    "nothing that is young,                        - 99 1,            10, 99,  ''",
    "nothing of nothing,                           '',                10, 99,  ''",
    "no file on DISK,                              -,                 10, 99,  ''",
    "one that is due alone,                        - 100 49,          10, 99,  1",
    "those half as old too until one that stays,   120 60 110 1 200,  10, 99,  0 1 2",
    "what is due however old the first is,         9000 100,          10, 99,  0 1",
    "no file on DISK for its neighbours' sake,     100 - 100,         10, 99,  0",
    "the first in sequence before older ones,      5 100 900,         10, 99,  1 2",
    "no more files than HBase allows,              100 100 100,       2,  99,  0 1",
    "no more bytes than HBase allows,              100 100 100,       10, 20,  0 1",
    "not one byte more,                            100 100 100,       10, 19,  0",
    "but for the first or it would never leave,    100 100 100,       10, 5,   0",
  })
  void leavesTogether(String what, String ages, int mostFiles, long mostBytes, String run) {
    List<Integer> files =
        Stream.of(ages.split(" "))
            .filter(age -> !age.isEmpty())
            .map(age -> age.equals("-") ? null : Integer.valueOf(age))
            .collect(Collectors.toList());
    List<Integer> found = run(files, mostFiles, mostBytes);
    assertEquals(run, found.stream().map(String::valueOf).collect(Collectors.joining(" ")), what);
  }

  @Test
  void anyRunIsContiguousAndAllThatMustLeaveDoSoInFiniteTurns() {
    Random random = new Random(17);
    for (int i = 0; i < 2_000; i++) {
      List<Integer> files = new ArrayList<>();
      for (int n = random.nextInt(12); n > 0; n--) {
        files.add(random.nextInt(4) == 0 ? null : random.nextInt(200));
      }
      int turns = 0;
      for (List<Integer> run = run(files, 4, 35); !run.isEmpty(); run = run(files, 4, 35)) {
        assertEquals(run.size() - 1, run.get(run.size() - 1) - run.get(0));
        run.forEach(at -> files.set(at, null));
        assertTrue(++turns <= 12);
      }
      assertTrue(files.stream().noneMatch(age -> age != null && age >= 100), files::toString);
    }
  }
}
