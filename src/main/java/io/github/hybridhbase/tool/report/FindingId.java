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
package io.github.hybridhbase.tool.report;

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
      "New blocks are written where HDFS likes, not where they were declared to be."),
  POLICY_CONFLICT(
      Severity.WARNING,
      "Somebody else's policy is in force there; the plugin leaves it alone, so the declaration does"
          + " not hold."),
  POLICY_ABOVE(
      Severity.WARNING,
      "Somebody else's policy on hbase.rootdir or above it is followed by user data and archive in"
          + " place of the declared one; nothing of theirs is set or moved."),
  RECORD_UNKNOWN(
      Severity.WARNING,
      "Nothing overwrites or removes a record of another version: what it is about is left alone, and"
          + " 'revert' does not undo it."),
  MOVES_WAITING(
      Severity.NOTE,
      "Data that was there before the declaration stays where it is until somebody says that it may"
          + " be moved."),
  POLICY_SHADOWED(
      Severity.WARNING,
      "A directory further down has a policy of its own, which beats the one of its component."),
  TMP_PINNED(
      Severity.WARNING,
      "In HBase 2 the temporary file becomes the store file: all flush and compaction output stays"
          + " on SSD until something moves it."),
  FILE_POLICY(
      Severity.NOTE,
      "A policy on the file itself beats its directory's for as long as the file lives."),
  OWN_POLICY(
      Severity.NOTE, "A family's or table's own policy wins over the declared one of user data."),
  ERASURE_CODED(
      Severity.WARNING,
      "Erasure-coded files cannot be hflushed and mostly ignore storage policies. They are not in"
          + " the byte columns."),
  UNDER_REPLICATED(
      Severity.ERROR, "Blocks with fewer replicas than asked for are lost with fewer disks."),
  MISPLACED_WAL(Severity.ERROR, "Recovery and replication read these logs from the wrong medium."),
  MISPLACED_MASTER(
      Severity.ERROR, "The master's own store is read and written on the wrong medium."),
  MISPLACED_META(Severity.ERROR, "Catalog reads that miss the cache wait for the wrong medium."),
  MISPLACED_TMP(Severity.WARNING, "Files that are to become store files lie on the wrong medium."),
  MISPLACED_ARCHIVE(
      Severity.WARNING, "What HBase only keeps takes up space on a medium meant for other things."),
  MISPLACED_USER(
      Severity.WARNING,
      "User data takes up space on a medium meant for other things, or lacks its own."),
  OPEN_MISPLACED(
      Severity.WARNING,
      "Files being written have replicas on the wrong medium; of a WAL, every sync waits for them."),
  UNMOVABLE(
      Severity.WARNING,
      "HDFS moves blocks to the policy in force, which there is not the wanted one: asking would not"
          + " help."),
  DEMOTED(
      Severity.WARNING,
      "SSD was refused or ran out of space, so the space monitor has new blocks written to DISK."),
  STALLED_DATANODE(
      Severity.WARNING,
      "WALs of these servers have a replica on DISK, or one replica less, where there are no other"
          + " DataNodes with SSD; every write would wait for this one."),
  TIER_CLOSED(
      Severity.NOTE,
      "New store files are written to DISK, as without the SSD tier; what is on SSD is moved away if"
          + " SSD is short, and stays for any other reason."),
  TIER_OVERDUE(
      Severity.WARNING,
      "Files that should have left SSD fill the SSD tier, so that new store files are written to"
          + " DISK."),
  HELD(Severity.NOTE, "The plugin places nothing until 'apply' lifts the hold."),
  UNREADABLE(Severity.WARNING, "What lies there is not in any number of this report."),

  // doctor
  NO_SSD(Severity.ERROR, "HDFS places everything on DISK, silently, whatever the policies say."),
  FEW_SSD_NODES(
      Severity.ERROR,
      "Not every replica finds an SSD: the remainder goes to DISK, and a WAL's sync waits for the"
          + " slowest replica."),
  SSD_RACKS(
      Severity.ERROR,
      "HDFS spreads a block's replicas over racks, and too few racks have SSD: the remainder goes to"
          + " DISK, and a WAL's sync waits for the slowest replica."),
  SSD_OUT_OF_SERVICE(
      Severity.NOTE,
      "DataNodes with SSD that are decommissioned or in maintenance take no new blocks; the others"
          + " carry all that is declared for SSD."),
  SSD_OVERLOADED(
      Severity.WARNING,
      "HDFS passes busy DataNodes over, without an error: the replicas that it places by itself go to"
          + " DISK while SSD has space."),
  SSD_LOAD_LIMIT(
      Severity.NOTE,
      "So few DataNodes have SSD that HDFS passes them over once they carry most open blocks: what it"
          + " then places by itself goes to DISK."),
  SSD_REFUSES(
      Severity.ERROR,
      "A block asked for under ALL_SSD did not go to SSD: what is declared for SSD may lie on"
          + " DISK."),
  POLICIES_DISABLED(Severity.ERROR, "No storage policy can be set."),
  POLICY_DENIED(Severity.ERROR, Obstacle.Kind.POLICY_DENIED.causes()),
  XATTRS_DISABLED(
      Severity.ERROR,
      "Nothing is placed, and there is no SSD tier: the plugin could not record what it sets, so"
          + " nobody could undo it."),
  SPS_OFF(
      Severity.WARNING,
      "Nothing moves blocks that lie on the wrong medium: what a rename leaves on SSD stays there."),
  SPS_NOT_RUNNING(
      Severity.WARNING,
      "Requests to move blocks queue up in the NameNode and nobody carries them out."),
  SPARE_SPACE(
      Severity.WARNING,
      "A DataNode refuses a volume with less space than a block plus this, while the NameNode goes on"
          + " choosing it: writes to SSD then fail instead of going to DISK."),
  SSD_SPACE(
      Severity.WARNING,
      "HDFS judges space by whole WAL blocks: with less, WALs are written to DISK or refused."),
  SSD_QUOTA(Severity.ERROR, Obstacle.Kind.SSD_QUOTA.causes()),
  ONE_SSD_TOPOLOGY(Severity.WARNING, Obstacle.Kind.ONE_SSD_TOPOLOGY.causes()),
  READ_ORDER(
      Severity.NOTE,
      "Clients are not sent to the SSD replica first where replicas are on both media."),
  SYNC_ON_CLOSE(
      Severity.NOTE,
      "A file that was just closed may be unreadable after a power cut of all replicas: a new store"
          + " file whose WAL is archived already, and a WAL of asyncfs that was just rolled."),
  AUTO_WITHOUT_SYNC_ON_CLOSE(
      Severity.WARNING,
      "A WAL of asyncfs that was just rolled may be unreadable as a whole after a power cut of all"
          + " replicas, with every edit that hbase.hybrid.wal.hsync=auto has called durable."),
  SSD_FILE_SYSTEM(
      Severity.NOTE,
      "A durable sync of a WAL costs an SSD with ext4 a quarter more requests than with XFS, or with"
          + " ext4's fast_commit, and twice as many where the kernel merges none."),
  FAILED_VOLUMES(
      Severity.WARNING,
      "The first volume that fails, be it the SSD, shuts its DataNode down with all healthy ones: its"
          + " replicas are made anew elsewhere, and after the last DataNode nothing can be written."),
  TIER_BYPASSED(
      Severity.WARNING,
      "The family's files are written under its own policy, never in the SSD tier."),
  FILE_TRACKER(
      Severity.NOTE,
      "This store file tracker writes files in place and uses no .tmp: what is placed there does not"
          + " reach these tables."),
  MOB_FAMILY(
      Severity.NOTE,
      "HBase gives MOB families a store engine of its own: neither their store files nor their MOB"
          + " files go to SSD."),
  HSTORE_POLICY(Severity.WARNING, Obstacle.Kind.HSTORE_POLICY.causes()),
  HREGION_POLICY(Severity.WARNING, Obstacle.Kind.HREGION_POLICY.causes()),
  WAL_POLICY(Severity.WARNING, Obstacle.Kind.WAL_POLICY.causes()),
  EC_DIRECTORY(
      Severity.ERROR, "Erasure-coded files cannot be hflushed and mostly ignore storage policies."),
  SETTING_WRONG(Severity.ERROR, "The setting has no effect; the default is in force."),
  SETTING_PRICE(Severity.NOTE, "The setting is allowed, with a price."),
  COPROCESSOR_LOST(
      Severity.ERROR,
      "What stood in the list before is switched off: security, indexes or quotas."),
  NOT_ENABLED(Severity.WARNING, "This site file does not switch the plugin on."),
  NOT_LOADED(Severity.ERROR, "These servers run without the plugin's part."),
  VERSIONS_DIFFER(Severity.WARNING, "Servers of different versions may place differently."),
  WRITER_NOT_IN_FORCE(
      Severity.ERROR,
      "The WALs' writers cannot do what is asked of them: fall back to DISK, sync durably, or share"
          + " syncs."),
  TIER_NOT_IN_FORCE(
      Severity.WARNING,
      "This line of HBase does not tell the SSD tier when a store file is finished: no store file is"
          + " written to SSD by it."),
  TIER_NO_ENGINE(
      Severity.WARNING,
      "No store file is written to SSD by the SSD tier there, though the master opens it."),
  TIER_NOT_SERVED(
      Severity.NOTE,
      "The family's store files never go to SSD: they are written by another store engine, or could"
          + " not leave SSD."),
  ROOT_NOT_ON_HDFS(
      Severity.NOTE,
      "What lies there has no storage policies: the plugin neither places nor judges it, and no store"
          + " file of it goes to SSD."),
  ENGINE_IN_SITE(
      Severity.NOTE,
      "Clients with this site file and without the plugin's jar cannot read snapshots: they fail with"
          + " 'Unable to load configured store engine'."),
  FEW_FLUSHERS(
      Severity.NOTE,
      "A fast WAL alone can make HBase slower: flushes and compactions must keep up with it."),
  OLD_WALS_HELD(
      Severity.WARNING,
      "A replication peer that lags keeps old WALs from being deleted; they fill the disks."),
  ZOOKEEPER_ON_DISK(
      Severity.NOTE,
      "ZooKeeper syncs its log on every write: sessions and assignments wait for a rotating disk.");

  private final Severity severity;
  private final String causes;

  FindingId(Severity severity, String causes) {
    this.severity = severity;
    this.causes = causes;
  }

  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public Severity severity() {
    return severity;
  }

  /** One sentence. */
  public String causes() {
    return causes;
  }
}
