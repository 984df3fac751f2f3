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

import org.apache.yetus.audience.InterfaceAudience;

/** What is the matter where HDFS did not do something ({@link HdfsError}). */
@InterfaceAudience.Private
public enum HdfsErrorKind {
  /** The thread is told to stop. */
  STOPPED,
  /** The file is gone, its name is taken, or the server is fenced off. */
  GONE,
  /** The NameNode, or a router, could not be asked, or none of its DataNodes is back. */
  NAMENODE("The NameNode could not be asked; this is tried again."),
  /** The NameNode takes no writes now. */
  SAFE_MODE("The NameNode is in safe mode; this is tried again when it has left it."),
  /** {@code dfs.storage.policy.enabled=false}. */
  POLICIES_DISABLED(
      "HDFS has storage policies disabled. Set dfs.storage.policy.enabled=true on the"
          + " NameNode."),
  /** {@code dfs.namenode.xattrs.enabled=false}. */
  XATTRS_DISABLED("HDFS keeps no xattrs. Set dfs.namenode.xattrs.enabled=true on the NameNode."),
  /** A record of another version of the plugin stands there, see {@link Found}. */
  FOREIGN_RECORD(
      "A record that this version of the plugin cannot read stands there and is left as it is."),
  /** {@code dfs.storage.policy.satisfier.mode=none}. */
  SATISFIER_OFF(
      "The NameNode's storage policy satisfier is off, so nothing moves blocks. Set"
          + " dfs.storage.policy.satisfier.mode=external on the NameNode and start 'hdfs"
          + " --daemon start sps', or run 'hdfs mover -p /hbase' as HDFS's superuser."),
  /** The NameNode holds as many requests to move a file as it takes. */
  SATISFIER_FULL(
      "The NameNode's queue of moves is full. Run this again when 'hdfs"
          + " storagepolicies -satisfyStoragePolicy' requests have been carried out: is the sps"
          + " daemon running?"),
  /** Storage policies are the superuser's. */
  SUPERUSER_ONLY(
      "HDFS reserves storage policies to the superuser. Set"
          + " dfs.storage.policy.permissions.superuser-only=false on the NameNode, or have its"
          + " superuser do it (docs/secure.md)."),
  /** This user may not. */
  PERMISSION(
      "HBase's user may not write there, which setting a policy needs. Give it WRITE with"
          + " 'hdfs dfs -chown' or '-chmod'."),
  /** A quota of names or of space, on every medium. */
  QUOTA(
      "A quota of names or of space is used up. Raise it with 'hdfs dfsadmin -setQuota' or"
          + " '-setSpaceQuota'."),
  /** The NameNode has no DataNode for the block, or a quota of SSD: the next try fails too. */
  NO_TARGET,
  /** A DataNode did not answer in time, or none runs at its address: no medium's doing. */
  NODE_SILENT,
  /** A connection broke; the NameNode's where only that was asked. */
  CONNECTION_LOST,
  /** A DataNode refused the block or broke the connection; also all that cannot be told. */
  NODE_REFUSED,
  /** Never an exception's: the file was made, but with fewer replicas than usual. */
  UNDER_REPLICATED,
  /** Somebody closed the client. */
  CLIENT_CLOSED,
  /** HBase's own failure, or data that cannot be read. */
  OTHER;

  private final String remedy;

  HdfsErrorKind() {
    this("HDFS would not do it; this is tried again.");
  }

  HdfsErrorKind(String remedy) {
    this.remedy = remedy;
  }

  /** What is the matter and what remedies it, a sentence or two. */
  public String remedy() {
    return remedy;
  }

  /** Whether whoever asks is to stop, or what it asked for is gone. */
  public boolean isOver() {
    return this == STOPPED || this == GONE;
  }

  /** Whether the NameNode forbids it on every medium. */
  public boolean isForbidden() {
    return this == PERMISSION || this == SUPERUSER_ONLY || this == QUOTA;
  }

  /** Whether no further try to write a file helps, on no medium. */
  public boolean isFinal() {
    return isOver() || isForbidden();
  }

  /** Whether the NameNode is to be waited for: no medium's doing. */
  public boolean isNameNodes() {
    return this == NAMENODE || this == SAFE_MODE;
  }

  /** Whether the next try can go without what failed this one. */
  public boolean isOfOneNode() {
    return this == NODE_SILENT || isNodes() || this == CLIENT_CLOSED;
  }

  /** Whether a medium or a DataNode said no. */
  public boolean isRefusal() {
    return this == NO_TARGET || isNodes() || this == CLIENT_CLOSED || this == OTHER;
  }

  /**
   * Whether SSD may be to blame for a file that could not be written there. What cannot be told
   * counts as SSD's: HBase aborts a server whose flush goes on failing, while a wrong blame costs
   * the server seconds without the SSD tier.
   */
  public boolean mayBeSsds() {
    return this == NO_TARGET || this == NODE_SILENT || isNodes();
  }

  /** Whether HDFS as a whole could not be asked, so that asking for another file is in vain. */
  public boolean isOfAllFiles() {
    return this == STOPPED
        || isNameNodes()
        || this == NODE_SILENT
        || this == CONNECTION_LOST
        || this == CLIENT_CLOSED;
  }

  /** Whether the NameNode takes no request to move blocks, of whatever file. */
  public boolean refusesMoves() {
    return this == SATISFIER_OFF || this == SATISFIER_FULL;
  }

  private boolean isNodes() {
    return this == NODE_REFUSED || this == CONNECTION_LOST;
  }
}
