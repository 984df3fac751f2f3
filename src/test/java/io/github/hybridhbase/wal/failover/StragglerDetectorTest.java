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
package io.github.hybridhbase.wal.failover;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.io.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traces of acknowledgements and what is made of them. Times in milliseconds. */
class StragglerDetectorTest {
  private static final long STALL = 200;
  private static final long PERIOD = STALL / StragglerDetector.TICKS;

  private final StragglerDetector detector =
      new StragglerDetector(TimeUnit.MILLISECONDS.toNanos(STALL));
  private long usual = 1;
  private long last = 1;
  private long spread = 1;

  private int tick(long... acknowledged) {
    return detector.tick(
        acknowledged,
        TimeUnit.MILLISECONDS.toNanos(usual),
        TimeUnit.MILLISECONDS.toNanos(last),
        TimeUnit.MILLISECONDS.toNanos(spread),
        TimeUnit.MILLISECONDS.toNanos(PERIOD));
  }

  @Test
  void itSaysWhatTheyOweHowLateTheyAreAndWhetherTheyHang() {
    for (int warm = 0; warm < 100; warm++) {
      assertEquals(0, tick(warm, warm, warm));
    }
    int late = 0;
    while (late == 0) {
      late = tick(100, 99, 100);
    }
    assertEquals(100, detector.expected);
    assertEquals(STALL, TimeUnit.NANOSECONDS.toMillis(detector.lateNanos));
    assertTrue(detector.silent);
    // It acknowledges one packet in each tick, and the others three.
    long packet = 100;
    do {
      packet++;
      late = tick(3 * packet, packet, 3 * packet);
    } while (late == 0);
    assertEquals(0b010, late);
    assertTrue(detector.expected > packet && detector.expected < 3 * packet);
    assertFalse(detector.silent, "it is slow");
  }

  /** Ticks after which one that acknowledges nothing is late, if so. */
  @ParameterizedTest
  @CsvSource({
    "  1,       1,     1,   8",
    "100,       1,     1,  16", // of what usually takes long
    "  1,     150,     1,  24", // and of what took the others long now
    "  1, 3600000,     1, 255", // but not for ever
    "  1,       1,   100,  16", // replicas were apart lately
    "  1,       1, 60000,  24", // not for long
    "6400,      1,     1,    " // slow all over: nothing can be said
  })
  void slowDisksAreLateLater(long usual, long last, long spread, Integer ticks) {
    this.usual = usual;
    this.last = last;
    this.spread = spread;
    for (int tick = 0; tick < (ticks == null ? 1_000 : ticks); tick++) {
      assertEquals(0, tick(1, 1, 0));
    }
    if (ticks != null) {
      assertEquals(0b100, tick(1, 1, 0));
      assertEquals(ticks * PERIOD, TimeUnit.NANOSECONDS.toMillis(detector.lateNanos));
    }
  }

  @Test
  void randomTracesAgreeWithTheDefinition() {
    long seed = Long.getLong("hybrid.seed", System.nanoTime());
    System.out.println("StragglerDetectorTest -Dhybrid.seed=" + seed);
    Random random = new Random(seed);
    int verdicts = 0;
    for (int trace = 0; trace < 2_000; trace++) {
      int replicas = 1 + random.nextInt(4);
      StragglerDetector one = new StragglerDetector(STALL * 1_000_000);
      long[][] seen = new long[200][];
      long[] now = new long[replicas];
      int[] stopped = new int[replicas];
      int regular = 0; // ticks since the last pause
      for (int tick = 0; tick < seen.length; tick++) {
        long sent = random.nextInt(3);
        long highest = LongStream.of(now).max().orElseThrow() + sent;
        for (int replica = 0; replica < replicas; replica++) {
          if (stopped[replica] > 0) {
            stopped[replica]--;
          } else {
            now[replica] = Math.max(now[replica], highest - random.nextInt(2));
            stopped[replica] = random.nextInt(100) == 0 ? random.nextInt(40) : 0;
          }
        }
        boolean pause = random.nextInt(50) == 0;
        regular = pause ? 0 : regular;
        seen[tick] = now.clone();
        int late = one.tick(seen[tick], 0, 0, 0, (pause ? STALL + 1 : PERIOD) * 1_000_000);
        int expected = 0;
        if (regular >= StragglerDetector.TICKS) {
          long then = LongStream.of(seen[tick - StragglerDetector.TICKS]).max().orElseThrow();
          for (int replica = 0; replica < replicas; replica++) {
            expected |= now[replica] < then ? 1 << replica : 0;
          }
        }
        expected = 2 * Integer.bitCount(expected) > replicas ? 0 : expected;
        assertEquals(expected, late, "trace " + trace + ", tick " + tick);
        assertTrue(replicas > 1 || late == 0);
        verdicts += Integer.bitCount(late);
        regular++;
      }
    }
    assertNotEquals(0, verdicts);
  }

  /**
   * Nanoseconds since the tick before; what flushes take; packets of each DataNode; who is late.
   */
  private static final Pattern TICK =
      Pattern.compile("(\\d+) (\\d+),(\\d+),(\\d+) \\[(\\d+), (\\d+), (\\d+)] (\\d+)");

  private static long[] recorded(String line) {
    Matcher tick = TICK.matcher(line);
    assertTrue(tick.matches(), line);
    return IntStream.rangeClosed(1, tick.groupCount())
        .mapToLong(group -> Long.parseLong(tick.group(group)))
        .toArray();
  }

  /**
   * Ticks that were recorded on three DataNodes of separate processes, under load, by {@link
   * FailOver}'s TRACE: {@code StallIT} with {@code
   * -Dbed.trace=io.github.hybridhbase.wal.failover.FailOver}.
   *
   * @param late replicas that are ever late, a bit each; as the recording server found, tick by
   *     tick
   */
  @ParameterizedTest
  @CsvSource({
    "one-stops.txt, true, 4",
    "one-ssd-throttled.txt, true, 2",
    "busy-ssds.txt, true, 0",
    "busy-ssds.txt, false, 6" // if it did not count how far replicas are apart
  })
  void whoeverWasLateIsFound_andNobodyElse(String trace, boolean spread, int late)
      throws IOException {
    int all = 0;
    List<String> lines =
        IOUtils.readLines(getClass().getResourceAsStream("/stalls/" + trace), US_ASCII);
    for (String line : lines) {
      long[] tick = recorded(line);
      long[] counts = Arrays.copyOfRange(tick, 4, 7);
      int found = detector.tick(counts, tick[1], tick[2], spread ? tick[3] : 0, tick[0]);
      assertTrue(found == tick[7] || !spread, line);
      all |= found;
    }
    assertEquals(late, all);
  }
}
