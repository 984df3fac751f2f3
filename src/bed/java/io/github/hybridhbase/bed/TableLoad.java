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
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A foreign load each round of which has a table of its own. A table goes once the next one is
 * verified. One whose verification was cut short may lack something: it stays, and is verified at
 * the end. One that was not written to its end says nothing, and goes.
 */
@InterfaceAudience.Private
abstract class TableLoad implements ForeignLoad {
  private static final int NONE = -1;

  private final List<Integer> unverified = new CopyOnWriteArrayList<>();
  private final List<Integer> old = new ArrayList<>();
  private int last = NONE;

  /** Writes a table to its end. */
  abstract void write(int table) throws IOException, InterruptedException;

  /**
   * Verifies one. Returns how much that was.
   *
   * @throws AssertionError where something is missing
   */
  abstract long verify(int table) throws IOException, InterruptedException;

  /** Drops one that nobody will verify again, if it is there. */
  abstract void drop(int table) throws IOException;

  @Override
  public final long round(int number) throws IOException, InterruptedException {
    try {
      write(number);
    } catch (IOException e) {
      old.add(number);
      throw e;
    }
    unverified.add(number);
    long found = verify(number);
    unverified.remove(Integer.valueOf(number));
    if (last != NONE) {
      old.add(last);
    }
    last = number;
    forget();
    return found;
  }

  @Override
  public final long verify() throws IOException, InterruptedException {
    long found = last == NONE ? 0 : verify(last);
    for (int table : unverified) {
      found += verify(table);
    }
    return found;
  }

  /** How many tables were written and never verified to the end. From any thread. */
  final int unverified() {
    return unverified.size();
  }

  /** What a fault prevents is done next time. */
  private void forget() {
    try {
      for (Iterator<Integer> tables = old.iterator(); tables.hasNext(); ) {
        drop(tables.next());
        tables.remove();
      }
    } catch (IOException e) {
      System.out.println("tables of the rounds " + old + " stay for now, after: " + e);
    }
  }
}
