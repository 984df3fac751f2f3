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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The files that may be on any medium for a while: young store files, and archived files about to
 * be deleted. Immutable.
 */
@InterfaceAudience.Private
public final class TierFiles {
  private final Layout layout;
  private final long writtenAfter;
  private final long archivedAfter;

  /**
   * Times in milliseconds since 1970.
   *
   * @param writtenAfter store files modified later are young
   * @param archivedAfter archived files modified later are about to be deleted
   */
  public TierFiles(Layout layout, long writtenAfter, long archivedAfter) {
    this.layout = layout;
    this.writtenAfter = writtenAfter;
    this.archivedAfter = archivedAfter;
  }

  /** Without young files if no SSD tier drains them. */
  public static TierFiles now(
      Namespaces namespaces, Layout layout, HybridSettings settings, Configuration conf)
      throws IOException {
    long now = System.currentTimeMillis();
    // Twice, since draining is rate-limited.
    long young = 2 * settings.get(HybridKeys.TIER_MAX_AGE).toMillis();
    return new TierFiles(
        layout,
        tierState(namespaces, layout.root()).isPresent() ? now - young : Long.MAX_VALUE,
        now - Math.max(HybridSettings.archiveMillis(conf), HybridSettings.oldWalMillis(conf)));
  }

  /** With its age checked; empty if absent or unreadable for this user. */
  public static Optional<TierState> tierState(Namespaces namespaces, Path root) throws IOException {
    try {
      Optional<StorageNamespace> namespace = namespaces.of(root);
      return namespace.isPresent()
          ? TierState.on(namespace.get(), root).map(state -> state.asOf(System.currentTimeMillis()))
          : Optional.empty();
    } catch (AccessControlException e) {
      return Optional.empty();
    }
  }

  boolean has(FileContext context, FileBlocks file) {
    boolean free = file.policy == context.parent() || StoragePolicy.isForSsd(file.policy);
    boolean young =
        file.modified >= writtenAfter
            && FileContext.userData(context.component())
            && inTable(file.path);
    return free && (young || isArchived(context, file) && file.modified >= archivedAfter);
  }

  /**
   * Whether the file was created for SSD and outlasts the archive's cleaners: a snapshot, clone,
   * backup or peer holds it.
   */
  public boolean isHeld(FileContext context, FileBlocks file) {
    return context.isPinned(file)
        && !file.open
        && isArchived(context, file)
        && file.modified < archivedAfter;
  }

  /** HBase sets a new modification time on archiving. */
  private boolean isArchived(FileContext context, FileBlocks file) {
    return context.component() == Component.ARCHIVE && layout.isDeletedSoon(file.path);
  }

  private boolean inTable(Path file) {
    return file.toUri().getPath().startsWith(layout.root().toUri().getPath() + "/data/");
  }
}
