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
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What leaves SSD together is contiguous, old, on SSD, and begins with the oldest that must go. */
@InterfaceAudience.Private
class ExitSelectionTest {
  private static final long NOW = 10_000;

  private static List<String> names(List<Candidate> files, long age, int most) {
    return names(files, age, most, Long.MAX_VALUE);
  }

  private static List<String> names(List<Candidate> files, long age, int most, long bytes) {
    return choose(files, age, most, bytes).stream()
        .map(file -> file.name)
        .collect(Collectors.toList());
  }

  private static List<Candidate> choose(List<Candidate> files, long age, int most, long bytes) {
    return Leavers.run(files, file -> file.written, file -> 10, NOW - age, NOW, most, bytes);
  }

  private static final class Candidate {
    private final String name;
    private final Long written;

    Candidate(String name, Long written) {
      this.name = name;
      this.written = written;
    }
  }

  private static Candidate aged(String name, long age) {
    return new Candidate(name, NOW - age);
  }

  private static Candidate other(String name) {
    return new Candidate(name, null);
  }

  @Test
  void nothingLeavesThatIsYoung() {
    assertEquals(List.of(), names(List.of(other("disk"), aged("a", 99), aged("b", 1)), 100, 10));
    assertEquals(List.of(), names(List.of(), 100, 10));
    assertEquals(List.of(), names(List.of(other("disk")), 100, 10));
  }

  @Test
  void aLoneFileThatIsDueLeavesAlone() {
    List<Candidate> files = List.of(other("disk"), aged("a", 100), aged("b", 49));
    assertEquals(List.of("a"), names(files, 100, 10));
  }

  @Test
  void whatIsHalfAsOldGoesAlongUntilTheFirstThatStays() {
    List<Candidate> files =
        List.of(aged("a", 120), aged("b", 60), aged("c", 110), aged("d", 1), aged("e", 200));
    assertEquals(List.of("a", "b", "c"), names(files, 100, 10));
  }

  @Test
  void whatIsDueGoesAlongHoweverOldTheFirstIs() {
    assertEquals(List.of("a", "b"), names(List.of(aged("a", 9_000), aged("b", 100)), 100, 10));
  }

  @Test
  void aFileOnDiskIsNotWrittenAgainForTheSakeOfItsNeighbours() {
    List<Candidate> files = List.of(aged("a", 100), other("disk"), aged("b", 100));
    assertEquals(List.of("a"), names(files, 100, 10));
  }

  @Test
  void theFirstInSequenceBeginsEvenWhereALaterOneIsOlder() {
    List<Candidate> files = List.of(aged("young", 5), aged("a", 100), aged("b", 900));
    assertEquals(List.of("a", "b"), names(files, 100, 10));
  }

  @Test
  void oneCompactionTakesNoMoreFilesThanHBaseAllows() {
    List<Candidate> files = List.of(aged("a", 100), aged("b", 100), aged("c", 100));
    assertEquals(List.of("a", "b"), names(files, 100, 2));
  }

  @Test
  void oneCompactionTakesNoMoreBytesThanHBaseAllowsButForTheFirst() {
    List<Candidate> files = List.of(aged("a", 100), aged("b", 100), aged("c", 100));
    assertEquals(List.of("a", "b"), names(files, 100, 10, 20));
    assertEquals(List.of("a"), names(files, 100, 10, 19));
    assertEquals(List.of("a"), names(files, 100, 10, 5), "or it would never leave");
  }

  @Test
  @DisplayName("for any files the run is contiguous and all that must leave do so in finite turns")
  void anyFiles_runIsContiguousAndFinite() {
    Random random = new Random(17);
    for (int i = 0; i < 2_000; i++) {
      List<Candidate> files = new ArrayList<>();
      for (int n = random.nextInt(12); n > 0; n--) {
        String name = "f" + files.size();
        files.add(random.nextInt(4) == 0 ? other(name) : aged(name, random.nextInt(200)));
      }
      int turns = 0;
      List<Candidate> run = choose(files, 100, 4, 35);
      while (!run.isEmpty()) {
        int first = files.indexOf(run.get(0));
        assertEquals(run, files.subList(first, first + run.size()));
        for (Candidate file : run) {
          files.set(files.indexOf(file), other("on DISK"));
        }
        assertTrue(++turns <= 12);
        run = choose(files, 100, 4, 35);
      }
    }
  }
}
