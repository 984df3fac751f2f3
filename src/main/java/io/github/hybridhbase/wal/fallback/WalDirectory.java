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
package io.github.hybridhbase.wal.fallback;

import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.LeftOutNodes;
import io.github.hybridhbase.hdfs.NodeProbe;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.WalBlockSize;
import java.io.IOException;
import java.util.Collection;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory that holds one server's WALs, {@code WALs/<server>} or its twin in {@code
 * MasterData}, and its storage policy: inherited, or HOT where SSD refused a WAL. Every method asks
 * the NameNode unless it says otherwise. Immutable.
 */
@InterfaceAudience.Private
final class WalDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(WalDirectory.class);

  private final Path path;

  /** What probes; it may be another client than the one that does all else. */
  interface Probing {
    /** Has something asked of it. */
    Probe by(Question question) throws IOException;
  }

  /** What is asked of the client that probes. */
  interface Question {
    /** Asks. */
    Probe of(StorageNamespace namespace) throws IOException;
  }

  private final StorageNamespace namespace;
  private final Probing probing;
  private final StoragePolicy declared;
  private final long walBlockSize;

  /**
   * Names the directory.
   *
   * @param probing by the client that opens WALs, so that a probe goes where a WAL would
   * @param declared what its parent is declared to have
   * @param walBlockSize bytes, 0 where HBase takes twice the file system's
   */
  WalDirectory(
      Path path,
      StorageNamespace namespace,
      Probing probing,
      StoragePolicy declared,
      long walBlockSize) {
    this.path = path;
    this.probing = probing;
    this.namespace = namespace;
    this.declared = declared;
    this.walBlockSize = walBlockSize;
  }

  /** Where it is; asks nobody. */
  Path path() {
    return path;
  }

  /** The policy that its parent is declared to have; asks nobody. */
  StoragePolicy declared() {
    return declared;
  }

  boolean exists() throws IOException {
    return namespace.policy(path).isPresent();
  }

  /** Whether the NameNode takes writes; it does not in safe mode. */
  boolean takesWrites() throws IOException {
    return namespace.takesWrites();
  }

  /** Whether the policy in force here wants SSD; one or two calls. */
  boolean wantsSsd() throws IOException {
    return wantsSsd(path);
  }

  /** Whether the policy in force for the WALs of all servers wants SSD. */
  boolean parentWantsSsd() throws IOException {
    return wantsSsd(path.getParent());
  }

  private boolean wantsSsd(Path path) throws IOException {
    return namespace.policy(path).filter(PolicyStatus::wantsSsd).isPresent();
  }

  /**
   * New WALs are written to DISK; the provenance, where HDFS keeps one, says that it was the space
   * monitor.
   */
  void turnToHot() throws IOException {
    try {
      namespace.setProvenance(
          path,
          PolicyProvenance.first(StoragePolicy.UNSPECIFIED, declared)
              .change(StoragePolicy.HOT)
              .asDemoted());
    } catch (IOException e) {
      LOG.debug("No provenance can be left on {}", path, e);
    }
    namespace.setPolicy(path, StoragePolicy.HOT);
  }

  /** New WALs are written where the parent says. */
  void inherit() throws IOException {
    namespace.unsetPolicy(path);
  }

  /** Takes away what {@link #turnToHot} has left; never throws an IOException. */
  void forgetProvenance() {
    try {
      namespace.removeProvenance(path);
    } catch (IOException e) {
      LOG.debug("The provenance on {} stays", path, e);
    }
  }

  /**
   * Has a block of a WAL's size written beside it and reads where its replicas are.
   *
   * @param avoided DataNodes whose replicas do not count
   */
  Probe probe(StoragePolicy policy, Collection<DatanodeInfo> avoided) throws IOException {
    long blockSize = blockSize();
    return probing.by(
        hdfs ->
            avoided.isEmpty()
                ? hdfs.probe(path.getParent(), policy, blockSize)
                : hdfs.probeWithout(path.getParent(), policy, blockSize, avoided));
  }

  /**
   * Has one DataNode take a block of a WAL's size as the WALs here are declared to be written.
   *
   * @param millis a flush that takes longer is slow
   * @param durable whether the flushes are hsyncs
   */
  NodeProbe probe(DatanodeInfo node, int millis, boolean durable) throws IOException {
    return namespace.probe(path.getParent(), declared, blockSize(), node, millis, durable);
  }

  /** Says on the directory which DataNodes its WALs leave out. */
  void leftOut(Collection<DatanodeInfo> nodes) throws IOException {
    namespace.setLeftOut(path, LeftOutNodes.of(nodes));
  }

  private long blockSize() throws IOException {
    return WalBlockSize.of(walBlockSize, namespace.defaultBlockSize(path));
  }
}
