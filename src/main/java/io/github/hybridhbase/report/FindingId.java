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
package io.github.hybridhbase.report;

import io.github.hybridhbase.directory.Obstacle;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The findings of {@code audit} and {@code doctor}, with severity and consequence. The stable id is
 * the name in lower case with dashes; tests compare {@code docs/findings.md} with these.
 */
@InterfaceAudience.Public
public enum FindingId {
  // audit
  POLICY_MISSING(
      Severity.ERROR,
      "HDFS chooses the storage type of new blocks by its default, not by the declared policy."),
  POLICY_CONFLICT(
      Severity.WARNING,
      "A policy that the plugin did not set is in force; the plugin leaves it alone, so the"
          + " declaration does not hold."),
  POLICY_ABOVE(
      Severity.WARNING,
      "A policy on hbase.rootdir or above it replaces the declared one for user data and"
          + " archive; the plugin sets and moves nothing there."),
  RECORD_UNKNOWN(
      Severity.WARNING,
      "The plugin neither overwrites nor removes a record of another version: what the record"
          + " describes is left alone, and 'revert' does not undo it."),
  MOVES_WAITING(
      Severity.NOTE,
      "Data that predates the declaration stays where it is until an admin confirms the move."),
  POLICY_SHADOWED(
      Severity.WARNING,
      "A directory below has a policy of its own, which overrides the component's policy."),
  TMP_PINNED(
      Severity.WARNING,
      "In HBase 2 the temporary file becomes the store file: all output of flushes and"
          + " compactions stays on SSD until something moves it."),
  FILE_POLICY(
      Severity.NOTE,
      "A policy on a file overrides its directory's policy for the life of the file."),
  OWN_POLICY(
      Severity.NOTE, "The policy of a family or table overrides the declared one of user data."),
  ERASURE_CODED(
      Severity.WARNING,
      "Erasure-coded files cannot be hflushed and mostly ignore storage policies; the byte"
          + " columns exclude them."),
  UNDER_REPLICATED(
      Severity.ERROR, "Blocks with fewer replicas than configured are lost when fewer disks fail."),
  MISPLACED_WAL(Severity.ERROR, "Recovery and replication read these logs from the wrong medium."),
  MISPLACED_MASTER(
      Severity.ERROR, "The master's own store is read and written on the wrong medium."),
  MISPLACED_META(Severity.ERROR, "Catalog reads that miss the block cache read the wrong medium."),
  MISPLACED_TIER(Severity.WARNING, "Files that will become store files are on the wrong medium."),
  MISPLACED_ARCHIVE(
      Severity.WARNING, "Archived files occupy a medium that is reserved for other data."),
  MISPLACED_USER(
      Severity.WARNING,
      "User data occupies a medium that is reserved for other data, or is missing from its own."),
  OPEN_MISPLACED(
      Severity.WARNING,
      "Open files have replicas on the wrong medium; every sync of such a WAL waits for them."),
  UNMOVABLE(
      Severity.WARNING,
      "HDFS moves blocks to the policy in force, which is not the wanted one: a move request"
          + " would have no effect."),
  DEMOTED(
      Severity.WARNING,
      "SSD refused writes or ran short of space, so the space monitor directs new blocks to"
          + " DISK."),
  STALLED_DATANODE(
      Severity.WARNING,
      "WALs of these servers avoid this DataNode, since every write would wait for it; if no"
          + " other DataNode has SSD, they have a replica on DISK or one replica less."),
  TIER_CLOSED(
      Severity.NOTE,
      "New store files are written to DISK, as without the SSD tier; files on SSD are moved to"
          + " DISK only if SSD is short of space."),
  TIER_OVERDUE(
      Severity.WARNING,
      "Files that should have left SSD fill the SSD tier, so new store files are written to"
          + " DISK."),
  HELD(Severity.NOTE, "The plugin places nothing until 'apply' lifts the hold."),
  UNREADABLE(Severity.WARNING, "The figures of this report exclude what is there."),

