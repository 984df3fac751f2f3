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
package io.github.hybridhbase.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.runtime.TestClock;
import io.github.hybridhbase.wal.HybridWALProvider.ArchiveDelay;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArchiveDelayTest {
  private static final Path FROM = new Path("/hbase/WALs/server/server.1");
  private static final Path TO = new Path("/hbase/oldWALs/server.1");

  private long now;
  private int asked;

  /**
   * Each pause takes a minute.
   *
   * @param answers of the NameNode, whether it takes writes; the last one for ever
   */
  @ParameterizedTest
  @CsvSource({"yes, false, 1", "away no yes, false, 3", "no, false, 10", "no, true, 0"})
  void aWalIsArchivedOnceTheNameNodeTakesWrites_orAfterTenMinutes(
      String answers, boolean serverStops, int asks) {
    Deque<String> left = new ArrayDeque<>(List.of(answers.split(" ")));
    TestClock clock = new TestClock(() -> now, nanos -> now += TimeUnit.MINUTES.toNanos(1));
    ArchiveDelay delay =
        new ArchiveDelay(new Configuration(false), clock) {
          @Override
          boolean takesWrites(Path wal) throws IOException {
            asked++;
            String answer = left.size() > 1 ? left.remove() : left.getFirst();
            if (answer.equals("away")) {
              throw new ConnectException();
            }
            return answer.equals("yes");
          }
        };
    if (serverStops) {
      delay.logCloseRequested();
    }
    delay.preLogArchive(FROM, TO);
    assertEquals(asks, asked);
  }
}
