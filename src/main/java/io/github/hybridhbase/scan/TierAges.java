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
package io.github.hybridhbase.scan;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How much user data lies on SSD without its directory's policy asking for it, by age: what the SSD
 * tier holds, and what has yet to leave it. Memory does not grow with the files. Not thread-safe.
 */
@InterfaceAudience.Private
public final class TierAges {
  /** The first ages, in seconds, that are in the next group; the last group has no end. */
  private static final long[] BEGINS = {0, 60, 300, 900, 3_600, 14_400, 86_400};

  private final long now;
  private final long[] bytes = new long[BEGINS.length];
  private long files;
  private long oldest;

  /**
   * Nothing yet.
   *
   * @param now milliseconds since 1970; ages are counted back from it
   */
  public TierAges(long now) {
    this.now = now;
  }

  /**
   * Adds a file.
   *
   * @param onSsd bytes of its replicas on SSD; a file with none is not counted
   * @param modified milliseconds since 1970
   */
  public void add(long onSsd, long modified) {
    if (onSsd <= 0) {
      return;
    }
    long age = Math.max(0, now - modified) / 1_000;
    int group = BEGINS.length - 1;
    while (age < BEGINS[group]) {
      group--;
    }
    bytes[group] += onSsd;
    files++;
    oldest = Math.max(oldest, age);
  }

  /** Groups of ages, youngest first. */
  public static int groups() {
    return BEGINS.length;
  }

  /** The age from which a file is in this group, in seconds. */
  public static long begins(int group) {
    return BEGINS[group];
  }

  /** Bytes of replicas on SSD of files of this group. */
  public long bytes(int group) {
    return bytes[group];
  }

  /** Bytes of replicas on SSD. */
  public long bytes() {
    long sum = 0;
    for (long each : bytes) {
      sum += each;
    }
    return sum;
  }

  /** Files. */
  public long files() {
    return files;
  }

  /** Age of the oldest file, in seconds. */
  public long oldestSeconds() {
    return oldest;
  }
}
