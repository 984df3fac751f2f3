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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class JobCountersTest {
  private static final String DONE =
      "2026-11-22 10:00:00,000 INFO  [main] mapreduce.Job: Job job_local1_0001 completed"
          + " successfully";
  private static final String FAILED =
      "2026-11-22 10:00:00,000 INFO  [main] mapreduce.Job: Job job_local1_0002 failed with state"
          + " FAILED due to: NA";
  private static final String HEAD =
      "2026-11-22 10:00:00,001 INFO  [main] mapreduce.Job: Counters: 3";

  private static JobCounters counters(String... lines) {
    return JobCounters.parse(List.of(String.join("\n", lines).split("\n", -1)));
  }

  @Test
  void theCountersOfTheLastJobAreRead() {
    JobCounters counters =
        counters(
            DONE,
            HEAD,
            "\tMap-Reduce Framework\n\t\tMap input records=2",
            DONE,
            HEAD,
            "\tMap-Reduce Framework\n\t\tMap input records=40000\n\t\tSpilled Records=7",
            "\torg.apache.hadoop.hbase.test.Some$Counters\n\t\tREFERENCES_CHECKED=396000");
    assertFalse(counters.isEmpty());
    assertEquals(40_000, counters.get("Map input records"));
    assertEquals(396_000, counters.get("REFERENCES_CHECKED"));
    assertEquals(0, counters.get("ROWS_WRITTEN"));
  }

  @Test
  void aJobThatFailedHasNone() {
    String some = "\tMap-Reduce Framework\n\t\tMap input records=40000";
    assertTrue(counters(FAILED, HEAD, some).isEmpty());
    assertTrue(counters(DONE, HEAD, some, FAILED, HEAD, some).isEmpty());
    assertTrue(counters("java.net.ConnectException: refused").isEmpty());
  }

  @Test
  void everyNodeOfTheListsIsReferredTo() {
    assertEquals(100_000, BigLinkedList.nodes(counters(DONE, "\t\tREFERENCED=100000")));
    for (String wrong :
        List.of(
            "\t\tREFERENCED=99999",
            "\t\tREFERENCED=100000\n\t\tUNDEFINED=1",
            "\t\tREFERENCED=100000\n\t\tUNREFERENCED=1",
            "\t\tREFERENCED=100000\n\t\tLOST_FAMILIES=1",
            "\t\tMap input records=100000")) {
      assertThrows(AssertionError.class, () -> BigLinkedList.nodes(counters(DONE, wrong)), wrong);
    }
  }

  @Test
  void everyRowThatIsReferredToIsThereAndEveryOther() {
    String all = "\t\tMap input records=40000\n\t\tREFERENCES_CHECKED=395000";
    assertEquals(395_000, LoadAndVerify.references(counters(DONE, all)));
    for (String wrong :
        List.of(
            all + "\n\t\tROWS_WRITTEN=1",
            "\t\tMap input records=39999\n\t\tREFERENCES_CHECKED=395000",
            "\t\tMap input records=40000")) {
      assertThrows(
          AssertionError.class, () -> LoadAndVerify.references(counters(DONE, wrong)), wrong);
    }
  }
}
