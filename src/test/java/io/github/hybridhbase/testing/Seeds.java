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
package io.github.hybridhbase.testing;

import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Seeds of many schedules, drawn at random. Not numbers in a row: {@link Random}s of such begin
 * with nearly the same numbers, so that whatever a schedule draws first would be alike in all.
 * Immutable.
 */
@InterfaceAudience.Private
public final class Seeds {
  private final String property;
  private final boolean one;
  private final long base;

  private Seeds(String property) {
    Long given = Long.getLong(property);
    this.property = property;
    this.one = given != null;
    this.base = one ? given : System.nanoTime();
  }

  /**
   * @param property of the system, that names the seed which is to be repeated, or from which all
   *     are to be drawn again
   */
  public static Seeds of(String property) {
    return new Seeds(property);
  }

  /** Whether one is repeated. */
  public boolean isOne() {
    return one;
  }

  /** The one that is repeated, or this many. */
  public long[] orElse(int many) {
    return one ? new long[] {base} : all(many);
  }

  /** This many, also where one is repeated: the same ones where the property names the same. */
  public long[] all(int many) {
    return new Random(base).longs(many).toArray();
  }

  /**
   * Fails unless a schedule of these many seeds has a fault with this text.
   *
   * @param faults of the schedule of a seed
   */
  public void assertNoticed(String text, int many, LongFunction<List<String>> faults) {
    if (LongStream.of(all(many))
        .mapToObj(faults)
        .flatMap(List::stream)
        .noneMatch(fault -> fault.contains(text))) {
      throw new AssertionError("No schedule noticed it; " + this);
    }
  }

  /** How one of them is repeated. */
  public String repeat(long seed) {
    return "-D" + property + "=" + seed;
  }

  @Override
  public String toString() {
    return repeat(base) + (one ? "" : " and seeds drawn from it");
  }
}
