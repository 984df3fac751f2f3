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

import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@InterfaceAudience.Private
class HybridToolTest {
  private static ToolRun run(String... args) {
    return ToolRun.of(HBaseConfiguration.create(), args);
  }

  @Test
  void withoutAVerbItShowsTheVerbsAndFails() {
    ToolRun run = run();
    assertEquals(Exit.USAGE, run.exit());
    assertTrue(run.err().contains("check"), run::toString);
  }

  @Test
  void anUnknownVerbIsWrongUsageAndIsEscaped() {
    ToolRun run = run("\u001b[2Jcheck");
    assertEquals(Exit.USAGE, run.exit());
    assertFalse(run.err().contains("\u001b"), run::toString);
  }

  @Test
  void anUnknownOptionIsWrongUsage() {
    assertEquals(Exit.USAGE, run("check", "--nonsense").exit());
    assertEquals(Exit.USAGE, run("check", "stray").exit());
    assertEquals(Exit.USAGE, run("check", "--files").exit());
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "apply", "revert", "plan"})
  void everyVerbHasHelpWithAnExample(String verb) {
    ToolRun run = run(verb, "--help");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertTrue(run.out().contains("Example: hbase-hybrid " + verb), run::toString);
    assertTrue(run.out().contains("--json"), run::toString);
  }

  @Test
  void usageError_isOneLine() {
    for (String[] args :
        new String[][] {
          {"chekc"}, {"check", "--nonsense"}, {"check", "-D", "foo"}, {"plan", "--reads", "x"}
        }) {
      ToolRun run = run(args);
      assertEquals(Exit.USAGE, run.exit(), run::toString);
      assertEquals(1, run.err().trim().split("\n", -1).length, run::toString);
      assertTrue(
          run.err().matches("(?s).*[^.?][.?] See 'hbase-hybrid .*--help'\\.\\s*"), run::toString);
    }
  }

  @Test
  void definedKey_wrongValue_isUsageError() {
    ToolRun run = run("check", "-D", "hbase.hybrid.tier.budget=200%");
    assertEquals(Exit.USAGE, run.exit(), run::toString);
    assertTrue(run.err().contains("hbase.hybrid.tier.budget=200%"), run::toString);
    run = run("check", "-Dhbase.hybrid.tier.bugdet=20%");
    assertEquals(Exit.USAGE, run.exit(), run::toString);
    assertTrue(run.err().contains("hbase.hybrid.tier.bugdet=20% is ignored"), run::toString);
  }

  @Test
  void version_andHelpOfAVerb() {
    assertTrue(run("--version").out().startsWith("hbase-hybrid-storage "));
    assertEquals(run("check", "--help").out(), run("help", "check").out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "apply", "revert"})
  void hostThatDoesNotResolve_isUnreachable(String verb) {
    ToolRun run = run(verb, "-D", "hbase.rootdir=hdfs://no-such-host.invalid:8020/hbase");
    assertEquals(Exit.UNREACHABLE, run.exit(), run::toString);
    assertTrue(run.err().contains("no-such-host.invalid"), run::toString);
    assertFalse(run.err().contains("fault of the tool"), run::toString);
  }

  @Test
  void fileSystemWithoutClass_isUnreachable() {
    ToolRun run =
        run("check", "-D", "hbase.rootdir=nofs://b/hbase", "-D", "fs.nofs.impl=org.example.NoFs");
    assertEquals(Exit.UNREACHABLE, run.exit(), run::toString);
    assertTrue(run.err().contains("org.example.NoFs"), run::toString);
  }

  /** As Hadoop's client answers, in these words. */
  @InterfaceAudience.Private
  public static final class NoLogin extends RawLocalFileSystem {
    static final String WORDS = "test.words";

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
      throw new IOException(
          "DestHost:destPort nn:8020: Failed on local exception",
          new AccessControlException(conf.get(WORDS)));
    }
  }

  private static ToolRun noLogin(String words) {
    Configuration conf = HBaseConfiguration.create();
    conf.set(NoLogin.WORDS, words);
    conf.set("hbase.rootdir", "krb://b/hbase");
    conf.set("fs.krb.impl", NoLogin.class.getName());
    conf.set("hadoop.security.authentication", "simple", "mine/core-site.xml");
    return ToolRun.of(conf, "check");
  }

  @Test
  void missingTicket_isUnreachable_andAsksForKinit() {
    ToolRun run = noLogin("Client cannot authenticate via:[TOKEN, KERBEROS]");
    assertEquals(Exit.UNREACHABLE, run.exit(), run::toString);
    assertTrue(run.err().contains("kinit"), run::toString);
  }

  @Test
  void kerberosThatRefusesATicket_keepsItsReason() {
    ToolRun run =
        noLogin("GSS initiate failed [Caused by GSSException: Clock skew too great (37)]");
    assertEquals(Exit.UNREACHABLE, run.exit(), run::toString);
    assertTrue(run.err().contains("Clock skew too great"), run::toString);
    assertTrue(run.err().contains("clock"), run::toString);
  }

  @Test
  void missingCoreSite_isNamed_insteadOfKinit() {
    ToolRun run = noLogin("SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]");
    assertEquals(Exit.UNREACHABLE, run.exit(), run::toString);
    assertTrue(run.err().contains("hadoop.security.authentication=simple"), run::toString);
    assertTrue(run.err().contains("put the cluster's core-site.xml on"), run::toString);
    assertTrue(run.err().contains("SIMPLE authentication is not enabled"), run::toString);
    assertFalse(run.err().contains("kinit"), run::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "apply", "revert", "plan"})
  void aLocalFileSystemIsNoCluster(String verb) {
    ToolRun run = run(verb, "-D", "hbase.rootdir=file:///nowhere");
    assertEquals(Exit.UNREACHABLE, run.exit(), run::toString);
    assertTrue(run.err().contains("hbase.rootdir"), run::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "apply", "revert", "plan"})
  void aNameNodeThatIsDownIsSaidInALine(String verb) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("ipc.client.connect.max.retries", 0);
    ToolRun run = ToolRun.of(conf, verb, "-D", "hbase.rootdir=hdfs://127.0.0.1:" + port + "/hbase");
    assertEquals(Exit.UNREACHABLE, run.exit(), run::toString);
    assertFalse(run.err().contains("\tat "), run::toString);
    // A busy machine may take some seconds for it.
    long lines = run.err().lines().filter(line -> !line.startsWith("Waiting for")).count();
    assertEquals(1, lines, run::toString);
  }
}
