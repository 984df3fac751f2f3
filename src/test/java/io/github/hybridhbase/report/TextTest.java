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
package io.github.hybridhbase.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.runtime.Text;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class TextTest {
  @Test
  void whatATerminalWouldObeyIsWrittenOutAndAnyLanguageStays() {
    assertEquals("a\\u001b[31mb\\u009bc\\u000ad", Text.escape("a\u001b[31mb\u009bc\nd"));
    assertEquals("\\u202egnp.exe", Text.escape("\u202egnp.exe"));
    assertEquals("\\u2028", Text.escape("\u2028"));
    assertEquals("Tabelle_\u00e4\u00f6 \u8868 <b>", Text.escape("Tabelle_\u00e4\u00f6 \u8868 <b>"));
  }

  @Test
  void aShellSeesOneArgument() {
    assertEquals("/hbase/WALs/h1,16020,1", Text.quote("/hbase/WALs/h1,16020,1"));
    assertEquals("'/a b/$(reboot)'", Text.quote("/a b/$(reboot)"));
    assertEquals("'/it'\\''s'", Text.quote("/it's"));
  }

  @Test
  void bytesHaveAUnitAndCountsAPlural() {
    assertEquals("0 B", Text.bytes(0));
    assertEquals("1023 B", Text.bytes(1023));
    assertEquals("1.5 KiB", Text.bytes(1536));
    assertEquals("8 EiB", Text.bytes(Long.MAX_VALUE));
    assertEquals("1 file", Text.count(1, "file"));
    assertEquals("1,000 files", Text.count(1000, "file"));
  }

  @Test
  void jsonIsAsciiAndFreeOfMarkup() {
    String json = Json.render(Map.of("name", "<b>\u009b\u202e\u001b\ud83d\ude00"));
    assertEquals("{\n  \"name\": \"\\u003cb\\u003e\\u009b\\u202e\\u001b\\ud83d\\ude00\"\n}", json);
  }

  @Test
  void findingsAreSortedWorstFirst() {
    Finding note = Finding.of(FindingId.OWN_POLICY, "a", 1, "");
    Finding small = new Finding(FindingId.MISPLACED, "a", "", "", 1);
    Finding large = new Finding(FindingId.MISPLACED, "a", "", "", 2);
    Finding error = new Finding(FindingId.UNDER_REPLICATED, "a", "", "", 0);
    assertEquals(
        List.of(error, large, small, note), Finding.sorted(List.of(small, note, error, large)));
  }

  @Test
  void consequencesAreLeftOutUnlessTheyAreWorse() {
    Finding space = new Finding(FindingId.SSD_SPACE, "a", "", "", 0);
    Finding closed = new Finding(FindingId.TIER_CLOSED, "a", "", "", 0);
    Finding wal = new Finding(FindingId.MISPLACED, "a", "", "", 5).forSsd(true);
    Finding other = new Finding(FindingId.DECLARATIONS_DIFFER, "a", "", "", 9);
    Finding lacking = new Finding(FindingId.UNDER_REPLICATED, "a", "", "", 0).forSsd(true);
    assertEquals(
        List.of("ssd-space", "declarations-differ"),
        ids(Finding.sorted(List.of(other, closed, wal, space))));
    assertEquals(
        List.of("ssd-space", "under-replicated", "declarations-differ"),
        ids(Finding.sorted(List.of(other, closed, lacking, space))));
    assertEquals(
        List.of("misplaced", "declarations-differ", "tier-closed"),
        ids(Finding.sorted(List.of(other, closed, wal))));
  }

  private static List<String> ids(List<Finding> findings) {
    return findings.stream().map(one -> one.id().id()).collect(Collectors.toList());
  }
}
