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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class CampaignReportTest {
  private static Fault fault(Fault.Kind kind) {
    return new Fault(kind, 0, 0, 0);
  }

  @Test
  void onlyFaultsThatWereMadeCount() {
    CampaignReport report = new CampaignReport("some");
    report.add(fault(Fault.Kind.KILL_NAMENODE), "nn0", List.of(), 9);
    report.add(fault(Fault.Kind.LOSE_SSD), "not done: blocks lack replicas", List.of(), 60);
    report.add(fault(Fault.Kind.SPLIT), "", List.of(), 1);
    report.took(Duration.ofMinutes(2));
    assertEquals(1, report.faults());
    String text = report.text();
    assertTrue(text.contains("1 faults, 1 deeds of an admin in 2 minutes."), text);
    assertTrue(text.contains("| kill namenode | 1 | 0 | 0 | 9 |"), text);
    assertTrue(text.contains("| lose ssd | 1 | 1 | 0 | 60 |"), text);
    assertTrue(text.contains("| split | 1 | 0 | 0 | - |"), text);
  }

  @Test
  void faultsThatCouldNotBeMadeCountUntilOneIs() {
    CampaignReport report = new CampaignReport("some");
    for (int times = 0; times < 3; times++) {
      report.add(fault(Fault.Kind.LOSE_SSD), "not done: blocks lack replicas", List.of(), 60);
      report.add(fault(Fault.Kind.SPLIT), "", List.of(), 1);
    }
    assertEquals(3, report.undone());
    report.add(fault(Fault.Kind.KILL_NAMENODE), "nn0", List.of(), 9);
    assertEquals(0, report.undone());
  }

  @Test
  void hotRowsForWhichNothingWasCompactedWereNeverTested() {
    CampaignReport report = new CampaignReport("some");
    assertEquals(List.of(), report.neverDone(), "no hot rows");
    report.hotCompactions(0);
    assertEquals(List.of("compaction for hot rows"), report.neverDone());
    assertTrue(report.text().contains("0 compactions were for hot rows."), report.text());
    report.hotCompactions(12);
    assertEquals(List.of(), report.neverDone());
  }

  @Test
  void whoAbortsAfterTheLastFaultIsNamedToo() {
    CampaignReport report = new CampaignReport("some");
    report.abortedAtTheEnd(List.of("rs0: ABORTING"));
    assertEquals(List.of("at the end: rs0: ABORTING"), report.aborts());
  }

  @Test
  void eachForeignLoadHasALine() {
    CampaignReport report = new CampaignReport("some");
    report.loads(List.of("itbll: 2 rounds", "ycsb: 8 rounds"));
    String text = report.text();
    assertTrue(text.contains("Foreign loads:\n\n- itbll: 2 rounds\n- ycsb: 8 rounds\n"), text);
  }
}
