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
package io.github.hybridhbase.hdfs;

import io.github.hybridhbase.config.StoragePolicy;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A file system with storage policies, as the plugin sees it. Every method is one or a few NameNode
 * calls, blocks the calling thread, and is safe to call from any thread. What writes or removes a
 * record throws {@link ForeignRecordException} where one stands that this version cannot read.
 */
@InterfaceAudience.Private
public interface StorageNamespace {
  /** The policy in force on a path and on its parent; empty where the path does not exist. */
  Optional<PolicyStatus> policy(Path path) throws IOException;

  /**
   * Id of the policy that HDFS follows where none is specified: HOT, unless {@code
   * dfs.storage.default.policy} says otherwise. The client asks for it once an hour.
   */
  byte defaultPolicy(Path path) throws IOException;

  /**
   * Sets the policy of a directory or file. Costs the NameNode a write lock and an edit-log sync
   * even where nothing changes: read first.
   */
  void setPolicy(Path path, StoragePolicy policy) throws IOException;

  /** Removes the path's own policy, so that its parent's is in force. */
  void unsetPolicy(Path path) throws IOException;

  /**
   * The plugin's provenance on a path, empty where there is none.
   *
   * @throws IOException also where the NameNode has xattrs disabled
   */
  Found<PolicyProvenance> provenance(Path path) throws IOException;

  /** Writes the plugin's provenance record on a path, over one that is there. */
  void setProvenance(Path path, PolicyProvenance provenance) throws IOException;

  /** Removes the plugin's provenance record where there is one. */
  void removeProvenance(Path path) throws IOException;

  /** Creates a directory and its parents where they are missing; they are this user's. */
  void createDirectory(Path path) throws IOException;

  /**
   * As the other one, but what is created is given to the owner of the directory above it, where
   * this user may do that.
   */
  void createDirectoryForOwner(Path path) throws IOException;

  /**
   * Asks HDFS for one block under a policy, in a file of its own within the directory, and reads
   * where it went. The file is deleted again.
   *
   * @param blockSize the block size to declare, in bytes: HDFS judges space by it
   * @return also where HDFS refused the block, see {@link Probe#failure()}
   * @throws IOException where it is not about space: no permission, policies disabled or reserved
   *     to the superuser, safe mode
   */
  Probe probe(Path directory, StoragePolicy policy, long blockSize) throws IOException;

  /**
   * As {@link #probe}, through a client of its own that waits no longer than this, and some seconds
   * for each DataNode, for one that does not answer.
   *
   * @param millis 1 or more
   */
  default Probe probeBriefly(Path directory, StoragePolicy policy, long blockSize, int millis)
      throws IOException {
    return probe(directory, policy, blockSize);
  }

  /**
   * Where a block is written without these DataNodes: each one that the NameNode then names takes a
   * small file, and {@link Probe#replicas()} has those that did within seconds.
   */
  default Probe probeWithout(
      Path directory, StoragePolicy policy, long blockSize, Collection<DatanodeInfo> avoided)
      throws IOException {
    return probe(directory, policy, blockSize);
  }

  /**
   * Has one DataNode take a block with one replica, or as many as the NameNode insists on, flushes
   * it a few times, and deletes it.
   *
   * @param blockSize bytes of the block asked for
   * @param millis a flush that takes longer is slow
   * @param durable whether the flushes are hsyncs, rather than hflushes
   * @throws IOException where the NameNode cannot be asked
   */
  NodeProbe probe(
      Path directory,
      StoragePolicy policy,
      long blockSize,
      DatanodeInfo node,
      int millis,
      boolean durable)
      throws IOException;

  /**
   * Deletes probe files in a directory that were last written before this time, in milliseconds
   * since 1970.
   *
   * @return how many there were
   */
  int sweepProbes(Path directory, long before) throws IOException;

  /**
   * The ids of the policies in force on the directories in a directory, by their names; empty where
   * it does not exist. One NameNode call a thousand children.
   */
  Map<String, Byte> children(Path directory) throws IOException;

