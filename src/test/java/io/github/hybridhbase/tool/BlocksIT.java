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

import static io.github.hybridhbase.runtime.StoragePolicy.ALL_SSD;
import static io.github.hybridhbase.runtime.StoragePolicy.COLD;
import static io.github.hybridhbase.runtime.StoragePolicy.HOT;
import static io.github.hybridhbase.runtime.StoragePolicy.ONE_SSD;
import static io.github.hybridhbase.tool.HBaseOnHdfs.META;
import static io.github.hybridhbase.tool.HBaseOnHdfs.STORE;
import static io.github.hybridhbase.tool.HBaseOnHdfs.TABLE;
import static io.github.hybridhbase.tool.HBaseOnHdfs.WAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walk finds what is planted, on a real HDFS with three DataNodes of SSD and DISK. */
@InterfaceAudience.Private
class BlocksIT {
  private static final int LENGTH = 10_000;
  private static final String OLD = "/hbase/oldWALs/";
  private static final String OLD_OF_MASTER = "/hbase/MasterData/oldWALs/";
  private static final String OLD_META = "/hbase/archive/data/hbase/meta/1588230740/info/";
  private static final String SLOWLOG = "/hbase/data/hbase/slowlog/r/info/";

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
    return ToolRun.blocks(
        hbase.conf(), Stream.concat(Stream.of(more), Stream.of("--json")).toArray(String[]::new));
  }

  private static void assertRun(ToolRun run, int exit, String... ids) {
    assertEquals(List.of(ids), run.findings(), run::toString);
    assertEquals(exit, run.exit());
  }

  private void finds(String... ids) throws Exception {
    assertRun(audit(), Exit.FINDINGS, ids);
  }

  private void notes(String... ids) throws Exception {
    assertRun(audit(), Exit.FINE, ids);
  }

  /** Of a component's closed or open files. */
  private long sum(String component, String files, String field) throws Exception {
    return audit().sum(component, files, field);
  }

  /** A file that HBase would have deleted by now, were it not held. */
  private void old(String path) throws Exception {
    hbase.fs().setTimes(new Path(path), 1, -1);
  }

  @Test
  void whatTheTierLooksAfterIsNotMisplacedUntilItIsOld() throws Exception {
    Path root = new Path("/hbase");
    StorageNamespace namespace = StorageNamespace.of(hbase.fs()).orElseThrow();
    hbase.file(TABLE + "young", LENGTH, ALL_SSD);
    hbase.file("/hbase/archive/data/default/t/r/f/a", LENGTH, ALL_SSD);
    TierState.open(1, 1, System.currentTimeMillis(), "master").writeTo(namespace, root);
    try {
      notes();
      old(TABLE + "young");
      old("/hbase/archive/data/default/t/r/f/a");
      finds("misplaced", "misplaced");
      // As the SSD tier leaves a file until it is compacted away.
      hbase.policy(TABLE + "young", ALL_SSD);
      finds("tier-overdue", "misplaced");
      hbase.fs().delete(new Path(TABLE + "young"), false);
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
    List<String> onSsd =
        List.of(
            WAL,
            META + "a",
            STORE + "/proc/a",
            "/hbase/mobdir/data/default/t/r/cf/a",
            // HBase is about to delete these.
            OLD + "young",
            OLD_OF_MASTER + "young",
            OLD_META + "young");
    List<String> onDisk =
        List.of(
            TABLE + "a",
            OLD + "a",
            SLOWLOG + "a",
            "/hbase/hbase.id",
            STORE + "/proc/b", // the master's to rewrite
            // No writer of the plugin makes these.
            "/hbase/data/hbase/meta/.tabledesc/.tableinfo.1",
            "/hbase/data/hbase/meta/1588230740/.regioninfo");
    for (String path : onSsd) {
      hbase.file(path, LENGTH, ALL_SSD);
    }
    for (String path : onDisk) {
      hbase.file(path, LENGTH, HOT);
    }
    notes();
    assertEquals(3L * LENGTH, sum("wal", "closed", "ssdBytes"));
    ToolRun text = ToolRun.blocks(hbase.conf());
    assertTrue(text.out().endsWith("\nOK: no findings\n"), text::toString);
    assertEquals("", text.err());
  }

  private static List<String> worst(ToolRun run) {
    List<String> paths = new ArrayList<>();
    run.json()
        .getAsJsonArray("worstFiles")
        .forEach(file -> paths.add(file.getAsJsonObject().get("path").getAsString()));
    return paths;
  }

  @Test
  void filesOnAnotherMediumThanIsDeclared() throws Exception {
    Set<String> misplaced = new TreeSet<>();
    for (String path :
        List.of(
            OLD + "a",
            OLD_META + "a",
            OLD_OF_MASTER + "a",
            "/hbase/corrupt/a",
            TABLE + "small",
            SLOWLOG + "a",
            "/hbase/staging/u/a",
            "/hbase/data/default/t/r/.tmp/cf/a")) {
      hbase.file(path, LENGTH, ALL_SSD);
      old(path);
      misplaced.add(path);
    }
    for (String path : List.of(WAL, META + "a", TABLE + "full")) {
      hbase.file(path, LENGTH, HOT);
      misplaced.add(path);
    }
    // The policy was given, and HDFS fell back.
    hbase.policy(TABLE + "full", ALL_SSD);
    hbase.file(WAL + "2", LENGTH, ONE_SSD);
    hbase.file(TABLE + "large", 2 * LENGTH, ALL_SSD);
    misplaced.addAll(List.of(WAL + "2", TABLE + "large"));
    finds("misplaced", "misplaced", "misplaced", "misplaced", "misplaced");
    assertEquals((3L + 2) * LENGTH, sum("wal", "closed", "misplacedBytes"));
    assertEquals(misplaced, new TreeSet<>(worst(audit("--files", "99"))));
    ToolRun two = audit("--files", "2");
    assertEquals(2, worst(two).size());
    JsonObject first = two.json().getAsJsonArray("worstFiles").get(0).getAsJsonObject();
    assertEquals(TABLE + "large", first.get("path").getAsString());
    assertEquals(6L * LENGTH, first.get("misplacedBytes").getAsLong());
  }

  @Test
  void anOpenWalOnDisk() throws Exception {
    try (FSDataOutputStream out = hbase.open(WAL)) {
      finds("misplaced");
      assertEquals(0, sum("wal", "closed", "files"));
      assertEquals(1, sum("wal", "open", "files"));
    }
  }

  /** As HBase's fan-out output leaves it: it has a block of which the NameNode knows no byte. */
  @Test
  void openWal_isCountedByMedium_withoutALength() throws Exception {
    DistributedFileSystem dfs = hbase.fs();
    try (FSDataOutputStream out = dfs.create(new Path(WAL))) {
      hbase.policy(WAL, ALL_SSD);
      long id = ((HdfsFileStatus) dfs.getFileStatus(new Path(WAL))).getFileId();
      DFSClient client = dfs.getClient();
      ExtendedBlock block =
          client
              .getNamenode()
              .addBlock(WAL, client.getClientName(), null, null, id, null, null)
              .getBlock();
      ToolRun run = audit();
      assertEquals(1, run.sum("wal", "open", "files"));
      assertEquals(1, run.sum("wal", "open", "ssdFiles"));
      assertEquals(0, run.sum("wal", "open", "mixedFiles"));
      assertEquals(0, run.sum("wal", "open", "ssdBytes"));
      client.getNamenode().abandonBlock(block, id, WAL, client.getClientName());
    }
  }

  @Test
  void policiesOfDirectoriesAndFiles() throws Exception {
    // HBase's own doing with hbase.wal.storage.policy.
    hbase.fs().mkdirs(new Path("/hbase/data/default/t/r/recovered.edits"));
    hbase.policy("/hbase/data/default/t/r/recovered.edits", ALL_SSD);
    notes("own-policy");
    hbase.policy(TABLE, ALL_SSD);
    hbase.file(TABLE + "a", LENGTH, ALL_SSD);
    notes("own-policy");
    // In the archive's bytes, under its own policy: not misplaced, and it stays on SSD.
    hbase.pinned(OLD + "a", LENGTH, ALL_SSD);
    old(OLD + "a");
    notes("own-policy", "held-on-ssd");
    hbase.file(TABLE + "b", LENGTH, HOT);
    finds("misplaced", "own-policy", "held-on-ssd");
    hbase.fs().enableErasureCodingPolicy("XOR-2-1-1024k");
    hbase.fs().setErasureCodingPolicy(new Path("/hbase/archive"), "XOR-2-1-1024k");
    finds("misplaced", "own-policy", "erasure-coded", "held-on-ssd");
    hbase.policy("/hbase/WALs", COLD);
    Path lacks = hbase.file(META + "a", LENGTH, ALL_SSD);
    hbase.fs().setReplication(lacks, (short) 4);
    finds(
        "under-replicated",
        "policy-above",
        "misplaced",
        "own-policy",
        "erasure-coded",
        "held-on-ssd");
  }

  /**
   * ExportSnapshot with {@code -D snapshot.export.storage.policy.family.f=ALL_SSD}: nobody is
   * blamed whose keys are not set.
   */
  @Test
  void aSnapshotImportedWithAPolicyPerFamily() throws Exception {
    String family = "/hbase/archive/data/default/imported/0123456789abcdef0123456789abcdef/cf/";
    hbase.fs().mkdirs(new Path(family));
    hbase.policy(family, ALL_SSD);
    hbase.file(family + "a", LENGTH, ALL_SSD);
    hbase.pinned(family + "b", LENGTH, ALL_SSD);
    notes();
    old(family + "a");
    old(family + "b");
    notes(); // they follow their directory
  }

  @Test
  void recoveredEditsBelowAWalRootElsewhereAreCounted() throws Exception {
    hbase.fs().delete(new Path("/wal"), true);
    hbase.file("/wal/data/hbase/meta/1588230740/recovered.edits/1", LENGTH, HOT);
    ToolRun run = audit("-D", "hbase.wal.dir=/wal");
    assertEquals(1, run.sum("meta", "closed", "files"), run::toString);
  }

  @Test
  void oneTableIsLookedAtAlone() throws Exception {
    hbase.file(TABLE + "a", LENGTH, ALL_SSD);
    hbase.file("/hbase/archive/data/default/t/r/cf/a", LENGTH, ALL_SSD);
    old("/hbase/archive/data/default/t/r/cf/a");
    hbase.file("/hbase/data/default/other/r/cf/a", LENGTH, ALL_SSD);
    ToolRun run = audit("--table", "t");
    assertRun(run, Exit.FINDINGS, "misplaced", "misplaced");
    assertEquals(1, run.sum("user", "closed", "files"));
    ToolRun none = ToolRun.of(hbase.conf(), "check", "--table", "tt");
    assertEquals(Exit.USAGE, none.exit(), none::toString);
    assertTrue(none.err().contains("There is no table default:tt"), none::toString);
  }

  @Test
  void theTextHasEveryColumnTheRemedyAndTheVerdict() throws Exception {
    hbase.file(WAL, LENGTH, HOT);
    String text = ToolRun.blocks(hbase.conf(), "--files", "1").out();
    for (String part :
        List.of(
            "component declared files on SSD on DISK other misplaced under-replicated being written: on SSD",
            "\nwal ALL_SSD 1 0 B 29.3 KiB 0 B 29.3 KiB 0 -\n",
            "\nWARNING misplaced wal\n seen 1 file (0 being written)",
            "\n remedy hbase-hybrid apply",
            WAL)) {
      assertTrue(text.replaceAll(" +", " ").contains(part), text);
    }
    assertFalse(text.contains("\nuser "), text); // a component without a file
    assertTrue(text.endsWith("\nWARNING: 1 warning\n"), text);
  }

  @Test
  void ofACheckoutTheOutputIsJsonAndNothingElse(@TempDir java.nio.file.Path directory)
      throws Exception {
    final java.nio.file.Path launcher = ForkedTool.copyOf(ForkedTool.LAUNCHER, directory);
    for (String built : List.of("pom.xml", "target/classes", "target/test-classes")) {
      Files.createSymbolicLink(directory.resolve(built), ForkedTool.checkout().resolve(built));
    }
    // Last, so that it is newer than the sources.
    Files.writeString(
        directory.resolve("target/hbase-hybrid.classpath"),
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    String withoutHBase =
        Stream.of(System.getenv("PATH").split(":"))
            .filter(at -> Files.notExists(java.nio.file.Path.of(at, "hbase")))
            .collect(Collectors.joining(":"));
    ForkedTool tool =
        new ForkedTool(
            directory,
            Map.of("JAVA_HOME", System.getProperty("java.home"), "PATH", withoutHBase),
            launcher.toString(),
            "check",
            "--json",
            "-D",
            "hbase.rootdir=" + cluster.rootDir());
    assertEquals(Exit.UNREACHABLE, tool.exit, tool::toString); // no HBase
    assertTrue(tool.out.startsWith("{\n") && tool.out.endsWith("\n}\n"), tool.out);
    JsonObject json = JsonParser.parseString(tool.out).getAsJsonObject();
    assertEquals("hbase-hybrid/check/1", json.get("schema").getAsString());
  }

  @Test
  void agreesWithFsckByteForByte() throws Exception {
    hbase.file(WAL, 3_000_001, ALL_SSD);
    hbase.file(META + "a", 1, ONE_SSD);
    hbase.file(META + "empty", 0, HOT);
    hbase.file(TABLE + "a", 77_777, HOT);
    hbase.file(TABLE + "b", 5_000_000, ONE_SSD);
    hbase.file(OLD + "a", 4_321, ALL_SSD);
    Map<String, Long> seen = new HashMap<>();
    ToolRun run = audit();
    for (String label : List.of("wal", "master", "meta", "tier", "archive", "user")) {
      seen.merge("SSD", run.sum(label, "closed", "ssdBytes"), Long::sum);
      seen.merge("DISK", run.sum(label, "closed", "diskBytes"), Long::sum);
      assertEquals(0, run.sum(label, "closed", "otherBytes"));
    }
    assertEquals(fsck("/hbase"), seen);
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
    Matcher block =
        Pattern.compile("blk_\\S+ len=(\\d+) .*").matcher(out.toString(StandardCharsets.UTF_8));
    Pattern replica = Pattern.compile("DatanodeInfoWithStorage\\[[^]]*,([A-Z_]+)]");
    while (block.find()) {
      long length = Long.parseLong(block.group(1));
      replica
          .matcher(block.group())
          .results()
          .forEach(on -> bytes.merge(on.group(1), length, Long::sum));
    }
    return bytes;
  }

  @Test
  void aUserWithoutRightsLearnsWhatItMayNotSeeAndTheRest() throws Exception {
    hbase.file(TABLE + "a", LENGTH, ALL_SSD);
    hbase.fs().setPermission(new Path("/hbase/WALs"), new FsPermission("700"));
    UserGroupInformation nobody =
        UserGroupInformation.createUserForTesting("nobody", new String[] {"none"});
    ToolRun run = nobody.doAs((PrivilegedExceptionAction<ToolRun>) () -> audit());
    // Both are warnings, whose order their weight decides.
    assertEquals(Set.of("unreadable", "misplaced"), Set.copyOf(run.findings()), run::toString);
    assertFalse(run.toString().contains("\tat "), run::toString);
  }

  @Test
  void hostileNamesDoNoHarm() throws Exception {
    String escape = "\u001b[2J\u009b31m\u202e";
    hbase.file(TABLE + "--help", LENGTH, ALL_SSD);
    hbase.file(TABLE + "<script>alert('x')<", LENGTH, ALL_SSD);
    hbase.file(TABLE + escape + "\n\rERROR", LENGTH, ALL_SSD);
    hbase.fs().mkdirs(new Path("/hbase/WALs/$(reboot);'\"" + escape));
    hbase.policy("/hbase/WALs/$(reboot);'\"" + escape, COLD);
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
