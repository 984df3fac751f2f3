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
package io.github.hybridhbase.tool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Site files as operators have them: enabled right or refused, and disabled to the same bytes. */
@InterfaceAudience.Private
class SwitchVerbTest {
  private static final String PROVIDER = "hbase.wal.provider";
  private static final String DELEGATE = "hbase.hybrid.wal.delegate";
  private static final String MASTER = "hbase.coprocessor.master.classes";
  private static final String REGION = "hbase.coprocessor.region.classes";
  private static final String OUR_PROVIDER = "io.github.hybridhbase.wal.HybridWALProvider";
  private static final String OUR_MASTER = "io.github.hybridhbase.coprocessor.HybridMasterObserver";
  private static final String OUR_REGION = "io.github.hybridhbase.coprocessor.HybridRegionObserver";
  private static final String ACCESS = "org.apache.hadoop.hbase.security.access.AccessController";

  @TempDir private Path directory;
  private Path site;

  @BeforeEach
  void name() {
    site = directory.resolve("hbase-site.xml");
  }

  private static String property(String name, String value) {
    return String.join(
        "\n",
        "  <property>",
        "    <name>" + name + "</name>",
        "    <value>" + value + "</value>",
        "  </property>",
        "");
  }

  private static String file(String... properties) {
    return "<?xml version=\"1.0\"?>\n<configuration>\n"
        + String.join("", properties)
        + "</configuration>\n";
  }

  private ToolRun run(String verb, String... more) {
    List<String> args =
        Stream.concat(Stream.of(verb, "--site", site.toString()), Stream.of(more))
            .collect(Collectors.toList());
    return ToolRun.of(new Configuration(false), args.toArray(new String[0]));
  }

  private Configuration read() throws IOException {
    Configuration conf = new Configuration(false);
    conf.addResource(site.toUri().toURL());
    return conf;
  }

  /** Enables, disables, and compares with what was there. Returns what HBase read between. */
  private Configuration thereAndBack(String text, Charset charset) throws IOException {
    forgetKept();
    Files.write(site, text.getBytes(charset));
    byte[] before = Files.readAllBytes(site);
    ToolRun shown = run("enable");
    assertEquals(Exit.FINE, shown.exit(), shown::toString);
    assertTrue(shown.out().contains("+++ ") && shown.out().contains("--write"), shown::toString);
    assertArrayEquals(before, Files.readAllBytes(site), "only shown");

    ToolRun written = run("enable", "--write");
    assertEquals(Exit.FINE, written.exit(), written::toString);
    Configuration enabled = read();
    assertEquals(OUR_PROVIDER, enabled.get(PROVIDER));
    assertTrue(List.of(enabled.getTrimmedStrings(MASTER)).contains(OUR_MASTER));
    assertTrue(List.of(enabled.getTrimmedStrings(REGION)).contains(OUR_REGION));
    assertNull(enabled.get("hbase.wal.storage.policy"));
    byte[] once = Files.readAllBytes(site);
    ToolRun again = run("enable", "--write");
    assertEquals(Exit.FINE, again.exit(), again::toString);
    assertTrue(again.out().contains("nothing to change"), again::toString);
    assertArrayEquals(once, Files.readAllBytes(site));

    ToolRun disabled = run("disable", "--write");
    assertEquals(Exit.FINE, disabled.exit(), disabled::toString);
    assertEquals(new String(before, charset), new String(Files.readAllBytes(site), charset));
    assertArrayEquals(before, Files.readAllBytes(site));
    return enabled;
  }

  private Configuration thereAndBack(String text) throws IOException {
    return thereAndBack(text, StandardCharsets.UTF_8);
  }

  private void refused(String text, String... says) throws IOException {
    Files.writeString(site, text);
    List<Path> kept = kept();
    ToolRun run = run("enable", "--write");
    assertEquals(Exit.FINDINGS, run.exit(), run::toString);
    for (String one : says) {
      assertTrue(run.err().contains(one), run::toString);
    }
    assertEquals(1, run.err().trim().split("\n", -1).length, run::toString);
    assertEquals(text, Files.readString(site));
    assertEquals(kept, kept());
  }

