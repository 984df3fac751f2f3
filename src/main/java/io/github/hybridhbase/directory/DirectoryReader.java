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

import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import io.github.hybridhbase.hdfs.ListingEntry;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.placement.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;

/** Reads the policy and the provenance of every directory that the plugin may have placed. */
@InterfaceAudience.Private
public final class DirectoryReader {
  private final Layout layout;
  private final Namespaces namespaces;

  /** Makes an inspection of one HBase. */
  public DirectoryReader(Layout layout, Namespaces namespaces) {
    this.layout = layout;
    this.namespaces = namespaces;
  }

  /**
   * Looks, at three to six NameNode reads a directory.
   *
   * @param settings what is declared now
   * @param servers whether to look at each server's own directory in {@code WALs} too
   * @throws IOException where HDFS does not answer; what this user may not see is in the result
   */
  public List<DirectoryState> look(HybridSettings settings, boolean servers) throws IOException {
    Map<Path, Optional<DirectoryRule>> wanted = new LinkedHashMap<>();
    layout.placeable().forEach(path -> wanted.put(path, Optional.empty()));
    layout.rules(settings).forEach(rule -> wanted.put(rule.path(), Optional.of(rule)));
    if (servers) {
      children(layout.wals()).forEach(path -> wanted.putIfAbsent(path, Optional.empty()));
    }
    List<DirectoryState> found = new ArrayList<>();
    for (Map.Entry<Path, Optional<DirectoryRule>> entry : wanted.entrySet()) {
      found.add(look(entry.getKey(), entry.getValue()));
    }
    return found;
  }

  private DirectoryState look(Path path, Optional<DirectoryRule> rule) throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(path);
    if (namespace.isEmpty()) {
      return DirectoryState.unread(path, rule, "The file system has no storage policies.");
    }
    try {
      Optional<PolicyStatus> status = namespace.get().policy(path);
      Optional<PolicyProvenance> provenance =
          status.isPresent() ? provenance(namespace.get(), path) : Optional.empty();
      Optional<Byte> above =
          rule.isPresent() ? RootPolicy.of(namespace.get(), rule.get()) : Optional.empty();
      return DirectoryState.of(path, rule, status, provenance).below(above);
    } catch (AccessControlException e) {
      return DirectoryState.unread(path, rule, HdfsError.of(e).explain());
    }
  }

  /** No provenance where this user may not see it, or the NameNode keeps none. */
  private static Optional<PolicyProvenance> provenance(StorageNamespace namespace, Path path)
      throws IOException {
    try {
      return namespace.provenance(path);
    } catch (IOException e) {
      if (HdfsError.of(e).is(HdfsErrorKind.XATTRS_DISABLED)
          || e instanceof AccessControlException) {
        return Optional.empty();
      }
      throw e;
    }
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
