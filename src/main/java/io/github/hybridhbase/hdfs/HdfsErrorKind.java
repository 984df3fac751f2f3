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

import io.github.hybridhbase.report.FindingId;
import org.apache.yetus.audience.InterfaceAudience;

/** The kinds of HDFS failures ({@link HdfsError}). */
@InterfaceAudience.Private
public enum HdfsErrorKind {
  STOPPED,
  /** The file is gone, its name is taken, or the server is fenced off. */
  GONE,
  /** The NameNode or router is unavailable, or has no DataNode yet. */
  NAMENODE("The NameNode could not be asked; this is tried again."),
  SAFE_MODE("The NameNode is in safe mode; this is tried again when it has left it."),
  POLICIES_DISABLED("HDFS has storage policies disabled. " + FindingId.POLICIES_DISABLED.remedy()),
  XATTRS_DISABLED("HDFS keeps no xattrs. " + FindingId.XATTRS_DISABLED.remedy()),
  FOREIGN_RECORD(
      "A record that this version of the plugin cannot read stands there and is left as it is."),
  SATISFIER_OFF(
      "The NameNode's storage policy satisfier is off, so nothing moves blocks. "
          + FindingId.SPS_OFF.remedy()),
  SATISFIER_FULL(
      "The NameNode's queue of moves is full. Run this again when 'hdfs"
          + " storagepolicies -satisfyStoragePolicy' requests have been carried out: is the sps"
          + " daemon running?"),
  SUPERUSER_ONLY(
      "HDFS reserves storage policies to the superuser. " + FindingId.POLICY_DENIED.remedy()),
  PERMISSION(
      "HBase's user may not write there, which setting a policy needs. Give it WRITE with"
          + " 'hdfs dfs -chown' or '-chmod'."),
  QUOTA(
      "A quota of names or of space is used up. Raise it with 'hdfs dfsadmin -setQuota' or"
          + " '-setSpaceQuota'."),
  /** The NameNode has no DataNode for the block, or SSD is over quota: the next try fails too. */
  NO_TARGET,
  /** A DataNode did not respond in time, or its address refused; independent of the medium. */
  NODE_SILENT,
  /** A connection broke; that to the NameNode if only it was called. */
  CONNECTION_LOST,
  /** A DataNode refused the block or broke the connection; also the kind of unknown errors. */
  NODE_REFUSED,
  /** Set by the WAL opener, not from an exception: the file has fewer replicas than usual. */
  UNDER_REPLICATED,
  CLIENT_CLOSED,
  /** HBase's own failure, or unreadable data. */
  OTHER;

  private final String remedy;

  HdfsErrorKind() {
    this("HDFS would not do it; this is tried again.");
  }

  HdfsErrorKind(String remedy) {
    this.remedy = remedy;
  }

  public String remedy() {
    return remedy;
  }

  public boolean isOver() {
    return this == STOPPED || this == GONE;
  }

  public boolean isForbidden() {
    return this == PERMISSION || this == SUPERUSER_ONLY || this == QUOTA;
  }

  /** Whether no further attempt to write the file can succeed, on any medium. */
  public boolean isFinal() {
    return isOver() || isForbidden();
  }

  /** Whether to wait for the NameNode, whatever the medium. */
  public boolean isNameNodes() {
    return this == NAMENODE || this == SAFE_MODE;
  }

  /** Whether the next try can exclude the cause. */
  public boolean isOfOneNode() {
    return this == NODE_SILENT || isNodes() || this == CLIENT_CLOSED;
  }

  public boolean isRefusal() {
    return this == NO_TARGET || isNodes() || this == CLIENT_CLOSED || this == OTHER;
  }

  /**
   * Whether SSD may have caused a failed write. Unknown causes count: HBase aborts a server whose
   * flush keeps failing, while a wrong guess costs seconds.
   */
  public boolean mayBeSsds() {
    return this == NO_TARGET || this == NODE_SILENT || isNodes();
  }

  /** Whether HDFS as a whole was unavailable, so that other files would fail as well. */
  public boolean isOfAllFiles() {
    return this == STOPPED
        || isNameNodes()
        || this == NODE_SILENT
        || this == CONNECTION_LOST
        || this == CLIENT_CLOSED;
  }

  public boolean refusesMoves() {
    return this == SATISFIER_OFF || this == SATISFIER_FULL;
  }

  private boolean isNodes() {
    return this == NODE_REFUSED || this == CONNECTION_LOST;
  }
}