  /** Those of the same second would be in the way. */
  private void forgetKept() throws IOException {
    for (Path kept : kept()) {
      Files.delete(kept);
    }
  }

  private List<Path> kept() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(path -> path.toString().contains(".before-"))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  @Test
  void empty_getsWhatTheShippedFileSets() throws IOException {
    Configuration shipped = new Configuration(false);
    shipped.addResource(
        TypedCluster.baseDirectory().resolve("conf/hbase-site.xml").toUri().toURL());
    Configuration enabled = thereAndBack(file());
    assertEquals(
        shipped.getPropsWithPrefix(""), enabled.getPropsWithPrefix(""), "conf/hbase-site.xml");
    assertEquals(enabled.size(), shipped.size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<configuration></configuration>",
        "<configuration>\n</configuration>",
        "<configuration>\n  <property><name>a</name><value>1</value></property> </configuration>\n",
        "<configuration><!-- none --></configuration>\n",
        "<configuration>\n\n\n    </configuration>\n\n",
      })
  void empty_ofAnyShape(String text) throws IOException {
    thereAndBack(text);
  }

  @Test
  void empty_withoutConfiguration_isRefused() throws IOException {
    refused("", "is not a site file that HBase can read", site.toString());
    refused("<configuration/>\n", "has no </configuration>", "then run again");
    refused("<configuration>\n <property>\n</configuration>\n", "Correct it");
  }

  @Test
  void phoenix_keepsItsClassesAndCodec() throws IOException {
    Configuration enabled =
        thereAndBack(
            file(
                property("hbase.regionserver.wal.codec", "org.apache.x.IndexedWALEditCodec"),
                property(REGION, "org.apache.phoenix.A, org.apache.phoenix.B,"),
                property(MASTER, "\n      org.apache.phoenix.M\n    ")));
    assertEquals(
        List.of("org.apache.phoenix.A", "org.apache.phoenix.B", OUR_REGION),
        List.of(enabled.getTrimmedStrings(REGION)));
    assertEquals("org.apache.x.IndexedWALEditCodec", enabled.get("hbase.regionserver.wal.codec"));
  }

  @Test
  void lastPropertyByAttributes_staysApart() throws IOException {
    thereAndBack(file("  <property name=\"hbase.rootdir\" value=\"hdfs://x/hbase\"/>\n"));
  }

  /** XML allows it in an attribute. */
  @ParameterizedTest
  @ValueSource(strings = {"value=\"a>b\"/>", "value='a\">b' />", "value=\"/\"></property>"})
  void aGreaterThanInAnAttribute_endsNoTag(String rest) throws IOException {
    String attributes = "  <property name=\"hbase.x\" " + rest + "\n";
    assertEquals(
        "multiwal", thereAndBack(file(attributes, property(PROVIDER, "multiwal"))).get(DELEGATE));
  }

  @Test
  void providerByAttributes_showsAgainAfterDisable() throws IOException {
    thereAndBack(file("  <property name=\"hbase.wal.provider\" value=\"multiwal\"/>\n"));
    assertEquals("multiwal", read().get(PROVIDER));
  }

  @Test
  void valueChangedInTheBlock_goesWithTheBlock() throws IOException {
    Files.writeString(site, file());
    assertEquals(Exit.FINE, run("enable", "--write").exit());
    Files.writeString(
        site, Files.readString(site).replace("<value>prefer</value>", "<value>off</value>"));
    forgetKept();
    assertEquals(Exit.FINE, run("enable", "--write").exit());
    forgetKept();
    assertEquals(Exit.FINE, run("disable", "--write").exit());
    assertEquals(file(), Files.readString(site));
  }

