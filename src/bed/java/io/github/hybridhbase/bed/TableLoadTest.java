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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class TableLoadTest {
  /** Tables of ten rows. */
  private static final class Tables extends TableLoad {
    private final Set<Integer> there = new TreeSet<>();
    private final Set<Integer> lost = new TreeSet<>();
    private boolean writes = true;
    private boolean reads = true;
    private boolean drops = true;

    private static void demand(boolean works) throws IOException {
      if (!works) {
        throw new IOException("cut short");
      }
    }

    @Override
    void write(int table) throws IOException {
      there.add(table);
      demand(writes);
    }

    @Override
    long verify(int table) throws IOException {
      demand(reads);
      if (lost.contains(table)) {
        throw new AssertionError("table " + table + " lacks a row");
      }
      return 10;
    }

    @Override
    void drop(int table) throws IOException {
      demand(drops);
      there.remove(table);
    }

    @Override
    public Duration patience() {
      return Duration.ZERO;
    }

    @Override
    public String verifies() {
      return "rows";
    }

    @Override
    public void close() {}
  }

  private final Tables load = new Tables();

  private void cutShort(int number) {
    assertThrows(IOException.class, () -> load.round(number));
  }

  @Test
  void aTableGoesOnceTheNextOneIsVerified() throws Exception {
    assertEquals(0, load.verify());
    assertEquals(10, load.round(0));
    load.drops = false;
    assertEquals(10, load.round(1));
    assertEquals(Set.of(0, 1), load.there);
    load.drops = true;
    assertEquals(10, load.round(2));
    assertEquals(Set.of(2), load.there);
    assertEquals(10, load.verify());
  }

  @Test
  void oneWhoseVerificationWasCutShortStaysAndIsVerifiedAtTheEnd() throws Exception {
    load.reads = false;
    cutShort(0);
    assertEquals(1, load.unverified());
    load.reads = true;
    load.round(1);
    load.round(2);
    assertEquals(Set.of(0, 2), load.there);
    assertEquals(20, load.verify());
    load.reads = false;
    assertThrows(IOException.class, load::verify);
    load.reads = true;
    load.lost.add(0);
    assertThrows(AssertionError.class, load::verify);
  }

  @Test
  void oneThatWasNotWrittenToItsEndGoes() throws Exception {
    load.writes = false;
    cutShort(0);
    assertEquals(0, load.verify());
    load.writes = true;
    load.round(1);
    assertEquals(Set.of(1), load.there);
    assertEquals(0, load.unverified());
  }

  @Test
  void oneThatLacksSomethingStays() throws Exception {
    load.lost.add(1);
    load.round(0);
    assertThrows(AssertionError.class, () -> load.round(1));
    assertEquals(Set.of(0, 1), load.there);
  }
}
