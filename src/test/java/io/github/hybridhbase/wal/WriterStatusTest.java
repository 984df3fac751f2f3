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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.metrics.WriterCapability;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is in force, from facts. */
class WriterStatusTest {
  private static final Set<WriterCapability> ALL = EnumSet.allOf(WriterCapability.class);
  private static final WriterFacts FACTS = WriterFacts.asking(ALL, "the.key");

  /** Asserts what is lacking, that it is one cause with these words, and what require does. */
  private static void assertLacks(
      WriterFacts facts, Set<WriterCapability> lacking, String... words) {
    WriterStatus status = WriterStatus.of(facts);
    assertEquals(lacking, status.missing());
    assertEquals(words.length == 0 ? 0 : 1, status.shortfalls().size());
    for (String word : words) {
      assertTrue(
          status.shortfalls().get(0).toString().contains(word),
          word + " in " + status.shortfalls());
    }
    boolean grave =
        lacking.contains(WriterCapability.AUTO) || lacking.contains(WriterCapability.FALLBACK);
    assertEquals(grave, status.refuses());
  }

  @Test
  void allIsInForceBeforeAndAfterOurWriterOpened() {
    assertLacks(FACTS, Set.of());
    assertLacks(FACTS.opened(""), Set.of());
  }

  @Test
  void anotherWriterClassLacksWhatItCannotDo() {
    assertLacks(FACTS.configured("x.Y", Set.of()), ALL, "the.key=x.Y", "Remove the.key");
    Set<WriterCapability> rest = EnumSet.of(WriterCapability.COALESCING, WriterCapability.AUTO);
    assertLacks(FACTS.configured("x.Y", Set.of(WriterCapability.FALLBACK)), rest, "the.key=x.Y");
    assertLacks(FACTS.configured("x.Ours", ALL), Set.of());
  }

  @Test
  void nobodyIsToldToSwitchEncryptionOff() {
    WriterFacts facts = FACTS.configured("org.SecureAsyncProtobufLogWriter", Set.of());
    assertLacks(facts, ALL, "2.5 encrypts WALs by that class only: keep it");
    String remedy = WriterStatus.of(facts).shortfalls().get(0).getRemedy();
    assertFalse(remedy.startsWith("Remove"));
    // What it says must be an end of it: without SSD no fall-back is asked for.
    assertTrue(remedy.contains("hbase.hybrid.wal.hsync=stock"), remedy);
    assertTrue(remedy.contains("hbase.hybrid.wal.policy"), remedy);
  }

  @Test
  void anHBaseWhoseWriterIsAnother() {
    assertLacks(FACTS.linked("a.B.initOutput(int)", false), ALL, "has no a.B.initOutput(int)");
    assertLacks(FACTS.linked("", false), EnumSet.of(WriterCapability.COALESCING), "fields");
  }

  @Test
  void aWalThatWasMadeWithoutOurs() {
    assertLacks(FACTS.openedByOthers(), ALL, "the.key");
    assertLacks(FACTS.openedByOthers().opened(""), Set.of());
  }

  @Test
  void groupsOutOfReachUntilOneIsMadeByOurs() {
    WriterFacts facts = FACTS.unreached("it broke");
    assertLacks(facts, ALL, "groups of multiwal", "it broke");
    assertLacks(facts.openedByOthers(), ALL, "it broke");
    assertLacks(facts.opened(""), Set.of());
  }

  @Test
  void anOutputThatDoesNotTellItsPipelineEndsAutoOnly() {
    WriterFacts facts = FACTS.opened("x.WrapperAsyncFSOutput");
    assertLacks(facts, EnumSet.of(WriterCapability.AUTO), "x.WrapperAsyncFSOutput", "hsync=stock");
    assertLacks(facts.opened(""), Set.of());
  }

  @Test
  void whatIsNotAskedIsNotLacking() {
    WriterFacts facts = WriterFacts.asking(Set.of(WriterCapability.COALESCING), "the.key");
    assertLacks(facts.openedByOthers(), EnumSet.of(WriterCapability.COALESCING), "the.key");
    assertLacks(WriterFacts.asking(Set.of(), "").openedByOthers(), Set.of());
  }

  @Test
  void twoCausesAreTwoShortfalls() {
    WriterFacts facts = FACTS.linked("", false).opened("x.Y");
    assertEquals(
        List.of("coalescing", "hbase.hybrid.wal.hsync=auto"),
        List.of(
            WriterStatus.of(facts).shortfalls().get(0).getWhat().split(" ")[0],
            WriterStatus.of(facts).shortfalls().get(1).getWhat().split(" ")[0]));
  }
}