  @Test
  void accessController_staysFirst() throws IOException {
    Configuration enabled =
        thereAndBack(
            file(
                property("hbase.security.authorization", "true"),
                property(MASTER, ACCESS),
                property(REGION, ACCESS + "<!-- and no other -->"),
                "  <property><name>hbase.coprocessor.regionserver.classes</name><value/>"
                    + "</property>\n"));
    assertEquals(ACCESS + "," + OUR_MASTER, enabled.get(MASTER));
    assertEquals(List.of(ACCESS, OUR_REGION), List.of(enabled.getTrimmedStrings(REGION)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"multiwal", "filesystem", " asyncfs ", "MultiWAL"})
  void multiwal_becomesTheDelegate(String provider) throws IOException {
    Configuration enabled =
        thereAndBack(
            file(
                "  <property><name>hbase.wal.provider</name><value>"
                    + provider
                    + "</value><description>two logs</description></property>\n",
                property("hbase.wal.regiongrouping.numgroups", "4"),
                property("hbase.wal.storage.policy", "ALL_SSD"),
                property("hbase.hstore.block.storage.policy", "HOT")));
    assertEquals(provider.trim().toLowerCase(java.util.Locale.ROOT), enabled.get(DELEGATE));
    assertNull(enabled.get("hbase.hstore.block.storage.policy"));
  }

  @Test
  void provider_stockOrNone_needsNoDelegate() throws IOException {
    assertNull(thereAndBack(file(property(PROVIDER, "defaultProvider"))).get(DELEGATE));
    assertNull(thereAndBack(file(property(PROVIDER, ""))).get(DELEGATE));
    thereAndBack(file("<property><name>" + REGION + "</name><value/></property>\n"));
  }

  @Test
  void provider_ofAnotherPlugin_isRefused() throws IOException {
    refused(
        file(property(PROVIDER, "org.x.Provider")),
        PROVIDER + "=org.x.Provider",
        "Remove it",
        "then run again");
  }

  @ParameterizedTest
  @ValueSource(strings = {"AsyncFSWALProvider", "FSHLogProvider", "RegionGroupingProvider"})
  void provider_ofHBaseByItsClass_becomesTheDelegate(String name) throws IOException {
    Configuration enabled =
        thereAndBack(file(property(PROVIDER, "org.apache.hadoop.hbase.wal." + name)));
    assertEquals(
        List.of("asyncfs", "filesystem", "multiwal")
            .get(List.of("A", "F", "R").indexOf(name.substring(0, 1))),
        enabled.get(DELEGATE));
  }

  @Test
  void include_thatSetsOtherKeys_stays() throws IOException {
    Files.writeString(directory.resolve("common.xml"), file(property("hbase.rootdir", "/x")));
    Configuration enabled =
        thereAndBack(
            "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">\n"
                + "  <xi:include href=\"common.xml\"/>\n"
                + property(REGION, "a.B")
                + "</configuration>\n");
    assertEquals("/x", enabled.get("hbase.rootdir"));
  }

  @ParameterizedTest
  @ValueSource(strings = {MASTER + "|a.B", "hbase.wal.storage.policy|ALL_SSD"})
  void include_thatSetsOurKeys_isRefused(String keyAndValue) throws IOException {
    String key = keyAndValue.split("\\|")[0];
    String value = keyAndValue.split("\\|")[1];
    Files.writeString(directory.resolve("common.xml"), file(property(key, value)));
    refused(
        "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">\n"
            + "  <xi:include href=\"common.xml\"/>\n</configuration>\n",
        key + "=" + value,
        "an included file",
        "there, then run again");
  }

  @Test
  void comments_stayAndAreNotRead() throws IOException {
    thereAndBack(
        "<?xml version=\"1.0\"?>\n<!-- <configuration> ours -->\n<configuration>\n"
            + "  <!-- "
            + property(PROVIDER, "multiwal").trim()
            + " -->\n"
            + "  <property>\n    <name>"
            + MASTER
            + "</name> <!-- <value>not.This</value> -->\n    <value>\n      a.B, <!-- c.D, -->\n"
            + "      e.F\n    </value>\n  </property> <!-- end -->\n"
            + "</configuration>\n<!-- </configuration> -->\n");
    refused(
        file(
            "  <property><name>"
                + PROVIDER
                + "</name><!-- why --><value>multiwal</value></property>\n"),
        PROVIDER + "=multiwal",
        "comment or --");
  }

  @Test
  void windowsLineEnds_stay() throws IOException {
    String text =
        file(property(REGION, "a.B"), property(PROVIDER, "multiwal"), property("b", "c"))
            .replace("\n", "\r\n");
    Configuration enabled = thereAndBack(text);
    assertEquals("multiwal", enabled.get(DELEGATE));
    Files.writeString(site, text);
    forgetKept();
    ToolRun shown = run("enable");
    assertFalse(shown.out().contains("\\u000d"), shown::toString);
    assertEquals(Exit.FINE, run("enable", "--write").exit());
    assertFalse(Files.readString(site).replace("\r\n", "").contains("\n"), "no line of Unix's");
  }

  @Test
  void aFinalList_isAppendedToAndStaysFinal() throws IOException {
    String last = "</value>\n    <final>true</final>\n  </property>\n";
    Configuration enabled =
        thereAndBack(
            file(
                "  <property>\n    <name>" + REGION + "</name>\n    <value>a.B" + last,
                "  <property>\n    <name>" + PROVIDER + "</name>\n    <value>multiwal" + last));
    assertEquals("a.B," + OUR_REGION, enabled.get(REGION));
  }

  @Test
  void aFinalOneBeforeAnother_isTheOneInForce() throws IOException {
    String isFinal = property(REGION, "a.B").replace("  </p", "    <final>true</final>\n  </p");
    assertEquals(
        "a.B," + OUR_REGION, thereAndBack(file(isFinal, property(REGION, "c.D"))).get(REGION));
  }

  /** Hadoop trims a name, but not this. */
  @Test
  void aFinalWithBlanks_isNone() throws IOException {
    String blanks = property(REGION, "a.B").replace("  </p", "    <final> true </final>\n  </p");
    assertEquals(
        "c.D," + OUR_REGION, thereAndBack(file(blanks, property(REGION, "c.D"))).get(REGION));
  }

  @Test
  void aFinalOneInAnInclude_isRefused() throws IOException {
    Files.writeString(
        directory.resolve("common.xml"),
        file(property(REGION, "a.B").replace("  </p", "    <final>true</final>\n  </p")));
    refused(
        "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">\n"
            + "  <xi:include href=\"common.xml\"/>\n"
            + property(REGION, "c.D")
            + "</configuration>\n",
        REGION + "=a.B",
        "is final");
  }

  @Test
  void duplicates_theLastOneCounts() throws IOException {
    Configuration enabled =
        thereAndBack(
            file(
                property(REGION, "a.B"),
                property(PROVIDER, "multiwal"),
                property("hbase.wal.storage.policy", "ALL_SSD"),
                property(REGION, "c.D"),
                property(PROVIDER, "filesystem"),
                property("hbase.wal.storage.policy", "ONE_SSD")));
    assertEquals("c.D," + OUR_REGION, enabled.get(REGION));
    assertEquals("filesystem", enabled.get(DELEGATE));
    Files.writeString(site, file(property(REGION, "a.B"), property(REGION, "c.D")));
    ToolRun shown = run("enable");
    assertTrue(shown.out().contains("is defined 2 times"), shown::toString);
  }

  /** HBase reads none of these values. */
  @ParameterizedTest
  @ValueSource(strings = {"<value></value>", "<value/>", ""})
  void duplicates_anEmptyLaterOneDoesNotCount(String empty) throws IOException {
    String later = "  <property><name>" + REGION + "</name>" + empty + "</property>\n";
    assertEquals(
        "a.B," + OUR_REGION, thereAndBack(file(property(REGION, "a.B"), later)).get(REGION));
  }

  @Test
  void endWithABlank_isOne() throws IOException {
    thereAndBack(file(property("a", "b")).replace("</configuration>", "</configuration >"));
    thereAndBack("<configuration></configuration\n>\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-32"})
  void wideCharacters_areNamedAsTheReason(String charset) throws IOException {
    byte[] bytes =
        file().replace("\"1.0\"", "\"1.0\" encoding=\"" + charset + "\"").getBytes(charset);
    Files.write(site, bytes);
    ToolRun run = run("enable", "--write");
    assertEquals(Exit.FINDINGS, run.exit(), run::toString);
    assertTrue(run.err().contains("UTF-8") && run.err().contains("iconv"), run::toString);
    assertArrayEquals(bytes, Files.readAllBytes(site));
  }

  @Test
  void aBlankInThePath_isNoObstacle() throws Exception {
    Path conf = Files.createDirectory(directory.resolve("h base"));
    site = Files.writeString(conf.resolve("hbase-site.xml"), file());
    Configuration ofHost = new Configuration(false);
    ofHost.setClassLoader(new URLClassLoader(new URL[] {conf.toUri().toURL()}));
    ToolRun run = ToolRun.of(ofHost, "enable");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertTrue(run.out().contains("+++ " + site), run::toString);
  }

  @Test
  void mode_misspelt_isRefused() throws IOException {
    refused(
        file(property("hbase.hybrid.mode", "perfer")),
        "hbase.hybrid.mode=perfer",
        "prefer, require, off");
    String other = property("my.mode", "require") + property("hbase.hybrid.mode", "${my.mode}");
    assertEquals("require", thereAndBack(file(other)).get("hbase.hybrid.mode"));
    thereAndBack(file(property("hbase.hybrid.mode", "${set.elsewhere}")));
  }

  @Test
  void disable_takesOutTheDelegateOfGroups() throws IOException {
    String groups = "hbase.wal.regiongrouping.delegate.provider";
    Files.writeString(site, file(property(PROVIDER, "multiwal"), property(groups, OUR_PROVIDER)));
    ToolRun run = run("disable", "--write");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertEquals(file(property(PROVIDER, "multiwal")), Files.readString(site));
    forgetKept();
    Files.writeString(
        site,
        file(
            property(PROVIDER, "multiwal"),
            property(groups, OUR_PROVIDER),
            property(DELEGATE, "filesystem")));
    assertEquals(Exit.FINE, run("disable", "--write").exit());
    assertEquals("filesystem", read().get(groups));
    assertNull(read().get(DELEGATE));
  }

  @Test
  void aFailure_namesFileCauseAndRemedy_andLeavesNoCopy() throws Exception {
    site = directory.resolve("x".repeat(240) + ".xml"); // too long with a suffix
    Files.writeString(site, file());
    ToolRun run = run("enable", "--write");
    assertEquals(Exit.FINDINGS, run.exit(), run::toString);
    assertTrue(run.err().contains("is not written and stays unchanged"), run::toString);
    assertTrue(
        run.err().contains("name too long") && run.err().contains("Run again as"), run::toString);
    assertEquals(file(), Files.readString(site));
    assertEquals(List.of(), kept());
    site = Files.writeString(directory.resolve("hbase-site.xml"), file());
    Process fixed = new ProcessBuilder("chattr", "+i", site.toString()).start();
    assumeTrue(fixed.waitFor() == 0, "root only, and not on every file system");
    try {
      ToolRun refused = run("enable", "--write");
      assertEquals(Exit.FINDINGS, refused.exit(), refused::toString);
      assertTrue(refused.err().contains(site + " is not written"), refused::toString);
      assertEquals(List.of(), kept());
    } finally {
      new ProcessBuilder("chattr", "-i", site.toString()).start().waitFor();
    }
  }

  @Test
  void nonAscii_staysInEveryEncoding() throws IOException {
    String text =
        file(property("hbase.x", "Größe – 表"), property(REGION, "a.B"))
            .replace("  </property>", "  <description>Zähler</description></property>");
    thereAndBack(text);
    thereAndBack("\ufeff" + text);
    thereAndBack(
        text.replace("– 表", "").replace("\"1.0\"", "\"1.0\" encoding=\"ISO-8859-1\""),
        StandardCharsets.ISO_8859_1);
    Files.writeString(site, text);
    ToolRun shown = run("enable");
    assertTrue(shown.out().contains("Zähler"), shown::toString);
    Files.write(site, text.getBytes(StandardCharsets.UTF_16));
    assertEquals(Exit.FINDINGS, run("enable", "--write").exit());
  }

  @Test
  void readOnly_isRefused() throws IOException {
    Files.writeString(site, file());
    Files.setPosixFilePermissions(site, PosixFilePermissions.fromString("r--r--r--"));
    ToolRun run = run("enable", "--write");
    assertEquals(Exit.FINDINGS, run.exit(), run::toString);
    assertTrue(run.err().contains("is read-only") && run.err().contains("chmod"), run::toString);
    assertEquals(file(), Files.readString(site));
    assertEquals(Exit.FINE, run("enable").exit(), "may be shown");
  }

  @Test
  void aLink_staysAndItsTargetKeepsItsRights() throws IOException {
    Path real = Files.createDirectory(directory.resolve("real")).resolve("site.xml");
    Files.writeString(real, file(property(PROVIDER, "multiwal")));
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
    Files.createSymbolicLink(site, Path.of("real/site.xml"));
    thereAndBack(file(property(PROVIDER, "multiwal")));
    assertTrue(Files.isSymbolicLink(site));
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(real)));
    try (Stream<Path> all = Files.list(real.getParent())) {
      List<String> names =
          all.map(path -> path.getFileName().toString()).sorted().collect(Collectors.toList());
      assertEquals(3, names.size(), names::toString);
      assertTrue(names.get(1).startsWith("site.xml.before-disable-"), names::toString);
      assertTrue(names.get(2).startsWith("site.xml.before-enable-"), names::toString);
    }
  }

  @Test
  void disable_takesOutWhatAPersonMerged() throws IOException {
    Files.writeString(
        site,
        file(
            property(PROVIDER, OUR_PROVIDER),
            property(DELEGATE, "multiwal"),
            property(REGION, OUR_REGION + ", a.B"),
            property(MASTER, OUR_MASTER),
            property("hbase.hybrid.tier.budget", "10%"),
            property("hbase.hstore.engine.class", "io.github.hybridhbase.tier.HybridStoreEngine")));
    ToolRun run = run("disable", "--write");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertEquals(
        file(
            property(PROVIDER, "multiwal"),
            property(REGION, "a.B"),
            property("hbase.hybrid.tier.budget", "10%")),
        Files.readString(site));
    assertTrue(
        run.out().contains("Without effect from now on: hbase.hybrid.tier.budget"), run::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {OUR_PROVIDER + ">filesystem", "prefer>require"})
  void disable_keepsAValueThatWasEditedInTheBlock(String edit) throws IOException {
    Files.writeString(site, file(property(PROVIDER, "multiwal")));
    assertEquals(Exit.FINE, run("enable", "--write").exit());
    String[] words = edit.split(">");
    Files.writeString(site, Files.readString(site).replace(words[0], words[1]));
    ToolRun run = run("disable", "--write");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    boolean ofMode = words[1].equals("require");
    assertEquals(ofMode ? "multiwal" : "filesystem", read().get(PROVIDER));
    assertEquals(ofMode ? "require" : null, read().get("hbase.hybrid.mode"));
    forgetKept();
    assertEquals(Exit.FINE, run("enable", "--write").exit());
    assertEquals(ofMode ? "require" : "prefer", read().get("hbase.hybrid.mode"));
    assertEquals(ofMode ? "multiwal" : "filesystem", read().get(DELEGATE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"O,a.B,O", "a.B,O,O", "O, O,\n a.B", "O,O", "a.B,O|7,O"})
  void disable_dropsOurClassAsOftenAsItIsListed(String list) throws IOException {
    Files.writeString(site, file(property(REGION, list.replace("O", OUR_REGION))));
    ToolRun run = run("disable", "--write");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertEquals(list.contains("a.B") ? "a.B" : null, read().getTrimmed(REGION));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\t", "", "    "})
  void enable_findsItsBlockWithAnotherIndentation(String indentation) throws IOException {
    Files.writeString(site, file());
    assertEquals(Exit.FINE, run("enable", "--write").exit());
    String indented =
        Files.readString(site).replace(">prefer<", ">off<").replace("  ", indentation);
    Files.writeString(site, indented);
    forgetKept();
    assertEquals(Exit.FINE, run("enable", "--write").exit());
    assertEquals("prefer", read().get("hbase.hybrid.mode"));
    assertEquals(Exit.FINE, run("disable", "--write").exit());
    assertEquals(file(), Files.readString(site));
  }

  /** As when somebody undid enable by hand, set another value, and enabled again. */
  @Test
  void disable_namesAKeyOfWhichItPutsBackTwo() throws IOException {
    Files.writeString(site, file(property(PROVIDER, "multiwal")));
    assertEquals(Exit.FINE, run("enable", "--write").exit());
    String byHand = Files.readString(site).replaceAll("(?s) *<!-- [^>]*begin.*end -->\n", "");
    Files.writeString(
        site,
        byHand.replace("<configuration>\n", "<configuration>\n" + property(PROVIDER, "asyncfs")));
    forgetKept();
    assertEquals(Exit.FINE, run("enable", "--write").exit());
    String out = run("disable", "--write").out();
    assertEquals("multiwal", read().get(PROVIDER));
    assertTrue(out.contains(PROVIDER + " is defined 2 times. The one in force is multiwal."), out);
  }

  /** The operator's own definition shows again when the merged one behind it is gone. */
  @Test
  void disable_ofAMergedFile_leavesOtherDefinitions() throws IOException {
    String engine = "hbase.hstore.engine.class";
    String others = property(PROVIDER, "multiwal") + property(engine, "x.Engine");
    Files.writeString(
        site,
        file(
            others,
            property(PROVIDER, OUR_PROVIDER),
            property(engine, "io.github.hybridhbase.tier.HybridStoreEngine")));
    ToolRun run = run("disable", "--write");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertEquals(file(others), Files.readString(site));
  }

  @Test
  void disable_withoutTheMarksOfTheBlock_putsBackWhatWasThere() throws IOException {
    String text = file(property(PROVIDER, "multiwal"), property("hbase.wal.storage.policy", "HOT"));
    Files.writeString(site, text);
    assertEquals(Exit.FINE, run("enable", "--write").exit());
    Files.writeString(
        site,
        Files.readString(site).replaceAll(" *<!-- hbase-hybrid enable: (begin|end) -->\n", ""));
    ToolRun run = run("disable", "--write");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertEquals("multiwal", read().get(PROVIDER));
    assertEquals("HOT", read().get("hbase.wal.storage.policy"));
    assertFalse(Files.readString(site).contains("io.github"), "the plugin is out");
  }

  @Test
  void disable_keepsWhatCameSince() throws IOException {
    Files.writeString(site, file(property(REGION, "a.B")));
    assertEquals(Exit.FINE, run("enable", "--write").exit());
    String edited =
        Files.readString(site)
            .replace(OUR_REGION, OUR_REGION + ",c.D")
            .replace(OUR_MASTER, "e.F," + OUR_MASTER);
    Files.writeString(site, edited);
    ToolRun run = run("disable", "--write");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertEquals("a.B,c.D", read().get(REGION));
    assertEquals("e.F", read().get(MASTER));
    assertNull(read().get(PROVIDER));
  }

  @Test
  void disable_withOurClassElsewhere_isRefused() throws IOException {
    String text = file(property(PROVIDER, "multiwal"), property("hbase.x", OUR_PROVIDER));
    Files.writeString(site, text);
    ToolRun run = run("disable", "--write");
    assertEquals(Exit.FINDINGS, run.exit(), run::toString);
    assertTrue(run.err().contains("hbase.x=" + OUR_PROVIDER), run::toString);
    assertEquals(text, Files.readString(site));
  }

  @Test
  void mode_offIsTurnedOn_requireStays() throws IOException {
    assertEquals(
        "prefer",
        thereAndBack(file(property("hbase.hybrid.mode", "off"))).get("hbase.hybrid.mode"));
    assertEquals(
        "require",
        thereAndBack(file(property("hbase.hybrid.mode", "require"))).get("hbase.hybrid.mode"));
  }

  @Test
  void json_namesWhatWasDone() throws IOException {
    Files.writeString(site, file(property("hbase.wal.storage.policy", "ALL_SSD")));
    JsonObject json = run("enable", "--write", "--json").json();
    assertEquals("hbase-hybrid/enable/1", json.get("schema").getAsString());
    assertTrue(json.get("written").getAsBoolean());
    assertTrue(Files.exists(Path.of(json.get("kept").getAsString())));
    assertTrue(json.getAsJsonArray("remarks").toString().contains("hbase.wal.storage.policy"));
    assertTrue(json.getAsJsonArray("diff").size() > 4 && json.getAsJsonArray("next").size() > 3);
  }

  @Test
  void aFileThatIsNotThere_isWrongUsage() {
    ToolRun run = run("enable");
    assertEquals(Exit.USAGE, run.exit(), run::toString);
    assertTrue(run.err().contains(site.toString()), run::toString);
    assertEquals(Exit.USAGE, ToolRun.of(new Configuration(false), "disable").exit());
  }
}