  /** The quota for SSD on a directory itself, in bytes; empty where it has none. */
  Optional<Long> ssdQuota(Path directory) throws IOException;

  /**
   * Whether the NameNode takes writes now, which it does not in safe mode.
   *
   * @throws IOException where it does not answer
   */
  boolean takesWrites() throws IOException;

  /** The block size that HDFS gives new files in this directory, in bytes. */
  long defaultBlockSize(Path directory) throws IOException;

  /** Where a file's blocks are; empty where the file does not exist. */
  Optional<FileBlocks> blocks(Path file) throws IOException;

  /**
   * What a directory holds, streamed: one NameNode call a page (HDFS's {@code dfs.ls.limit}, 1000
   * entries or block locations), and no more than a page in memory.
   *
   * @return empty where the directory does not exist
   * @throws IOException also where the user may not read the directory
   */
  Optional<RemoteIterator<ListingEntry>> list(Path directory) throws IOException;

  /**
   * The hold on an HBase root, empty where there is none, or where the NameNode has xattrs disabled
   * so that there can be none.
   */
  Found<Hold> hold(Path root) throws IOException;

  /** Puts a hold on an HBase root, over one that is there. */
  void setHold(Path root, Hold hold) throws IOException;

  /** Removes the hold where there is one. */
  void removeHold(Path root) throws IOException;

  /**
   * Gives a path the policy with this HDFS id as its own, or none of its own for {@link
   * StoragePolicy#UNSPECIFIED}.
   *
   * @throws IOException also where HDFS has no policy with this id
   */
  void restorePolicy(Path path, byte id) throws IOException;

  /**
   * Asks HDFS to move a closed file's replicas to the media that the policy in force on it wants.
   * HDFS moves them later; while it has not, the NameNode ignores a second request.
   *
   * @throws IOException also where the NameNode's storage policy satisfier is off
   */
  void satisfy(Path file) throws IOException;

  /**
   * As {@link #satisfy}, but counts also where an earlier request stands on the file: the satisfier
   * may have looked at the policy before it changed, or died with the request in hand. The NameNode
   * queues the file once more, so this is for the few that need it.
   */
  void satisfyAgain(Path file) throws IOException;

  /** What stands on an HBase root of moving existing data; empty where nothing does. */
  Found<MoveConsent> consent(Path root) throws IOException;

  /** Writes it, over what stood there. */
  void setConsent(Path root, MoveConsent consent) throws IOException;

  /** Takes it back. */
  void removeConsent(Path root) throws IOException;

  /**
   * Whether the NameNode takes requests to move blocks: its satisfier is on.
   *
   * @param root the HBase root, below which the question is asked
   */
  boolean moves(Path root) throws IOException;

  /** What the master last said of the SSD tier on an HBase root; empty where it said nothing. */
  Found<TierState> tierState(Path root) throws IOException;

  /** Says it, over what was said before. */
  void setTierState(Path root, TierState state) throws IOException;

  /** Takes it back. */
  void removeTierState(Path root) throws IOException;

  /**
   * What a RegionServer last said that it has on SSD; empty where it said nothing or is gone.
   *
   * @param directory of its WALs
   */
  Found<TierUse> tierUse(Path directory) throws IOException;

  /** Says it, over what was said before; throws where the directory does not exist. */
  void setTierUse(Path directory, TierUse use) throws IOException;

  /**
   * The DataNodes that a server last said it leaves out of its WALs because they stalled; empty
   * where it said nothing or is gone.
   *
   * @param directory of its WALs
   */
  Found<LeftOutNodes> leftOut(Path directory) throws IOException;

  /** Says it, over what was said before; throws where the directory does not exist. */
  void setLeftOut(Path directory, LeftOutNodes nodes) throws IOException;

  /**
   * The records on a path that this version cannot read, by the name of their xattr, each with the
   * beginning of its text; xattrs of the plugin's prefix that this version does not know are among
   * them. Empty where the NameNode has xattrs disabled.
   */
  Map<String, String> foreignRecords(Path path) throws IOException;
}
