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
package io.github.hybridhbase.landing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LedgerTest {
  @Test
  void aFileIsChargedOnceWhoeverOwnsIt() {
    Ledger ledger = new Ledger();
    ledger.charge("daughter1", "t", "/parent/file", 10);
    ledger.charge("daughter2", "t", "/parent/file", 10);
    assertEquals(10, ledger.used());
    ledger.release("daughter1");
    assertEquals(10, ledger.used());
    ledger.release("daughter2");
    assertEquals(0, ledger.used());
    assertEquals(0, ledger.usedBy("t"));
  }

  @Test
  void aLookReplacesAllButWhatIsBeingWritten() {
    Ledger ledger = new Ledger();
    ledger.charge("store", "t", "/gone", 10);
    ledger.charge("store", "t", "/writing", 20);
    ledger.charge("other", "u", "/its", 40);
    ledger.replace("store", "t", Map.of("/found", 5L, "/writing", 1L), Set.of("/writing"));
    assertEquals(65, ledger.used());
    assertEquals(25, ledger.usedBy("t"));
    assertEquals(40, ledger.usedBy("u"));
  }

  /** Against a model that keeps the owners of each path in plain sight. */
  @Test
  void itAgreesWithAModel() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Ledger ledger = new Ledger();
    Map<String, Long> bytes = new TreeMap<>();
    Map<String, Set<String>> owners = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      String owner = "o" + random.nextInt(4);
      String path = "p" + random.nextInt(12);
      long some = random.nextInt(100);
      switch (random.nextInt(4)) {
        case 0:
          ledger.charge(owner, "t", path, some);
          bytes.put(path, some);
          owners.computeIfAbsent(path, p -> new HashSet<>()).add(owner);
          break;
        case 1:
          ledger.release(owner, path);
          drop(bytes, owners, owner, path);
          break;
        case 2:
          ledger.replace(owner, "t", Map.of(path, some), Set.of());
          for (String other : Set.copyOf(bytes.keySet())) {
            if (!other.equals(path)) {
              drop(bytes, owners, owner, other);
            }
          }
          bytes.put(path, some);
          owners.computeIfAbsent(path, p -> new HashSet<>()).add(owner);
          break;
        default:
          ledger.release(owner);
          Set.copyOf(bytes.keySet()).forEach(p -> drop(bytes, owners, owner, p));
      }
      long sum = bytes.values().stream().mapToLong(Long::longValue).sum();
      assertEquals(sum, ledger.used(), "seed " + seed + " step " + step);
      for (String one : bytes.keySet()) {
        assertEquals(bytes.get(one), ledger.of(one), "seed " + seed + " step " + step);
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
