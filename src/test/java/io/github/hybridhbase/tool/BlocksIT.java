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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Audit finds what is planted, on a real HDFS with three DataNodes of SSD and DISK. */
@InterfaceAudience.Private
class BlocksIT {
  private static final int LENGTH = 10_000;

  private static TypedCluster cluster;
  private HBaseOnHdfs hbase;

  @BeforeAll
  static void start() throws Exception {
    cluster = TypedCluster.spec().startHdfs();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @BeforeEach
  void layOut() throws Exception {
    hbase = new HBaseOnHdfs(cluster);
  }

  private ToolRun audit(String... more) throws Exception {
    String[] args = Arrays.copyOf(more, more.length + 1);
    args[more.length] = "--json";
    return ToolRun.blocks(hbase.conf(), args);
  }

  private void finds(String... ids) throws Exception {
    ToolRun run = audit();
    assertEquals(List.of(ids), run.findings(), run::toString);
    assertEquals(Exit.FINDINGS, run.exit());
    for (JsonElement one : run.json().getAsJsonArray("findings")) {
      JsonObject finding = one.getAsJsonObject();
      assertTrue(
          finding.get("severity").getAsString().equals("NOTE")
              || !finding.get("remedy").getAsString().isEmpty(),
          finding + " names no remedy");
    }
  }

  private void notes(String... ids) throws Exception {
    ToolRun run = audit();
    assertEquals(List.of(ids), run.findings(), run::toString);
    assertEquals(Exit.FINE, run.exit());
  }

  private long misplaced(String component) throws Exception {
    return audit().component(component).getAsJsonObject("closed").get("misplacedBytes").getAsLong();
  }

  @Test
  void whatTheTierLooksAfterIsNotMisplacedUntilItIsOld() throws Exception {
    Path root = new Path("/hbase");
    StorageNamespace namespace = StorageNamespace.of(hbase.fs()).orElseThrow();
    hbase.file(HBaseOnHdfs.TABLE + "young", LENGTH, StoragePolicy.ALL_SSD);
    hbase.file("/hbase/archive/data/default/t/r/f/a", LENGTH, StoragePolicy.ALL_SSD);
    TierState.open(1, 1, System.currentTimeMillis(), "master").writeTo(namespace, root);
    try {
      notes();
      hbase.fs().setTimes(new Path(HBaseOnHdfs.TABLE + "young"), 1, -1);
      hbase.fs().setTimes(new Path("/hbase/archive/data/default/t/r/f/a"), 1, -1);
      finds("misplaced", "misplaced");
      // As the SSD tier leaves a file until it is compacted away.
      hbase.fs().setStoragePolicy(new Path(HBaseOnHdfs.TABLE + "young"), "ALL_SSD");
      finds("tier-overdue", "misplaced");
      hbase.fs().delete(new Path(HBaseOnHdfs.TABLE + "young"), false);
      hbase.fs().delete(new Path("/hbase/archive/data/default/t/r/f/a"), false);
      TierState.closed("the reason").writeTo(namespace, root);
      notes("tier-closed");
      assertTrue(ToolRun.blocks(hbase.conf()).out().contains("the reason"));
    } finally {
      namespace.removeXattr(root, TierState.XATTR);
    }
  }

  @Test
  void aRightPlacementHasNoFindings() throws Exception {
    hbase.file(HBaseOnHdfs.WAL, LENGTH, StoragePolicy.ALL_SSD);
    hbase.file(HBaseOnHdfs.META + "a", LENGTH, StoragePolicy.ALL_SSD);
    hbase.file(HBaseOnHdfs.STORE + "/proc/a", LENGTH, StoragePolicy.ALL_SSD);
    hbase.file(HBaseOnHdfs.TABLE + "a", LENGTH, StoragePolicy.HOT);
    hbase.file("/hbase/oldWALs/a", LENGTH, StoragePolicy.HOT);
    hbase.file("/hbase/data/hbase/slowlog/r/info/a", LENGTH, StoragePolicy.HOT);
    hbase.file("/hbase/hbase.id", 10, StoragePolicy.HOT);
    notes();
    JsonObject wal = audit().component("wal");
    assertEquals(3L * LENGTH, wal.getAsJsonObject("closed").get("ssdBytes").getAsLong());
    ToolRun text = ToolRun.blocks(hbase.conf());
    assertTrue(text.out().endsWith("\nOK: no findings\n"), text::toString);
    assertEquals("", text.err());
  }

  @Test
  void aClosedWalOnDisk() throws Exception {
    hbase.file(HBaseOnHdfs.WAL, LENGTH, StoragePolicy.HOT);
    finds("misplaced");
    assertEquals(3L * LENGTH, misplaced("wal"));
  }

  @Test
  void aWalOnlyPartlyOnSsd() throws Exception {
    hbase.file(HBaseOnHdfs.WAL, LENGTH, StoragePolicy.ONE_SSD);
    finds("misplaced");
    assertEquals(2L * LENGTH, misplaced("wal"));
  }

  @Test
  void anOpenWalOnDisk() throws Exception {
    try (FSDataOutputStream out = hbase.open(HBaseOnHdfs.WAL)) {
      finds("misplaced");
      assertEquals(0, audit().component("wal").getAsJsonObject("closed").get("files").getAsLong());
      assertEquals(1, audit().component("wal").getAsJsonObject("open").get("files").getAsLong());
    }
  }

  /** As HBase's fan-out output leaves it: it has a block of which the NameNode knows no byte. */
  @Test
  void openWal_isCountedByMedium_withoutALength() throws Exception {
    DistributedFileSystem dfs = (DistributedFileSystem) hbase.fs();
    Path wal = new Path(HBaseOnHdfs.WAL);
    try (FSDataOutputStream out = dfs.create(wal)) {
      hbase.policy(HBaseOnHdfs.WAL, StoragePolicy.ALL_SSD);
      long id = ((HdfsFileStatus) dfs.getFileStatus(wal)).getFileId();
      DFSClient client = dfs.getClient();
      ExtendedBlock block =
          client
              .getNamenode()
              .addBlock(HBaseOnHdfs.WAL, client.getClientName(), null, null, id, null, null)
              .getBlock();
      JsonObject open = audit().component("wal").getAsJsonObject("open");
      assertEquals(1, open.get("files").getAsLong());
      assertEquals(1, open.get("ssdFiles").getAsLong());
      assertEquals(0, open.get("mixedFiles").getAsLong());
      assertEquals(0, open.get("ssdBytes").getAsLong());
      client.getNamenode().abandonBlock(block, id, HBaseOnHdfs.WAL, client.getClientName());
    }
  }

  /** Whether HBase would have deleted it by now, were it not held; the file; where it lies. */
  static Stream<Arguments> misplacedFiles() {
    return Stream.of(
        Arguments.of(true, "/hbase/oldWALs/a", StoragePolicy.ALL_SSD),
        Arguments.of(
            true, "/hbase/archive/data/hbase/meta/1588230740/info/a", StoragePolicy.ALL_SSD),
        Arguments.of(true, "/hbase/MasterData/oldWALs/a", StoragePolicy.ALL_SSD),
        Arguments.of(false, "/hbase/corrupt/a", StoragePolicy.ALL_SSD),
        Arguments.of(false, HBaseOnHdfs.META + "a", StoragePolicy.HOT),
        Arguments.of(false, HBaseOnHdfs.TABLE + "a", StoragePolicy.ALL_SSD),
        Arguments.of(false, "/hbase/data/hbase/slowlog/r/info/a", StoragePolicy.ALL_SSD),
        Arguments.of(false, "/hbase/staging/u/a", StoragePolicy.ALL_SSD),
        Arguments.of(false, "/hbase/data/default/t/r/.tmp/cf/a", StoragePolicy.ALL_SSD));
  }

  @ParameterizedTest
  @MethodSource("misplacedFiles")
  void aFileOnAnotherMediumThanIsDeclared(boolean old, String path, StoragePolicy born)
      throws Exception {
    if (old) {
      old(path, LENGTH, born);
    } else {
      hbase.file(path, LENGTH, born);
    }
    finds("misplaced");
  }

  /** A file that HBase would have deleted by now, were it not held. */
  private void old(String path, int length, StoragePolicy born) throws Exception {
    hbase.fs().setTimes(hbase.file(path, length, born), 1, -1);
  }

  @Test
  void whatHBaseIsAboutToDeleteIsNotMisplacedThoughNothingLands() throws Exception {
    hbase.file("/hbase/oldWALs/a", LENGTH, StoragePolicy.ALL_SSD);
    hbase.file("/hbase/MasterData/oldWALs/a", LENGTH, StoragePolicy.ALL_SSD);
    hbase.file("/hbase/archive/data/hbase/meta/1588230740/info/a", LENGTH, StoragePolicy.ALL_SSD);
    notes();
  }

  @Test
  void theMastersStoreOnDiskIsTheMastersToRewrite() throws Exception {
    hbase.file(HBaseOnHdfs.STORE + "/proc/a", LENGTH, StoragePolicy.HOT);
    notes();
  }

  @Test
  void aMobFileMayBeOnSsd() throws Exception {
    hbase.file("/hbase/mobdir/data/default/t/r/cf/a", LENGTH, StoragePolicy.ALL_SSD);
    notes();
  }

  /** HBase's own doing with hbase.wal.storage.policy. */
  @Test
  void aPinnedDirectoryOfRecoveredEditsIsNoTemporaryOne() throws Exception {
    hbase.fs().mkdirs(new Path("/hbase/data/default/t/r/recovered.edits"));
    hbase.policy("/hbase/data/default/t/r/recovered.edits", StoragePolicy.ALL_SSD);
    notes("own-policy");
  }

  @Test
  void aFamilysOwnPolicyIsANoteAndItsFilesAreHeldAgainstIt() throws Exception {
    hbase.policy(HBaseOnHdfs.TABLE, StoragePolicy.ALL_SSD);
    hbase.file(HBaseOnHdfs.TABLE + "a", LENGTH, StoragePolicy.ALL_SSD);
    notes("own-policy");
    hbase.file(HBaseOnHdfs.TABLE + "b", LENGTH, StoragePolicy.HOT);
    finds("misplaced", "own-policy");
  }

  /**
   * ExportSnapshot with {@code -D snapshot.export.storage.policy.family.f=ALL_SSD}: nobody is
   * blamed whose keys are not set.
   */
  @Test
  void aSnapshotImportedWithAPolicyPerFamily() throws Exception {
    String family = "/hbase/archive/data/default/imported/0123456789abcdef0123456789abcdef/cf/";
    hbase.fs().mkdirs(new Path(family));
    hbase.policy(family, StoragePolicy.ALL_SSD);
    hbase.file(family + "a", LENGTH, StoragePolicy.ALL_SSD);
    hbase.pinned(family + "b", LENGTH, StoragePolicy.ALL_SSD);
    notes();
    hbase.fs().setTimes(new Path(family + "a"), 1, -1);
    hbase.fs().setTimes(new Path(family + "b"), 1, -1);
    notes(); // they follow their directory
  }

  /** In the archive's bytes, under its own policy: not misplaced, and it stays on SSD. */
  @Test
  void pinnedFileThatIsHeld_isNotMisplaced() throws Exception {
    hbase.pinned("/hbase/oldWALs/a", LENGTH, StoragePolicy.ALL_SSD);
    hbase.fs().setTimes(new Path("/hbase/oldWALs/a"), 1, -1);
    notes("held-on-ssd");
  }

  /** As at full SSD: the policy was given, and HDFS fell back. */
  @Test
  void fileWithThePolicyOnDisk_isMisplaced() throws Exception {
    hbase.file(HBaseOnHdfs.TABLE + "a", LENGTH, StoragePolicy.HOT);
    hbase.policy(HBaseOnHdfs.TABLE + "a", StoragePolicy.ALL_SSD);
    finds("misplaced");
  }

  /** Such files no writer of the plugin makes. */
  @Test
  void smallFilesOfCatalogsOnDisk_areInPlace() throws Exception {
    hbase.file("/hbase/data/hbase/meta/.tabledesc/.tableinfo.1", 10, StoragePolicy.HOT);
    hbase.file("/hbase/data/hbase/meta/1588230740/.regioninfo", 10, StoragePolicy.HOT);
    notes();
  }

  @Test
  void aPolicyThatSomebodyElseSet() throws Exception {
    hbase.policy("/hbase/WALs", StoragePolicy.COLD);
    finds("policy-above");
  }

  @Test
  void anUnderReplicatedBlock() throws Exception {
    Path file = hbase.file(HBaseOnHdfs.WAL, LENGTH, StoragePolicy.ALL_SSD);
    hbase.fs().setReplication(file, (short) 4);
    finds("under-replicated");
  }

  @Test
  void anErasureCodedDirectory() throws Exception {
    hbase.fs().enableErasureCodingPolicy("XOR-2-1-1024k");
    hbase.fs().setErasureCodingPolicy(new Path("/hbase/archive"), "XOR-2-1-1024k");
    notes("erasure-coded");
  }

  private StorageNamespace hdfs() throws Exception {
    return StorageNamespace.of(hbase.fs()).orElseThrow();
  }

  @Test
  void recoveredEditsBelowAWalRootElsewhereAreCounted() throws Exception {
    hbase.fs().delete(new Path("/wal"), true);
    hbase.file("/wal/data/hbase/meta/1588230740/recovered.edits/1", LENGTH, StoragePolicy.HOT);
    ToolRun run = audit("-D", "hbase.wal.dir=/wal");
    assertEquals(
        1, run.component("meta").getAsJsonObject("closed").get("files").getAsInt(), run::toString);
  }

  @Test
  void oneTableIsLookedAtAlone() throws Exception {
    hbase.file(HBaseOnHdfs.TABLE + "a", LENGTH, StoragePolicy.ALL_SSD);
    old("/hbase/archive/data/default/t/r/cf/a", LENGTH, StoragePolicy.ALL_SSD);
    hbase.file("/hbase/data/default/other/r/cf/a", LENGTH, StoragePolicy.ALL_SSD);
    ToolRun run = audit("--table", "t");
    assertEquals(List.of("misplaced", "misplaced"), sorted(run.findings()));
    assertEquals(1, run.component("user").getAsJsonObject("closed").get("files").getAsLong());
  }

  @Test
  void aTableThatIsNotThereIsWrongUsage() {
    ToolRun run = ToolRun.of(hbase.conf(), "check", "--table", "tt");
    assertEquals(Exit.USAGE, run.exit(), run::toString);
    assertTrue(run.err().contains("There is no table default:tt"), run::toString);
  }

  @Test
  void theTextHasEveryColumnAndTheRemedy() throws Exception {
    hbase.file(HBaseOnHdfs.WAL, LENGTH, StoragePolicy.HOT);
    String text = ToolRun.blocks(hbase.conf(), "--files", "1").out();
    assertTrue(
        Pattern.compile(
                "component +declared +files +on SSD +on DISK +other +misplaced"
                    + " +under-replicated")
            .matcher(text)
            .find(),
        text);
    assertTrue(
        Pattern.compile("\nwal +ALL_SSD +1 +0 B +29.3 KiB +0 B +29.3 KiB +0 +-\n")
            .matcher(text)
            .find(),
        text);
    assertTrue(
        text.contains("\nWARNING  misplaced  wal\n  seen    1 file (0 being written)"), text);
    assertTrue(text.contains("\n  remedy  hbase-hybrid apply"), text);
    assertTrue(text.contains(HBaseOnHdfs.WAL), text);
    assertFalse(text.contains("\nuser "), text); // a component without a file
  }

  @Test
  void theLastLineIsTheVerdict() throws Exception {
    hbase.file(HBaseOnHdfs.WAL + "2", LENGTH, StoragePolicy.HOT);
    String text = ToolRun.blocks(hbase.conf()).out();
    assertTrue(text.endsWith("\nWARNING: 1 warning\n"), text);
  }

  @Test
  void ofACheckoutTheOutputIsJsonAndNothingElse() throws Exception {
    try (ForkedTool tool =
        ForkedTool.ofCheckout(
            cluster.directory(), "check", "--json", "-D", "hbase.rootdir=" + cluster.rootDir())) {
      assertEquals(Exit.UNREACHABLE, tool.await(), () -> tool.out() + tool.err()); // no HBase
      assertTrue(tool.out().startsWith("{\n") && tool.out().endsWith("\n}\n"), tool.out());
      JsonObject json = JsonParser.parseString(tool.out()).getAsJsonObject();
      assertEquals("hbase-hybrid/check/1", json.get("schema").getAsString());
    }
  }

  private static List<String> sorted(List<String> list) {
    return list.stream().sorted().collect(java.util.stream.Collectors.toList());
  }

  @Test
  void theWorstFilesComeFirst() throws Exception {
    hbase.file(HBaseOnHdfs.TABLE + "small", LENGTH, StoragePolicy.ALL_SSD);
    hbase.file(HBaseOnHdfs.TABLE + "large", 2 * LENGTH, StoragePolicy.ALL_SSD);
    hbase.file(HBaseOnHdfs.TABLE + "tiny", 1, StoragePolicy.ALL_SSD);
    JsonObject run = audit("--files", "2").json();
    assertEquals(2, run.getAsJsonArray("worstFiles").size());
    JsonObject worst = run.getAsJsonArray("worstFiles").get(0).getAsJsonObject();
    assertEquals(HBaseOnHdfs.TABLE + "large", worst.get("path").getAsString());
    assertEquals(6L * LENGTH, worst.get("misplacedBytes").getAsLong());
  }

  @Test
  void agreesWithFsckByteForByte() throws Exception {
    hbase.file(HBaseOnHdfs.WAL, 3_000_001, StoragePolicy.ALL_SSD);
    hbase.file(HBaseOnHdfs.META + "a", 1, StoragePolicy.ONE_SSD);
    hbase.file(HBaseOnHdfs.META + "empty", 0, StoragePolicy.HOT);
    hbase.file(HBaseOnHdfs.TABLE + "a", 77_777, StoragePolicy.HOT);
    hbase.file(HBaseOnHdfs.TABLE + "b", 5_000_000, StoragePolicy.ONE_SSD);
    hbase.file("/hbase/oldWALs/a", 4_321, StoragePolicy.ALL_SSD);
    Map<String, Long> fsck = fsck("/hbase");
    long ssd = 0;
    long disk = 0;
    for (String label : List.of("wal", "master", "meta", "tier", "archive", "user")) {
      JsonObject closed = audit().component(label).getAsJsonObject("closed");
      ssd += closed.get("ssdBytes").getAsLong();
      disk += closed.get("diskBytes").getAsLong();
      assertEquals(0, closed.get("otherBytes").getAsLong());
    }
    assertEquals(fsck.get("SSD"), ssd);
    assertEquals(fsck.get("DISK"), disk);
  }

  /** Bytes of replicas by medium, as {@code hdfs fsck -files -blocks -locations} has them. */
  private Map<String, Long> fsck(String path) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Configuration conf = new Configuration(hbase.conf());
    // HBase wraps the cached client's proxy, which fsck cannot look through.
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    ToolRunner.run(
        new DFSck(conf, new PrintStream(out, true, StandardCharsets.UTF_8)),
        new String[] {path, "-files", "-blocks", "-locations"});
    Map<String, Long> bytes = new HashMap<>();
    Pattern block = Pattern.compile("blk_\\S+ len=(\\d+) .*");
    Pattern replica = Pattern.compile("DatanodeInfoWithStorage\\[[^]]*,([A-Z_]+)]");
    for (String line : out.toString(StandardCharsets.UTF_8).split("\n", -1)) {
      Matcher at = block.matcher(line);
      if (at.find()) {
        Matcher on = replica.matcher(line);
        while (on.find()) {
          bytes.merge(on.group(1), Long.parseLong(at.group(1)), Long::sum);
        }
      }
    }
    return bytes;
  }

