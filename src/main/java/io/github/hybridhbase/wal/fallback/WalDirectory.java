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

import io.github.hybridhbase.hdfs.ExcludedNodes;
import io.github.hybridhbase.hdfs.FailFastClient;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.PlacedDirectory;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.wal.failover.LogDirectory;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of one server's WALs, {@code WALs/<server>} or its counterpart in {@code
 * MasterData}, and its policy: inherited, or HOT after SSD refused a WAL. Methods call the NameNode
 * unless stated otherwise. Immutable.
 */
@InterfaceAudience.Private
final class WalDirectory implements LogDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(WalDirectory.class);

  private final Path path;

  private final StorageNamespace namespace;
  private final PlacedDirectory placed;
  private final Supplier<FailFastClient.Use> clients;
  private final StoragePolicy declared;
  private final long walBlockSize;

  /** Empty except for a canary. */
  private final Optional<Namespaces> canary;

  /**
   * @param clients the client that opens WALs, so that probes are placed like WALs
   * @param walBlockSize bytes; 0 if HBase uses twice the file system's
   */
  WalDirectory(
      Path path,
      StorageNamespace namespace,
      Supplier<FailFastClient.Use> clients,
      StoragePolicy declared,
      long walBlockSize) {
    this(path, namespace, clients, declared, walBlockSize, Optional.empty());
  }

  private WalDirectory(
      Path path,
      StorageNamespace namespace,
      Supplier<FailFastClient.Use> clients,
      StoragePolicy declared,
      long walBlockSize,
      Optional<Namespaces> canary) {
    this.path = path;
    this.clients = clients;
    this.namespace = namespace;
    this.canary = canary;
    this.placed =
        new PlacedDirectory(canary.orElse(any -> Optional.of(namespace)), namespace, path);
    this.declared = declared;
    this.walBlockSize = walBlockSize;
  }

  /**
   * The directory of a canary: it gets the declared policy, since its parent has none.
   *
   * @param namespaces asked for a hold
   */
  WalDirectory ofCanary(Namespaces namespaces) {
    return new WalDirectory(
        path, namespace, clients, declared, walBlockSize, Optional.of(namespaces));
  }

  Path path() {
    return path;
  }

  StoragePolicy declared() {
    return declared;
  }

  @Override
  public boolean takesFiles() throws IOException {
    return exists() && namespace.takesWrites();
  }

  boolean exists() throws IOException {
    return namespace.policy(path).isPresent();
  }

  /** Whether the effective policy wants SSD; one or two calls. */
  boolean wantsSsd() throws IOException {
    return wantsSsd(path);
  }

  /** Whether the directory would be on SSD without {@link #turnToHot}. */
  boolean shouldBeOnSsd() throws IOException {
    return canary.isPresent()
        ? !canary.get().held() && !demoted(path.getParent())
        : wantsSsd(path.getParent());
  }

  boolean isUnplacedCanary() throws IOException {
    return canary.isPresent() && !wantsSsd();
  }

  private boolean demoted(Path path) throws IOException {
    return PolicyProvenance.RECORD
        .in(namespace.records(path))
        .read()
        .filter(PolicyProvenance::demoted)
        .isPresent();
  }

  private boolean wantsSsd(Path path) throws IOException {
    return namespace.policy(path).filter(PolicyStatus::wantsSsd).isPresent();
  }

  /** The provenance, if HDFS stores it, marks a demotion by the space monitor. */
  void turnToHot() throws IOException {
    placed.leaveSsd(declared);
  }

  /**
   * Ends {@link #turnToHot}.
   *
   * @return false for a canary during a hold
   */
  boolean inherit() throws IOException {
    if (canary.isPresent()) {
      return place();
    }
    placed.inherit();
    return true;
  }

  /**
   * Gives a canary's directory the declared policy, unless somebody else gave it one.
   *
   * @return false during a hold
   */
  boolean place() throws IOException {
    Optional<PolicyStatus> now = namespace.policy(path);
    Found<PolicyProvenance> found = namespace.read(PolicyProvenance.RECORD, path);
    if (canary.isEmpty()
        || now.isEmpty()
        || found.isForeign()
        || !PolicyProvenance.isOurs(found.read(), now.get().own())) {
      return true;
    }
    PolicyProvenance record =
        found
            .read()
            .map(before -> before.change(declared))
            .orElseGet(() -> PolicyProvenance.first(StoragePolicy.UNSPECIFIED, declared));
    return placed.set(declared, found, record);
  }

  /** Removes the provenance of {@link #turnToHot}; failures of HDFS are ignored. */
  void forgetProvenance() {
    if (canary.isPresent()) {
      return;
    }
    try {
      placed.forget();
    } catch (IOException e) {
      LOG.debug("The provenance on {} stays", path, e);
    }
  }

  /**
   * Writes a probe with a WAL's block size beside the directory and reads its replicas.
   *
   * @param excluded DataNodes whose replicas do not count
   */
  Probe probe(StoragePolicy policy, Collection<DatanodeInfo> excluded) throws IOException {
    long blockSize = blockSize();
    try (FailFastClient.Use client = clients.get()) {
      StorageNamespace hdfs = HdfsNamespace.of(client.fs()).orElse(namespace);
      return excluded.isEmpty()
          ? hdfs.probe(path.getParent(), policy, blockSize)
          : hdfs.probeWithout(path.getParent(), policy, blockSize, excluded);
    }
  }

  @Override
  public void publishExcluded(Collection<DatanodeInfo> nodes) throws IOException {
    namespace.publish(ExcludedNodes.RECORD, path, ExcludedNodes.of(nodes));
  }

  private long blockSize() throws IOException {
    return WalFiles.blockSize(walBlockSize, namespace.defaultBlockSize(path));
  }
}
