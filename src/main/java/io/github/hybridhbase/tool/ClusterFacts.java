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

import io.github.hybridhbase.guard.SsdSpace;
import io.github.hybridhbase.hdfs.Rehearsal;
import io.github.hybridhbase.metrics.Shortfall;
import io.github.hybridhbase.placement.Component;
import io.github.hybridhbase.placement.HybridSettings;
import io.github.hybridhbase.placement.Mode;
import io.github.hybridhbase.repair.Found;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * All that a doctor looked at. Filled once by {@link FactFinder}, or by a test, then only read;
 * what was not looked at is unknown.
 */
@InterfaceAudience.Private
final class ClusterFacts {
  /** A table's family, as its descriptor has it. */
  @InterfaceAudience.Private
  static final class Family {
    final String name;
    final String policy;
    final String tracker;
    final boolean mob;

    /**
     * A family: its table and name, its STORAGE_POLICY or "", its store file tracker or "", whether
     * it keeps large values apart (IS_MOB).
     */
    Family(String name, String policy, String tracker, boolean mob) {
      this.name = name;
      this.policy = policy;
      this.tracker = tracker;
      this.mob = mob;
    }
  }

  /** A RegionServer, as the master has it. */
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

  /** What a server says of the plugin. */
  @InterfaceAudience.Private
  static final class Plugin {
    final String server;
    final Look<Optional<String>> version;
    final Look<Boolean> configured;

    /** What it says of its WAL writers. */
    final List<Shortfall> notInForce;

    /**
     * A server: its name, the version that it runs (empty for none), and whether its own
     * configuration names the plugin (of a backup master, which runs nothing of it yet).
     */
    Plugin(String server, Look<Optional<String>> version, Look<Boolean> configured) {
      this(server, version, configured, List.of());
    }

    /** A server that also says what of its WAL writers is not in force. */
    Plugin(
        String server,
        Look<Optional<String>> version,
        Look<Boolean> configured,
        List<Shortfall> notInForce) {
      this.server = server;
      this.version = version;
      this.configured = configured;
      this.notInForce = List.copyOf(notInForce);
    }
  }

  /** What {@code oldWALs} holds. */
  @InterfaceAudience.Private
  static final class OldWals {
    final long files;
    final long bytes;
    final long oldestMillis;

    /** Old WALs: their number, bytes, and the age of the oldest in milliseconds. */
    OldWals(long files, long bytes, long oldestMillis) {
      this.files = files;
      this.bytes = bytes;
      this.oldestMillis = oldestMillis;
    }
  }

  /** A directory of a ZooKeeper server. */
  @InterfaceAudience.Private
  static final class ZooKeeperDirectory {
    final String server;
    final String path;
    final Look<Boolean> rotational;

    ZooKeeperDirectory(String server, String path, Look<Boolean> rotational) {
      this.server = server;
      this.path = path;
      this.rotational = rotational;
    }
  }

  private static final String NOT_ASKED = "it was not looked at";

  /** HBase's configuration on this host. */
  final Configuration conf;

  final HybridSettings settings;

  /** Replicas asked for by default. */
  int replication = 3;

  /** Bytes that HDFS must have room for when a WAL is opened. */
  long walBlockBytes = 256L << 20;

  Look<SsdSpace> space = Look.unknown(NOT_ASKED);
  Look<Rehearsal> rehearsal = Look.unknown(NOT_ASKED);
  Look<Boolean> moverRuns = Look.unknown(NOT_ASKED);

  /** By directory, bytes of SSD that a quota leaves; only directories with such a quota. */
  Look<Map<String, Long>> ssdQuotas = Look.unknown(NOT_ASKED);

  /** Placed directories under an erasure coding policy. */
  Look<List<String>> erasureCoded = Look.unknown(NOT_ASKED);

  /** The placed directories as HDFS has them. */
  Look<List<Found>> found = Look.unknown(NOT_ASKED);

  /** What existing data waits to be moved; empty for none. */
  Look<Optional<String>> waiting = Look.unknown(NOT_ASKED);

  /** HBase's root, for people. */
  Path root = new Path("/hbase");

  /** Settings of the NameNode's and of a DataNode's own, by key. */
  Look<Map<String, String>> nameNode = Look.unknown(NOT_ASKED);

  Look<Map<String, String>> dataNode = Look.unknown(NOT_ASKED);

  Look<List<Family>> families = Look.unknown(NOT_ASKED);
  Look<List<Server>> servers = Look.unknown(NOT_ASKED);
  Look<List<Plugin>> plugins = Look.unknown(NOT_ASKED);
  Look<List<String>> masterCoprocessors = Look.unknown(NOT_ASKED);
  Look<List<String>> peers = Look.unknown(NOT_ASKED);
  Look<OldWals> oldWals = Look.unknown(NOT_ASKED);
  Look<List<ZooKeeperDirectory>> zooKeeper = Look.unknown(NOT_ASKED);

  /** Whether new store files are to be born on SSD: what a family's own settings may defeat. */
  boolean landing;

  /** The site file from before the plugin; unknown where none was given. */
  Look<Configuration> before = Look.unknown(NOT_ASKED);

  ClusterFacts(Configuration conf) {
    this.conf = conf;
    this.settings = HybridSettings.read(conf);
    this.landing = settings.mode() != Mode.OFF && settings.policy(Component.TMP).wantsSsd();
  }
}
