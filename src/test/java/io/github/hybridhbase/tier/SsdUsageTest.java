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

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SsdUsageTest {
  @Test
  void aFileIsChargedOnceWhoeverOwnsIt() {
    SsdUsage usage = new SsdUsage();
    usage.charge("daughter1", "t", "/parent/file", 10);
    usage.charge("daughter2", "t", "/parent/file", 10);
    assertEquals(10, usage.used());
    usage.release("daughter1");
    assertEquals(10, usage.used());
    usage.release("daughter2");
    assertEquals(0, usage.used());
    assertEquals(0, usage.usedBy("t"));
  }

  @Test
  void aLookReplacesAllButWhatIsBeingWritten() {
    SsdUsage usage = new SsdUsage();
    usage.charge("store", "t", "/gone", 10);
    usage.charge("store", "t", "/writing", 20);
    usage.charge("other", "u", "/its", 40);
    usage.replace("store", "t", Map.of("/found", 5L, "/writing", 1L), Set.of("/writing"));
    assertEquals(65, usage.used());
    assertEquals(25, usage.usedBy("t"));
    assertEquals(40, usage.usedBy("u"));
  }

  /** Against a model that keeps the owners of each path in plain sight. */
  @Test
  void itAgreesWithAModel() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    SsdUsage usage = new SsdUsage();
    Map<String, Long> bytes = new TreeMap<>();
    Map<String, Set<String>> owners = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      String owner = "o" + random.nextInt(4);
      String path = "p" + random.nextInt(12);
      long some = random.nextInt(100);
      switch (random.nextInt(4)) {
        case 0:
          usage.charge(owner, "t", path, some);
          bytes.put(path, some);
          owners.computeIfAbsent(path, p -> new HashSet<>()).add(owner);
          break;
        case 1:
          usage.release(owner, path);
          drop(bytes, owners, owner, path);
          break;
        case 2:
          usage.replace(owner, "t", Map.of(path, some), Set.of());
          for (String other : Set.copyOf(bytes.keySet())) {
            if (!other.equals(path)) {
              drop(bytes, owners, owner, other);
            }
          }
          bytes.put(path, some);
          owners.computeIfAbsent(path, p -> new HashSet<>()).add(owner);
          break;
        default:
          usage.release(owner);
          Set.copyOf(bytes.keySet()).forEach(p -> drop(bytes, owners, owner, p));
      }
      long sum = bytes.values().stream().mapToLong(Long::longValue).sum();
      assertEquals(sum, usage.used(), "seed " + seed + " step " + step);
      for (String one : bytes.keySet()) {
        assertEquals(bytes.get(one), usage.of(one), "seed " + seed + " step " + step);
      }
    }
  }

  private static void drop(
      Map<String, Long> bytes, Map<String, Set<String>> owners, String owner, String path) {
    Set<String> of = owners.getOrDefault(path, new HashSet<>());
    if (of.remove(owner) && of.isEmpty()) {
      bytes.remove(path);
    }
  }
}
