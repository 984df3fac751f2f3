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

import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The admin's policy on HBase's root. The plugin sets none there, so any other than HDFS's default
 * is an admin's, as is a {@code dfs.storage.default.policy} other than HOT: user data and archive
 * follow it, system components keep their declaration.
 */
@InterfaceAudience.Private
public final class RootPolicy {
  private RootPolicy() {}

  /**
   * @param inForce id of the effective policy of the root
   * @param standard id of HDFS's default policy
   */
  public static Optional<Byte> of(byte inForce, byte standard) {
    byte followed = inForce == StoragePolicy.UNSPECIFIED ? standard : inForce;
    byte hot = StoragePolicy.HOT.id();
    return followed == hot && standard == hot ? Optional.empty() : Optional.of(followed);
  }

  /** Empty if there is none or the root does not exist. */
  public static Optional<Byte> on(StorageNamespace namespace, Path root) throws IOException {
    Optional<Byte> found = namespace.effective(root);
    return found.isEmpty() ? Optional.empty() : of(found.get(), namespace.defaultPolicy(root));
  }

  /**
   * The admin's policy that a directory follows; empty for a system component. One NameNode read.
   */
  public static Optional<Byte> of(StorageNamespace namespace, DirectoryRule rule)
      throws IOException {
    return follows(rule.component()) ? on(namespace, rule.base()) : Optional.empty();
  }

  /** Roots with an admin's policy, whatever is declared. */
  public static List<Path> roots(Layout layout, Namespaces namespaces) throws IOException {
    List<Path> roots = new ArrayList<>();
    for (Path root : layout.roots()) {
      Optional<StorageNamespace> namespace = namespaces.of(root);
      if (namespace.isPresent() && on(namespace.get(), root).isPresent()) {
        roots.add(root);
      }
    }
    return roots;
  }

  public static boolean follows(Component component) {
    return component == Component.USER
        || component == Component.TIER
        || component == Component.ARCHIVE;
  }

  public static Finding finding(DirectoryRule rule, byte above) {
    String base = rule.base().toUri().getPath();
    return Finding.of(
        FindingId.POLICY_ABOVE,
        rule.component().label() + " in " + base,
        StoragePolicy.describe(above),
        base,
        rule.component().label(),
        rule.policy(),
        rule.component().policyKey(),
        StoragePolicy.ofId(above).map(policy -> policy + " (or NONE)").orElse("NONE"),
        Text.quote(base));
  }
}
