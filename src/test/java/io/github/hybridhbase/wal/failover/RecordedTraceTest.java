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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link StragglerDetector} makes of ticks that were recorded on three DataNodes of separate
 * processes, under load, by {@link OutputWatch}'s TRACE: {@code StallBench} with {@code
 * -Dbed.trace=io.github.hybridhbase.wal.failover.OutputWatch}. A line a tick: nanoseconds since the
 * one before; what flushes take; packets that each DataNode has acknowledged; who was found late.
 */
class RecordedTraceTest {
  private static final Pattern TICK =
      Pattern.compile("(\\d+) (\\d+),(\\d+),(\\d+) \\[(\\d+), (\\d+), (\\d+)] (\\d+)");

  private final StragglerDetector detector =
      new StragglerDetector(TimeUnit.MILLISECONDS.toNanos(200), 3);

  /** The replicas that were ever late, a bit each; as the recording server found, tick by tick. */
  private int late(String trace) throws IOException {
    int all = 0;
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(getClass().getResourceAsStream("/stalls/" + trace), trace),
                StandardCharsets.US_ASCII))) {
      for (String line : in.lines().filter(l -> !l.startsWith("#")).collect(Collectors.toList())) {
        Matcher tick = TICK.matcher(line);
        assertTrue(tick.matches(), line);
        long[] number = new long[1 + tick.groupCount()];
        Arrays.setAll(number, group -> group == 0 ? 0 : Long.parseLong(tick.group(group)));
        int late =
            detector.tick(
                Arrays.copyOfRange(number, 5, 8),
                new FlushTimes(number[2], number[3], number[4]),
                number[1]);
        assertEquals(number[8], late, line);
        all |= late;
      }
    }
    return all;
  }

  @Test
  void aDataNodeThatStopsIsLateAndNobodyElse() throws IOException {
    assertEquals(1, Integer.bitCount(late("one-stops.txt")));
  }

  @Test
  void aDataNodeWhoseSsdIsThrottledIsLateAndNobodyElse() throws IOException {
    assertEquals(1, Integer.bitCount(late("one-ssd-throttled.txt")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"all-ssds-slow.txt", "busy-ssds.txt", "server-pauses.txt"})
  void whereNoneIsLateByItselfNobodyIs(String trace) throws IOException {
    assertEquals(0, late(trace));
  }
}