  // doctor
  NO_SSD(
      Severity.ERROR,
      "HDFS writes every block to DISK without an error, whatever the policies are."),
  FEW_SSD_NODES(
      Severity.ERROR,
      "Not every replica can be on SSD: the others go to DISK, and each WAL sync waits for the"
          + " slowest replica."),
  SSD_RACKS(
      Severity.ERROR,
      "HDFS spreads the replicas of a block over racks, and too few racks have SSD: some"
          + " replicas go to DISK, and each WAL sync waits for the slowest replica."),
  SSD_OUT_OF_SERVICE(
      Severity.NOTE,
      "DataNodes that are decommissioned or in maintenance accept no new blocks; the other SSD"
          + " DataNodes carry the whole load."),
  SSD_OVERLOADED(
      Severity.WARNING,
      "HDFS skips busy DataNodes without an error: replicas that it places by itself go to DISK"
          + " while SSD has space."),
  SSD_LOAD_LIMIT(
      Severity.NOTE,
      "So few DataNodes have SSD that HDFS skips them once they carry most open blocks:"
          + " replicas that it then places by itself go to DISK."),
  SSD_REFUSES(
      Severity.ERROR,
      "A probe block under ALL_SSD did not go to SSD: data declared for SSD may be on DISK."),
  POLICIES_DISABLED(Severity.ERROR, "No storage policy can be set."),
  POLICY_DENIED(Severity.ERROR, Obstacle.Kind.POLICY_DENIED.causes()),
  XATTRS_DISABLED(
      Severity.ERROR,
      "The plugin places nothing and the SSD tier stays closed, since policies that cannot be"
          + " recorded could not be undone."),
  SPS_OFF(
      Severity.WARNING,
      "Nothing moves blocks that are on the wrong medium: files that a rename leaves on SSD"
          + " stay there."),
  SPS_NOT_RUNNING(
      Severity.WARNING,
      "Requests to move blocks queue up in the NameNode, and nothing executes them."),
  SPARE_SPACE(
      Severity.WARNING,
      "A DataNode refuses a volume whose free space is below one block plus this reserve, while"
          + " the NameNode still chooses it: writes to SSD then fail instead of going to DISK."),
  SSD_SPACE(
      Severity.WARNING,
      "HDFS needs space for whole WAL blocks: with less, WALs are written to DISK or refused."),
  SSD_QUOTA(Severity.ERROR, Obstacle.Kind.SSD_QUOTA.causes()),
  HDFS_SNAPSHOTS(
      Severity.WARNING,
      "What was on SSD when a snapshot was taken stays there until the snapshot goes, also what HBase has"
          + " deleted since; in 'audit' it is counted as elsewhere."),
  ONE_SSD_TOPOLOGY(Severity.WARNING, Obstacle.Kind.ONE_SSD_TOPOLOGY.causes()),
  READ_ORDER(
      Severity.NOTE,
      "Clients do not read the SSD replica first if a block has replicas on both media."),
  SYNC_ON_CLOSE(
      Severity.NOTE,
      "A file that was just closed may be unreadable after a power cut of all its replicas: a"
          + " new store file whose WAL is archived already, or a WAL of asyncfs that was just rolled."),
  AUTO_WITHOUT_SYNC_ON_CLOSE(
      Severity.WARNING,
      "A WAL of asyncfs that was just rolled may be unreadable after a power cut of all its"
          + " replicas, with every edit that hbase.hybrid.wal.hsync=auto acknowledged as durable."),
  SSD_FILE_SYSTEM(
      Severity.NOTE,
      "With ext4 a durable WAL sync costs an SSD a quarter more requests than with XFS or"
          + " ext4's fast_commit, and twice as many if the kernel merges none."),
  FAILED_VOLUMES(
      Severity.WARNING,
      "The first volume that fails shuts its DataNode down with all healthy volumes; HDFS"
          + " copies its replicas elsewhere, and after the last DataNode nothing can be written."),
  TIER_BYPASSED(
      Severity.WARNING,
      "The family's files are written under its own policy, never by the SSD tier."),
  FILE_TRACKER(
      Severity.NOTE,
      "This store file tracker writes files in place, without .tmp: the SSD tier does not serve"
          + " these tables."),
  MOB_FAMILY(
      Severity.NOTE,
      "HBase gives MOB families a store engine of its own: neither their store files nor their"
          + " MOB files go to SSD."),
  HSTORE_POLICY(Severity.WARNING, Obstacle.Kind.HSTORE_POLICY.causes()),
  HREGION_POLICY(Severity.WARNING, Obstacle.Kind.HREGION_POLICY.causes()),
  WAL_POLICY(Severity.WARNING, Obstacle.Kind.WAL_POLICY.causes()),
  EC_DIRECTORY(
      Severity.ERROR, "Erasure-coded files cannot be hflushed and mostly ignore storage policies."),
  SETTING_WRONG(Severity.ERROR, "The setting has no effect; the default is in force."),
  TABLE_SETTING_WRONG(
      Severity.WARNING,
      "The SSD tier ignores the setting; if it is a policy that is not understood, nothing of the table"
          + " goes to SSD."),
  SETTING_PRICE(Severity.NOTE, "The setting is allowed and has a cost."),
  COPROCESSOR_LOST(
      Severity.ERROR,
      "The coprocessors that the list held before are disabled: security, indexes or quotas."),
  NOT_ENABLED(Severity.WARNING, "This site file does not enable the plugin."),
  NOT_LOADED(Severity.ERROR, "These servers run without the plugin's class."),
  VERSIONS_DIFFER(Severity.WARNING, "Servers of different versions may place differently."),
  DECLARATIONS_DIFFER(
      Severity.WARNING,
      "The active master's declaration is the cluster's: the others would place differently once one of"
          + " them is the active master."),
  WRITER_NOT_IN_FORCE(
      Severity.ERROR,
      "The WAL writers lack a configured ability: fall back to DISK, sync durably, or share"
          + " syncs."),
  TIER_NOT_IN_FORCE(
      Severity.WARNING,
      "This HBase line does not notify the SSD tier when a store file is complete: the tier"
          + " writes no store file to SSD."),
  TIER_NO_ENGINE(
      Severity.WARNING,
      "The SSD tier writes no store file to SSD on these servers, although the master opens it."),
  TIER_NOT_SERVED(
      Severity.NOTE,
      "The family's store files never go to SSD: another store engine writes them, or they"
          + " could not leave SSD."),
  HOT_NO_ROW_FILTER(
      Severity.WARNING,
      "The family's compactions are not split by hot rows: without a ROW Bloom filter a Get of a hot"
          + " row reads the files on DISK too."),
  HOT_LARGE_BLOCKS(
      Severity.NOTE,
      "A Get reads a whole block: with 8 KB HDD alone answered 1.4 times as many in one benchmark."),
  ROOT_NOT_ON_HDFS(
      Severity.NOTE,
      "That file system has no storage policies: the plugin neither places nor checks its"
          + " files, and none of its store files goes to SSD."),
  ENGINE_IN_SITE(
      Severity.NOTE,
      "Clients with this site file and without the plugin's jar cannot read snapshots: they"
          + " fail with 'Unable to load configured store engine'."),
  FEW_FLUSHERS(
      Severity.NOTE,
      "A faster WAL alone can slow HBase down: flushes and compactions must keep up with it."),
  OLD_WALS_HELD(
      Severity.WARNING,
      "A lagging replication peer keeps old WALs from being deleted; they fill the disks."),
  ZOOKEEPER_ON_DISK(
      Severity.NOTE,
      "ZooKeeper syncs its log on every write: sessions and assignments wait for a rotating"
          + " disk.");

  private final Severity severity;
  private final String causes;

  FindingId(Severity severity, String causes) {
    this.severity = severity;
    this.causes = causes;
  }

  /** The stable id. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public Severity severity() {
    return severity;
  }

  public String causes() {
    return causes;
  }
}
