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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class MapReduceLoadTest {
  private static final String DONE =
      "2026-11-22 10:00:00,000 INFO  [main] mapreduce.Job: Job job_local1_0001 completed"
          + " successfully";
  private static final String ROWS = "\t\tMap input records=2";

  @Test
  void secondOfTwoJobsMissing_nothingIsWritten() throws Exception {
    String why = "java.net.ConnectException: refused";
    List<String> log = List.of(DONE, ROWS, why);
    IOException e = assertThrows(IOException.class, () -> MapReduceLoad.outcome(log, 1, true));
    assertTrue(e.getMessage().endsWith(why), e::getMessage);
    assertEquals(2, MapReduceLoad.outcome(log, 0, true).get("Map input records"));
  }

  @Test
  void aJobThatVerifiesIsJudgedByItsCountersAndByNothingWithoutThem() throws Exception {
    List<String> log = List.of(DONE, ROWS);
    assertEquals(2, MapReduceLoad.outcome(log, 1, false).get("Map input records"));
    assertThrows(IOException.class, () -> MapReduceLoad.outcome(List.of(ROWS), 1, false));
    assertThrows(IOException.class, () -> MapReduceLoad.outcome(List.of(ROWS), 0, true));
  }
}