  @Test
  void aUserWithoutRightsLearnsWhatItMayNotSeeAndTheRest() throws Exception {
    hbase.file(HBaseOnHdfs.TABLE + "a", LENGTH, StoragePolicy.ALL_SSD);
    hbase.fs().setPermission(new Path("/hbase/WALs"), new FsPermission("700"));
    UserGroupInformation nobody =
        UserGroupInformation.createUserForTesting("nobody", new String[] {"none"});
    ToolRun run = nobody.doAs((PrivilegedExceptionAction<ToolRun>) () -> audit());
    plants(run, "unreadable", "misplaced");
    assertFalse(run.toString().contains("\tat "), run::toString);
  }

  /** Both are warnings, whose order their weight decides. */
  private static void plants(ToolRun run, String... ids) {
    assertEquals(sorted(List.of(ids)), sorted(run.findings()), run::toString);
  }

  @Test
  void hostileNamesDoNoHarm() throws Exception {
    String escape = "\u001b[2J\u009b31m\u202e";
    hbase.file(HBaseOnHdfs.TABLE + "--help", LENGTH, StoragePolicy.ALL_SSD);
    hbase.file(HBaseOnHdfs.TABLE + "<script>alert('x')<", LENGTH, StoragePolicy.ALL_SSD);
    hbase.file(HBaseOnHdfs.TABLE + escape + "\n\rERROR", LENGTH, StoragePolicy.ALL_SSD);
    hbase.fs().mkdirs(new Path("/hbase/WALs/$(reboot);'\"" + escape));
    hbase.policy("/hbase/WALs/$(reboot);'\"" + escape, StoragePolicy.COLD);
    ToolRun text = ToolRun.blocks(hbase.conf(), "--files", "5");
    for (String control : List.of("\u001b", "\u009b", "\u202e", "\r")) {
      assertFalse(text.out().contains(control), "a control character came through");
    }
    assertTrue(text.out().contains("\\u001b[2J"), text::toString);
    String json = audit("--files", "5").out();
    assertFalse(json.contains("<script>"), json);
    assertTrue(json.chars().allMatch(c -> c == '\n' || c >= ' ' && c < 0x7f), json);
    assertTrue(json.contains("--help"), json);
  }
}
