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
package io.github.hybridhbase.tool.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@InterfaceAudience.Private
class SiteFileTest {
  private static final String TEXT =
      String.join(
          "\n",
          "<?xml version=\"1.0\"?>",
          "<!-- <property><name>a</name><value>of a comment</value></property> -->",
          "<configuration>",
          "  <property>",
          "    <name>a</name> <!-- <value>not this</value> -->",
          "    <value>1</value>",
          "    <description>stays</description>",
          "  </property>",
          "  <property><value>${a}/x &amp; y</value><name>b</name></property>",
          "  <property><name>empty</name><value/></property>",
          "</configuration>",
          "<!-- </configuration> -->",
          "");

  @TempDir private Path directory;

  @Test
  void onlyWhatIsAskedForChanges() throws IOException {
    SiteFile before = SiteFile.parse(TEXT);
    assertEquals("1", before.get("a"));
    assertEquals("${a}/x & y", before.get("b"));
    assertNull(before.get("c"));
    SiteFile after = before.with(Map.of("a", "2 < 3 & $1"));
    assertEquals(
        TEXT.replace("<value>1</value>", "<value>2 &lt; 3 &amp; $1</value>"), after.text());
    assertEquals("2 < 3 & $1", after.get("a"));
    assertEquals("filled", before.with(Map.of("empty", "filled")).get("empty"));
  }

  @Test
  void whatIsNewComesLast() throws IOException {
    SiteFile after = SiteFile.parse(TEXT).with(Map.of("c", "x,y"));
    assertEquals("x,y", after.get("c"));
    assertTrue(
        after
            .text()
            .contains("    <value>x,y</value>\n  </property>\n</configuration>\n<!-- </conf"),
        after.text());
  }

  @Test
  void theDefinitionThatWinsIsTheOneThatChanges() throws IOException {
    String twice =
        "<configuration><property><name>a</name><value>1</value></property>"
            + "<property><name>a</name><value>2</value></property></configuration>";
    assertEquals(
        twice.replace("<value>2<", "<value>3<"),
        SiteFile.parse(twice).with(Map.of("a", "3")).text());
  }

  @Test
  void whatCannotBeChangedSafelyIsRefused() throws IOException {
    SiteFile finalOne =
        SiteFile.parse(
            "<configuration><property><name>a</name><value>1</value><final>true</final></property>"
                + "<property><name>a</name><value>2</value></property></configuration>");
    assertThrows(IOException.class, () -> finalOne.with(Map.of("a", "3")));
    assertThrows(IOException.class, () -> SiteFile.parse("<configuration>"));
    assertThrows(IOException.class, () -> SiteFile.parse("<configuration><x</configuration>"));
    assertThrows(IOException.class, () -> SiteFile.parse("text"));
  }

  @Test
  void theSameGivesNoDifference() throws IOException {
    SiteFile before = SiteFile.parse(TEXT);
    assertEquals(TEXT, before.with(Map.of("a", "1")).text());
    assertEquals(List.of(), before.diff("f", before.with(Map.of("a", "1"))));
  }

  @Test
  void whatWasEditedMeanwhileStays() throws IOException {
    Path file = directory.resolve("hbase-site.xml");
    String edited = TEXT.replace(">1<", ">edited<");
    Files.writeString(file, edited);
    SiteFile read = SiteFile.parse(TEXT);
    IOException refused =
        assertThrows(
            IOException.class, () -> read.with(Map.of("a", "2")).write(file, read, ".before"));
    assertTrue(refused.getMessage().contains("was changed meanwhile"), refused::getMessage);
    assertEquals(edited, Files.readString(file));
    assertFalse(Files.exists(directory.resolve("hbase-site.xml.before")));
  }

  @Test
  void writingKeepsWhatWasRightsAndLinks() throws IOException {
    Path real = directory.resolve("real.xml");
    Files.writeString(real, TEXT);
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
    Path link = Files.createSymbolicLink(directory.resolve("hbase-site.xml"), real);
    SiteFile after = SiteFile.parse(TEXT).with(Map.of("a", "2"));
    Path kept = after.write(link, SiteFile.parse(TEXT), ".before");
    assertTrue(Files.isSymbolicLink(link));
    assertEquals(after.text(), Files.readString(real));
    assertEquals(TEXT, Files.readString(kept));
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(real)));
    // A second time it would overwrite what is kept: nothing happens then.
    assertThrows(IOException.class, () -> SiteFile.parse(TEXT).write(link, after, ".before"));
    assertEquals(after.text(), Files.readString(real));
    try (Stream<Path> all = Files.list(directory)) {
      List<String> names = all.map(p -> p.getFileName().toString()).collect(Collectors.toList());
      assertFalse(names.stream().anyMatch(name -> name.endsWith(".new")), names::toString);
    }
  }

  @Test
  void aPropertyGoesWithItsLinesAndNothingElse() throws Exception {
    String before =
        "<configuration>\n  <property>\n    <name>a</name>\n    <value>1</value>\n  </property>\n"
            + "  <!-- <property><name>a</name><value>old</value></property> -->\n"
            + "  <property><name>b</name><value>2</value></property>\n</configuration>\n";
    assertEquals(
        "<configuration>\n"
            + "  <!-- <property><name>a</name><value>old</value></property> -->\n"
            + "  <property><name>b</name><value>2</value></property>\n</configuration>\n",
        SiteFile.parse(before).without(List.of("a", "absent")).text());
  }
}
