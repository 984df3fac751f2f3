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

import io.github.hybridhbase.runtime.WriterShortfall;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is in force, from facts. */
class WriterSupportTest {
  private static final Set<WriterShortfall.Capability> ALL =
      EnumSet.allOf(WriterShortfall.Capability.class);

  /** All is asked for, and nothing stands in the way. */
  private final WriterSupport.Facts facts = new WriterSupport.Facts();

  @BeforeEach
  void askForAll() {
    facts.asked = ALL;
    facts.key = "the.key";
  }

  private WriterSupport writers() {
    return WriterSupport.of(facts);
  }

  private WriterSupport configured(String name, Set<WriterShortfall.Capability> can) {
    facts.configured = name;
    facts.provided = can;
    return writers();
  }

  private WriterSupport linked(String without, boolean hasFields) {
    facts.lacking = without;
    facts.fields = hasFields;
    return writers();
  }

  /** Asserts what is lacking, that it is one cause with these words, and what require does. */
  private static void assertLacks(
      WriterSupport status, Set<WriterShortfall.Capability> lacking, String... words) {
    for (WriterShortfall.Capability one : WriterShortfall.Capability.values()) {
      boolean lacks = status.shortfalls().toString().contains(one.without());
      assertEquals(lacking.contains(one), lacks, one + " in " + status.shortfalls());
    }
    assertEquals(words.length == 0 ? 0 : 1, status.shortfalls().size());
    for (String word : words) {
      assertTrue(
          status.shortfalls().get(0).toString().contains(word),
          word + " in " + status.shortfalls());
    }
    boolean grave =
        lacking.contains(WriterShortfall.Capability.AUTO)
            || lacking.contains(WriterShortfall.Capability.FALLBACK);
    assertEquals(grave, status.refuses());
  }

  @Test
  void allIsInForceBeforeAndAfterOurWriterOpened() {
    assertLacks(writers(), Set.of());
    assertLacks(writers().opened(""), Set.of());
  }

  @Test
  void anotherWriterClassLacksWhatItCannotDo() {
    assertLacks(configured("x.Y", Set.of()), ALL, "the.key=x.Y", "Remove the.key");
    Set<WriterShortfall.Capability> rest =
        EnumSet.of(WriterShortfall.Capability.COALESCING, WriterShortfall.Capability.AUTO);
    assertLacks(
        configured("x.Y", Set.of(WriterShortfall.Capability.FALLBACK)), rest, "the.key=x.Y");
    assertLacks(configured("x.Ours", ALL), Set.of());
  }

  @Test
  void nobodyIsToldToSwitchEncryptionOff() {
    WriterSupport secure = configured("org.SecureAsyncProtobufLogWriter", Set.of());
    assertLacks(secure, ALL, "2.5 encrypts WALs by that class only: keep it");
    String remedy = secure.shortfalls().get(0).getRemedy();
    assertFalse(remedy.startsWith("Remove"));
    // What it says must be an end of it: without SSD no fall-back is asked for.
    assertTrue(remedy.contains("hbase.hybrid.wal.hsync=stock"), remedy);
    assertTrue(remedy.contains("hbase.hybrid.wal.policy"), remedy);
  }

  @Test
  void anHBaseWhoseWriterIsAnother() {
    assertLacks(linked("a.B.initOutput(int)", false), ALL, "has no a.B.initOutput(int)");
    assertLacks(linked("", false), EnumSet.of(WriterShortfall.Capability.COALESCING), "fields");
  }

  @Test
  void aWalThatWasMadeWithoutOurs() {
    assertLacks(writers().openedByHBase(), ALL, "the.key");
    assertLacks(writers().openedByHBase().opened(""), Set.of());
  }

  @Test
  void groupsOutOfReachUntilOneIsMadeByOurs() {
    facts.unreached = "it broke";
    assertLacks(writers(), ALL, "groups of multiwal", "it broke");
    assertLacks(writers().openedByHBase(), ALL, "it broke");
    assertLacks(writers().opened(""), Set.of());
  }

  @Test
  void anOutputThatDoesNotTellItsPipelineEndsAutoOnly() {
    WriterSupport unknown = writers().opened("x.WrapperAsyncFSOutput");
    assertLacks(
        unknown,
        EnumSet.of(WriterShortfall.Capability.AUTO),
        "x.WrapperAsyncFSOutput",
        "hsync=stock");
    assertLacks(unknown.opened(""), Set.of());
  }

  @Test
  void whatIsNotAskedIsNotLacking() {
    facts.asked = Set.of(WriterShortfall.Capability.COALESCING);
    assertLacks(
        writers().openedByHBase(), EnumSet.of(WriterShortfall.Capability.COALESCING), "the.key");
    facts.asked = Set.of();
    facts.key = "";
    assertLacks(writers().openedByHBase(), Set.of());
  }

  @Test
  void twoCausesAreTwoShortfalls() {
    WriterSupport lacking = linked("", false).opened("x.Y");
    assertEquals(
        List.of("coalescing", "hbase.hybrid.wal.hsync=auto"),
        List.of(
            lacking.shortfalls().get(0).getWhat().split(" ")[0],
            lacking.shortfalls().get(1).getWhat().split(" ")[0]));
  }
}
