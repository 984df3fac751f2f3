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
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each verb has: usage, exit codes, and one line for each failure. */
@InterfaceAudience.Private
class HybridToolTest {
  private final Configuration conf = HBaseConfiguration.create();

  private ToolRun run(int exit, String... args) {
    ToolRun run = ToolRun.of(conf, args);
    assertEquals(exit, run.exit(), run::toString);
    return run;
  }

  /** Fails with a line that has these parts. */
  private String fails(int exit, List<String> parts, String... args) {
    String err = run(exit, args).err();
    // A busy machine may take some seconds for it.
    assertEquals(1, err.lines().filter(line -> !line.startsWith("Waiting for")).count(), err);
    parts.forEach(part -> assertTrue(err.contains(part), err));
    assertFalse(err.contains("fault of the tool"), err);
    return err;
  }

  @Test
  void withoutAVerbItShowsTheVerbsAndFails() {
    assertTrue(run(Exit.USAGE).err().contains("check"));
    assertTrue(run(Exit.FINE, "--version").out().startsWith("hbase-hybrid-storage "));
    assertEquals(run(Exit.FINE, "check", "--help").out(), run(Exit.FINE, "help", "check").out());
  }

  @Test
  void everyVerbHasHelpWithAnExampleAndIsInTheDocumentation() throws IOException {
    String operations = Files.readString(ForkedTool.checkout().resolve("docs/operate.md"));
    for (String verb : HybridTool.verbs()) {
      ToolRun help = run(Exit.FINE, verb, "--help");
      assertTrue(help.out().contains("Example: hbase-hybrid " + verb), help::toString);
      assertTrue(help.out().contains("--json"), help::toString);
      assertTrue(operations.contains("| `" + verb + "` |"), "docs/operate.md lacks " + verb);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "chekc|chekc",
        "che\u001b[2Jck|che\\u001b[2Jck",
        "check --nonsense|--nonsense",
        "check stray|stray",
        "check --files|files",
        "check -D foo|foo",
        "check -D hbase.hybrid.tier.budget=200%|hbase.hybrid.tier.budget=200%",
        "check -Dhbase.hybrid.tier.bugdet=20%|hbase.hybrid.tier.bugdet=20% is ignored",
        "plan --reads x|--reads x"
      })
  void wrongUsageIsALine(String args, String part) {
    String err = fails(Exit.USAGE, List.of(part), args.split(" "));
    assertTrue(err.matches("(?s).*[^.?][.?] See 'hbase-hybrid .*--help'\\.\\s*"), err);
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "apply", "revert", "plan"})
  void aClusterThatIsNotThereIsSaidInALine(String verb) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    conf.setInt("ipc.client.connect.max.retries", 0);
    for (String root :
        List.of(
            "hdfs://no-such-host.invalid:8020/hbase",
            "file:///nowhere",
            "hdfs://127.0.0.1:" + port + "/hbase")) {
      fails(Exit.UNREACHABLE, List.of("hbase.rootdir"), verb, "-D", "hbase.rootdir=" + root);
    }
  }

  @Test
  void fileSystemWithoutClass_isUnreachable() {
    conf.set("hbase.rootdir", "nofs://b/hbase");
    conf.set("fs.nofs.impl", "org.example.NoFs");
    fails(Exit.UNREACHABLE, List.of("org.example.NoFs"), "check");
  }

  /** As Hadoop's client answers, in these words. */
  @InterfaceAudience.Private
  public static final class NoLogin extends RawLocalFileSystem {
    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
      throw new IOException(
          "DestHost:destPort nn:8020: Failed on local exception",
          new AccessControlException(conf.get("test.words")));
    }
  }

  private String noLogin(String words, String... parts) {
    conf.set("test.words", words);
    conf.set("hbase.rootdir", "krb://b/hbase");
    conf.set("fs.krb.impl", NoLogin.class.getName());
    return fails(Exit.UNREACHABLE, List.of(parts), "check");
  }

  @Test
  void whoeverKerberosDoesNotLetInIsToldWhatToDo() {
    noLogin("Client cannot authenticate via:[TOKEN, KERBEROS]", "run kinit");
    noLogin("GSS initiate failed [Caused by Clock skew too great (37)]", "Clock skew too", "clock");
    // The core-site.xml of a host that is no client of the cluster.
    String missing =
        noLogin(
            "SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]",
            "hadoop.security.authentication=simple",
            "put the cluster's core-site.xml on",
            "SIMPLE authentication is not enabled");
    assertFalse(missing.contains("kinit"), missing);
  }
}
