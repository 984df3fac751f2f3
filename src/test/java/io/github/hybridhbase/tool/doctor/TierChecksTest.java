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
package io.github.hybridhbase.tool.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.tool.report.FindingId;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TierChecksTest {
  @ParameterizedTest
  @CsvSource({"true, true, 0", "true, false, 1", "false, false, 0"})
  void anHBaseThatTellsOfNoCommitIsAFindingWhereTheTierIsDeclared(
      boolean declared, boolean learns, int findings) {
    Diagnosis diagnosis = new Diagnosis();
    TierChecks.judge(declared, learns, diagnosis);
    assertEquals(findings, diagnosis.findings().size());
    diagnosis
        .findings()
        .forEach(
            finding ->
                assertEquals(
                    List.of(FindingId.TIER_NOT_IN_FORCE, "SSD tier"),
                    List.of(finding.id(), finding.subject())));
  }
}
