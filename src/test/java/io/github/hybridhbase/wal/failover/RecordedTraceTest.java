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

import io.github.hybridhbase.wal.failover.Acknowledgements.FlushTimes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What {@link StragglerDetector} makes of ticks that were recorded on three DataNodes of separate
 * processes, under load, by {@link FailOver}'s TRACE: {@code StallIT} with {@code
 * -Dbed.trace=io.github.hybridhbase.wal.failover.FailOver}. A line a tick: nanoseconds since the
 * one before; what flushes take; packets that each DataNode has acknowledged; who was found late.
 */
class RecordedTraceTest {
  private static final Pattern TICK =
      Pattern.compile("(\\d+) (\\d+),(\\d+),(\\d+) \\[(\\d+), (\\d+), (\\d+)] (\\d+)");

  private final StragglerDetector detector =
      new StragglerDetector(TimeUnit.MILLISECONDS.toNanos(200), 3);

  private static List<long[]> ticks(String trace) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    RecordedTraceTest.class.getResourceAsStream("/stalls/" + trace), trace),
                StandardCharsets.US_ASCII))) {
      return in.lines().map(RecordedTraceTest::tick).collect(Collectors.toList());
    }
  }

  private static long[] tick(String line) {
    Matcher tick = TICK.matcher(line);
    assertTrue(tick.matches(), line);
    return IntStream.rangeClosed(1, tick.groupCount())
        .mapToLong(group -> Long.parseLong(tick.group(group)))
        .toArray();
  }

  /** Replicas that are ever late, a bit each; as the recording server found, tick by tick. */
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
    for (long[] tick : ticks(trace)) {
      FlushTimes times = new FlushTimes(tick[1], tick[2], spread ? tick[3] : 0);
      int found = detector.tick(Arrays.copyOfRange(tick, 4, 7), times, tick[0]);
      assertTrue(found == tick[7] || !spread, () -> Arrays.toString(tick));
      all |= found;
    }
    assertEquals(late, all);
  }
}
