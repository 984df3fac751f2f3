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
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.HybridSettings.TierSettings;
import io.github.hybridhbase.runtime.Layout;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The files on SSD that are not worth a move, which would load DISK: young store files of the SSD
 * tier and archived files about to be deleted. Immutable.
 */
@InterfaceAudience.Private
public final class TierFiles {
  static final TierFiles NONE =
      new TierFiles(new Layout(new Path("/"), new Path("/")), Long.MAX_VALUE, Long.MAX_VALUE);

  private final Layout layout;
  private final long writtenAfter;
  private final long archivedAfter;

  /**
   * Times in milliseconds since 1970.
   *
   * @param writtenAfter store files modified since are young
   * @param archivedAfter archived files modified since are about to be deleted
   */
  public TierFiles(Layout layout, long writtenAfter, long archivedAfter) {
    this.layout = layout;
    this.writtenAfter = writtenAfter;
    this.archivedAfter = archivedAfter;
  }

  /** The set as of now; without young files if no SSD tier drains them. */
  public static TierFiles now(
      Namespaces namespaces, Layout layout, HybridSettings settings, Configuration conf)
      throws IOException {
    long now = System.currentTimeMillis();
    // Twice, since draining is rate-limited.
    long young = TimeUnit.SECONDS.toMillis(2L * settings.tier().maxAgeSeconds());
    return new TierFiles(
        layout,
        tierState(namespaces, layout.root()).isPresent() ? now - young : Long.MAX_VALUE,
        now - Math.max(TierSettings.archiveMillis(conf), TierSettings.oldWalMillis(conf)));
  }

  /** The tier grant with its age checked; empty if absent or unreadable for this user. */
  public static Optional<TierState> tierState(Namespaces namespaces, Path root) throws IOException {
    try {
      Optional<StorageNamespace> namespace = namespaces.of(root);
      return namespace.isPresent()
          ? TierState.on(namespace.get(), root)
              .read()
              .map(state -> state.asOf(System.currentTimeMillis()))
          : Optional.empty();
    } catch (AccessControlException e) {
      return Optional.empty();
    }
  }

  /** Relies on HBase setting a new modification time when it archives a file. */
  boolean has(FileContext context, FileBlocks file) {
    boolean young = file.modified() >= writtenAfter && FileContext.userData(context.component());
    boolean archived = file.modified() >= archivedAfter && context.component() == Component.ARCHIVE;
    return young && inTable(file.path()) || archived && layout.isDeletedSoon(file.path());
  }

  private boolean inTable(Path file) {
    return file.toUri().getPath().startsWith(layout.root().toUri().getPath() + "/data/");
  }
}
