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

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.tier.CommitForm;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The facts that a doctor examines, filled once by {@link FactFinder} or a test, then only read.
 * Initially unknown.
 */
@InterfaceAudience.Private
public final class ClusterFacts {
  @InterfaceAudience.Private
  static final class Family {
    final String name;
    final String policy;

    /** The setting that excludes it from the SSD tier; "" for none. */
    String unserved = "";

    boolean hot;

    boolean hotOnOneSsd;

    /** "" for one by row. */
    String filter = "";

    int blockBytes;

    /**
     * @param policy STORAGE_POLICY, or ""
     */
    Family(String name, String policy) {
      this.name = name;
      this.policy = policy;
    }

    String table() {
      return name.substring(0, name.lastIndexOf(':'));
    }

    String column() {
      return name.substring(name.lastIndexOf(':') + 1);
    }
  }

  @InterfaceAudience.Private
  static final class Server {
    final String name;
    final String version;
    final boolean hasRegions;
    final List<String> coprocessors;

    Server(String name, String version, boolean hasRegions, List<String> coprocessors) {
      this.name = name;
      this.version = version;
      this.hasRegions = hasRegions;
      this.coprocessors = List.copyOf(coprocessors);
    }
  }

  @InterfaceAudience.Private
  static final class OldWals {
    final long files;
    final long bytes;
    final long oldestMillis;

    OldWals(long files, long bytes, long oldestMillis) {
      this.files = files;
      this.bytes = bytes;
      this.oldestMillis = oldestMillis;
    }
  }

  private static final String NOT_ASKED = "it was not looked at";

  /** Of this host. */
  final Configuration conf;

  public final HybridSettings settings;

  public int replication = 3;

  /** Free space that HDFS needs to open a WAL. */
  long walBlockBytes = 256L << 20;

  public Observed<SsdSpace> space = Observed.unknown(NOT_ASKED);

  Observed<List<DataNodeState>> dataNodes = Observed.unknown(NOT_ASKED);

  Observed<CapabilityProbe> capabilities = Observed.unknown(NOT_ASKED);

  /** Of directories in which the plugin creates files. */
  Observed<Map<String, PolicyStatus>> policies = Observed.unknown(NOT_ASKED);

  List<Path> otherRoots = List.of();

  /** By key. */
  Observed<Map<String, String>> nameNode = Observed.unknown(NOT_ASKED);

  Observed<Map<String, String>> dataNode = Observed.unknown(NOT_ASKED);

  public Observed<List<Family>> families = Observed.unknown(NOT_ASKED);

  Map<String, String> tableProblems = new TreeMap<>();

  public Observed<List<Server>> servers = Observed.unknown(NOT_ASKED);
  public Observed<List<ServerPlugin>> plugins = Observed.unknown(NOT_ASKED);

  public Observed<String> page = Observed.unknown(NOT_ASKED);

  Observed<List<String>> masterCoprocessors = Observed.unknown(NOT_ASKED);
  Observed<List<String>> peers = Observed.unknown(NOT_ASKED);
  Observed<OldWals> oldWals = Observed.unknown(NOT_ASKED);

  /** Each with how long it has sent no heartbeat. */
  Observed<List<String>> silent = Observed.at(List.of());

  Set<String> zooKeeperDisks = Set.of();

  public boolean tierDeclared;

  boolean commitsAreNotified = CommitForm.isKnown();

  boolean declaresOneSsd() {
    return settings.declares(StoragePolicy.ONE_SSD)
        || tierDeclared
            && families.seen().orElse(List.of()).stream().anyMatch(family -> family.hotOnOneSsd);
  }

  public ClusterFacts(Configuration conf) {
    this.conf = conf;
    this.settings = HybridSettings.read(conf);
    this.tierDeclared = settings.mode() != Mode.OFF && settings.policy(Component.TIER).wantsSsd();
  }
}
