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

import io.github.hybridhbase.hdfs.DataNodeReader;
import io.github.hybridhbase.hdfs.FailFastClient;
import io.github.hybridhbase.hdfs.NameNodeWeb;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.placement.PluginFinder;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.tier.TableSettings;
import io.github.hybridhbase.tool.cli.ClusterView;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Session.UnreachableException;
import io.github.hybridhbase.tool.doctor.TierChecks.HotChecks;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;

/** A reader of facts about HDFS, HBase and this host. Writes only one probe file. */
@InterfaceAudience.Private
public final class FactFinder {
  private final Session session;
  private final Path base;
  private final FileSystem fs;
  private final DistributedFileSystem dfs;
  private final DataNodeReader nodes;

  public FactFinder(Session session) throws IOException {
    this.session = session;
    Path walRoot = session.layout.walRoot();
    this.base = session.hdfsRoots.contains(walRoot) ? walRoot : session.keeper();
    this.fs = base.getFileSystem(session.conf);
    this.dfs =
        FailFastClient.unwrap(fs)
            .orElseThrow(() -> new UnreachableException(fs.getUri() + " is not HDFS"));
    this.nodes = new DataNodeReader(fs, session.conf);
  }

  /** Facts of a service that does not respond are unknown. */
  public ClusterFacts find() {
    Configuration conf = session.conf;
    ClusterFacts facts = new ClusterFacts(conf);
    sizes(facts);
    facts.dataNodes = look(nodes::read);
    facts.silent = look(nodes::dead);
    facts.capabilities =
        look(
            () ->
                CapabilityProbe.in(
                    fs, base, facts.walBlockBytes, facts.dataNodes.seen().orElse(List.of())));
    facts.space = look(nodes::space);
    facts.otherRoots = session.otherRoots();
    facts.policies = look(this::policies);
    facts.nameNode = look(() -> NameNodeWeb.settings(fs, conf));
    facts.dataNode = facts.dataNodes.then(live -> DataNodeReader.settings(live, conf));
    facts.oldWals =
        look(
            () ->
                oldWals(
                    dfs,
                    new Path(session.layout.walRoot(), "oldWALs"),
                    System.currentTimeMillis()));
    facts.zooKeeperDisks = new ZooKeeperDisks(conf, Paths.get("/sys/dev/block")).find();
    hbase(facts);
    return facts;
  }

  private void sizes(ClusterFacts facts) {
    Configuration conf = session.conf;
    facts.replication =
        conf.getInt("hbase.regionserver.hlog.replication", dfs.getDefaultReplication(base));
    facts.walBlockBytes =
        WalFiles.blockSize(WalFiles.configuredBlockSize(conf), dfs.getDefaultBlockSize(base));
  }

  private <T> Observed<T> look(Callable<T> eye) {
    return session.stop.requested() ? Observed.unknown("stopped") : Observed.with(eye);
  }

  private Map<String, PolicyStatus> policies() throws IOException {
    Layout layout = session.layout;
    Map<String, PolicyStatus> policies = new TreeMap<>();
    for (Path path :
        List.of(
            layout.root(), layout.walRoot(), layout.wals(), layout.masterData(), layout.meta())) {
      Optional<StorageNamespace> namespace = session.namespace(path);
      if (namespace.isPresent()) {
        namespace
            .get()
            .policy(path)
            .ifPresent(status -> policies.put(path.toUri().getPath(), status));
      }
    }
    return policies;
  }

  static ClusterFacts.OldWals oldWals(FileSystem fs, Path directory, long now) throws IOException {
    long files = 0;
    long bytes = 0;
    long oldest = Long.MAX_VALUE;
    RemoteIterator<? extends FileStatus> each = fs.listFiles(directory, true);
    while (each.hasNext()) {
      FileStatus file = each.next();
      files++;
      bytes += file.getLen();
      oldest = Math.min(oldest, file.getModificationTime());
    }
    return new ClusterFacts.OldWals(files, bytes, files == 0 ? 0 : Math.max(0, now - oldest));
  }

  private void hbase(ClusterFacts facts) {
    Observed<Boolean> asked =
        look(
            () -> {
              try (Connection connection = ClusterView.connect(session.conf)) {
                ask(connection, facts);
                return true;
              }
            });
    if (asked.seen().isEmpty()) {
      String why = "HBase does not answer (" + asked.why() + ")";
      facts.families = Observed.unknown(why);
      facts.servers = Observed.unknown(why);
      facts.plugins = Observed.unknown(why);
      facts.masterCoprocessors = Observed.unknown(why);
      facts.peers = Observed.unknown(why);
    }
  }

  private static void ask(Connection connection, ClusterFacts facts) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      ClusterMetrics metrics =
          admin.getClusterMetrics(
              EnumSet.of(
                  ClusterMetrics.Option.MASTER,
                  ClusterMetrics.Option.MASTER_INFO_PORT,
                  ClusterMetrics.Option.BACKUP_MASTERS,
                  ClusterMetrics.Option.LIVE_SERVERS,
                  ClusterMetrics.Option.MASTER_COPROCESSORS));
      facts.masterCoprocessors = Observed.at(metrics.getMasterCoprocessorNames());
      List<ClusterFacts.Server> servers = new ArrayList<>();
      for (ServerMetrics server : metrics.getLiveServerMetrics().values()) {
        servers.add(
            new ClusterFacts.Server(
                server.getServerName().getServerName(),
                server.getVersion(),
                !server.getRegionMetrics().isEmpty(),
                new ArrayList<>(server.getCoprocessorNames())));
      }
      facts.servers = Observed.at(servers);
      facts.plugins = Observed.with(() -> new PluginFinder(facts.conf).find(metrics));
      facts.page = new PluginFinder(facts.conf).page(metrics);
      facts.families = Observed.with(() -> families(admin, facts));
      facts.peers =
          Observed.with(
              () ->
                  admin.listReplicationPeers().stream()
                      .map(peer -> peer.getPeerId())
                      .collect(Collectors.toList()));
    }
  }

  public static List<ClusterFacts.Family> families(Admin admin, ClusterFacts facts)
      throws IOException {
    List<ClusterFacts.Family> families = new ArrayList<>();
    if (!facts.tierDeclared) {
      // No check needs them then, and there may be thousands.
      return families;
    }
    for (TableDescriptor table : admin.listTableDescriptors()) {
      List<String> problems = TableSettings.problems(facts.settings, table);
      if (!problems.isEmpty()) {
        facts.tableProblems.put(table.getTableName().toString(), String.join(" ", problems));
      }
      for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
        String policy = family.getStoragePolicy();
        ClusterFacts.Family one =
            new ClusterFacts.Family(
                table.getTableName() + ":" + family.getNameAsString(),
                policy == null ? "" : policy);
        one.unserved = TierChecks.unserved(table, family, facts.conf);
        HotChecks.read(one, table, family, facts.conf);
        families.add(one);
      }
    }
    return families;
  }
}
