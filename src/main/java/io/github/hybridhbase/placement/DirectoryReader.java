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
package io.github.hybridhbase.placement;

import io.github.hybridhbase.hdfs.ExcludedNodes;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace.ListingEntry;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.hdfs.XattrRecord;
import io.github.hybridhbase.hdfs.XattrRecord.ForeignRecordException;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reader of policy and provenance of each directory that the plugin may have placed. */
@InterfaceAudience.Private
public final class DirectoryReader {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryReader.class);

  private static final List<XattrRecord<?>> KNOWN =
      List.of(
          PolicyProvenance.RECORD,
          Hold.RECORD,
          MoveConsent.RECORD,
          TierState.RECORD,
          ExcludedNodes.RECORD);

  private final Layout layout;
  private final Namespaces namespaces;

  public DirectoryReader(Layout layout, Namespaces namespaces) {
    this.layout = layout;
    this.namespaces = namespaces;
  }

  /**
   * Reads all directories on HDFS, with three to six NameNode reads each.
   *
   * @param servers whether to include each server's and master's own WAL directory
   * @throws IOException if HDFS does not answer; denied reads are in the result
   */
  public List<DirectoryState> look(HybridSettings settings, boolean servers) throws IOException {
    Map<Path, Optional<DirectoryRule>> wanted = new LinkedHashMap<>();
    layout.placeable().forEach(path -> wanted.put(path, Optional.empty()));
    layout.rules(settings).forEach(rule -> wanted.put(rule.path(), Optional.of(rule)));
    if (servers) {
      servers().forEach(path -> wanted.putIfAbsent(path, Optional.empty()));
    }
    List<DirectoryState> found = new ArrayList<>();
    for (Map.Entry<Path, Optional<DirectoryRule>> entry : wanted.entrySet()) {
      if (namespaces.of(entry.getKey()).isPresent()) {
        found.add(look(entry.getKey(), entry.getValue()));
      }
    }
    return found;
  }

  /**
   * The findings of records that this version cannot read, skipping unreadable paths. One NameNode
   * read per placed directory and per server.
   *
   * @throws IOException if HDFS does not answer
   */
  public List<Finding> foreignRecords() throws IOException {
    Set<Path> paths = new LinkedHashSet<>(layout.roots());
    paths.addAll(layout.placeable());
    paths.addAll(servers());
    List<Finding> found = new ArrayList<>();
    for (Path path : paths) {
      Optional<StorageNamespace> namespace = namespaces.of(path);
      try {
        if (namespace.isPresent()) {
          XattrRecord.foreign(KNOWN, namespace.get().records(path))
              .forEach((name, text) -> found.add(ForeignRecordException.finding(name, path, text)));
        }
      } catch (AccessControlException e) {
        continue; // the report names denied reads
      }
    }
    return found;
  }

  private DirectoryState look(Path path, Optional<DirectoryRule> rule) throws IOException {
    try {
      return look(namespaces, path, rule, false);
    } catch (AccessControlException e) {
      return DirectoryState.unread(path, rule, HdfsError.of(e).explain());
    }
  }

  /**
   * Reads one directory for its server: provenance only if another policy is in force. Never
   * throws; failures are in the result.
   */
  static DirectoryState look(Namespaces namespaces, DirectoryRule rule) {
    try {
      return look(namespaces, rule.path(), Optional.of(rule), true);
    } catch (IOException | RuntimeException e) {
      LOG.debug("While looking at {}", rule, e);
      return DirectoryState.unread(rule.path(), Optional.of(rule), HdfsError.of(e).explain());
    }
  }

  static DirectoryState look(
      Namespaces namespaces, Path path, Optional<DirectoryRule> rule, boolean server)
      throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(path);
    if (namespace.isEmpty()) {
      return DirectoryState.withoutPolicies(path, rule);
    }
    Optional<PolicyStatus> status = namespace.get().policy(path);
    DirectoryState state = DirectoryState.of(path, rule, status, Optional.empty());
    if (rule.isPresent()) {
      state = state.below(RootPolicy.of(namespace.get(), rule.get()));
    }
    boolean right =
        server
            && rule.isPresent()
            && status.isPresent()
            && status.get().effective() == state.above().orElse(rule.get().policy().id());
    if (status.isEmpty() || right) {
      return state;
    }
    try {
      return state.with(namespace.get().read(PolicyProvenance.RECORD, path));
    } catch (IOException e) {
      if (HdfsError.of(e).is(HdfsError.Kind.XATTRS_DISABLED)) {
        LOG.debug("No provenance can be read on {}", path, e);
        return state.withoutProvenance();
      }
      if (server || !(e instanceof AccessControlException)) {
        throw e;
      }
      return state;
    }
  }

  /** Without those this user may not list. */
  List<Path> servers() throws IOException {
    List<Path> servers = new ArrayList<>(children(layout.wals()));
    servers.addAll(children(layout.masterWals()));
    return servers;
  }

  private List<Path> children(Path directory) throws IOException {
    List<Path> children = new ArrayList<>();
    try {
      Optional<StorageNamespace> namespace = namespaces.of(directory);
      Optional<RemoteIterator<ListingEntry>> entries =
          namespace.isPresent() ? namespace.get().list(directory) : Optional.empty();
      while (entries.isPresent() && entries.get().hasNext()) {
        ListingEntry entry = entries.get().next();
        if (entry.file().isEmpty()) {
          children.add(entry.path());
        }
      }
    } catch (AccessControlException e) {
      return children;
    }
    return children;
  }
}
