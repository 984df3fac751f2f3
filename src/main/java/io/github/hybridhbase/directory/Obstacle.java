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
package io.github.hybridhbase.directory;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A setting of HBase or HDFS that works against the placement, with the texts shared by a master's
 * start and {@code doctor}. Pure functions.
 */
@InterfaceAudience.Private
public final class Obstacle {
  /** The kind; {@code doctor} has a finding of the same name. */
  @InterfaceAudience.Private
  public enum Kind {
    HSTORE_POLICY(
        "It is set on every family directory at every region open, hbase:meta's and the master"
            + " store's too, and beats the plugin's policies."),
    HREGION_POLICY(
        "It is set on every region directory, hbase:meta's too, and beats the plugin's policies."),
    WAL_POLICY("It is set on each server's own directory and beats the policy of WALs."),
    POLICY_DENIED("HBase cannot declare its placement."),
    SSD_QUOTA(
        "Writes over a storage type quota fail instead of going to DISK; a log roll that fails"
            + " aborts its server."),
    /** ONE_SSD with a NameNode that cannot repair its blocks. */
    ONE_SSD_TOPOLOGY(
        "With ONE_SSD on full SSDs the NameNode writes blocks with one replica and does not repair"
            + " them.");

    private final String causes;

    Kind(String causes) {
      this.causes = causes;
    }

    public String causes() {
      return causes;
    }
  }

  public static final String WAL_KEY = "hbase.wal.storage.policy";

  /** The NameNode's key that {@link #oneSsd} checks; true by default. */
  public static final String TOPOLOGY = "dfs.use.dfs.network.topology";

  private static final String SUPERUSER_ONLY = "dfs.storage.policy.permissions.superuser-only";

  private final Kind kind;
  private final String subject;
  private final String seen;
  private final String remedy;

  private Obstacle(Kind kind, String subject, String seen, String remedy) {
    this.kind = kind;
    this.subject = subject;
    this.seen = seen;
    this.remedy = remedy;
  }

  /** Checks one of HBase's own keys for storage policies. */
  public static Optional<Obstacle> shadowing(Configuration conf, Kind kind, String key) {
    String value = conf.getTrimmed(key, "");
    return value.isEmpty() || value.equals("NONE")
        ? Optional.empty()
        : Optional.of(
            new Obstacle(
                kind,
                key,
                key + "=" + value + " stands beside the plugin.",
                "Remove it from hbase-site.xml; the keys hbase.hybrid.*.policy take its place, of"
                    + " WALs hbase.hybrid.wal.policy."));
  }

  /**
   * Checks ONE_SSD against the NameNode's topology; a component must be declared ONE_SSD.
   *
   * @param topology the value of {@value #TOPOLOGY}
   * @param where the origin of that value, for messages
   */
  public static Optional<Obstacle> oneSsd(boolean topology, String where) {
    return topology
        ? Optional.of(
            new Obstacle(
                Kind.ONE_SSD_TOPOLOGY,
                TOPOLOGY,
                "It is true " + where + ", and a component is declared ONE_SSD.",
                "Declare ALL_SSD, or set " + TOPOLOGY + "=false on the NameNode."))
        : Optional.empty();
  }

  /** Checks whether only HDFS's superuser may set policies. */
  static Optional<Obstacle> superuserOnly(Configuration conf) {
    return conf.getBoolean(SUPERUSER_ONLY, false)
        ? Optional.of(
            new Obstacle(
                Kind.POLICY_DENIED,
                SUPERUSER_ONLY,
                "It is true: unless HBase runs as HDFS's superuser, it sets no policy; nor can the"
                    + " space monitor act, nor a server turn its WALs to DISK, nor the SSD tier"
                    + " place a file.",
                "Set it to false on the NameNode, or run 'hbase-hybrid apply' as HDFS's superuser:"
                    + " then the directories are placed, without what follows SSD's space."))
        : Optional.empty();
  }

  /** Why a directory could not be placed, and the remedy. */
  public static String explain(HdfsError error) {
    return error.explain()
        + (error.is(HdfsErrorKind.SUPERUSER_ONLY)
            ? " Directories are placed by 'hbase-hybrid apply' as its superuser."
            : "");
  }

  /**
   * An SSD quota.
   *
   * @param argument the directory as a command's argument
   * @param size what is known of the quota, for messages
   */
  public static Obstacle ssdQuota(String directory, String argument, String size) {
    return new Obstacle(
        Kind.SSD_QUOTA,
        directory,
        "It has a quota for SSD; " + size + ".",
        "hdfs dfsadmin -clrSpaceQuota -storageType SSD " + argument);
  }

  /**
   * Whether the placement cannot hold. Policies reserved to the superuser may already be set by the
   * superuser, which the directories show.
   */
  boolean refusesStart() {
    return kind != Kind.POLICY_DENIED;
  }

  public Kind kind() {
    return kind;
  }

  public String subject() {
    return subject;
  }

  public String seen() {
    return seen;
  }

  public String remedy() {
    return remedy;
  }

  @Override
  public String toString() {
    return subject + ": " + seen + " " + kind.causes() + " " + remedy;
  }
}
