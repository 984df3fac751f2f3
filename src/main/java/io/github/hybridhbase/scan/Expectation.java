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
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The policy whose media a file's replicas should be on: the policy in force on the file. Pure.
 *
 * <p>For WALs and store files of the system with no policy or HOT it is the declared one: old ones,
 * those that SSD refused, and those of a server without the plugin. Such store files of the
 * master's own store may be anywhere: a few KiB that only the master rewrites.
 */
@InterfaceAudience.Private
public final class Expectation {
  private final Layout layout;
  private final HybridSettings settings;
  private final TierFiles tierFiles;

  public Expectation(Layout layout, HybridSettings settings, TierFiles tierFiles) {
    this.layout = layout;
    this.settings = settings;
    this.tierFiles = tierFiles;
  }

  /** {@link StoragePolicy#NONE} for any medium. */
  public StoragePolicy of(FileContext context, FileBlocks file) {
    if (context.erasureCoded() || layout.isMob(file.path) || tierFiles.has(context, file)) {
      return StoragePolicy.NONE;
    }
    StoragePolicy inForce = inForce(file.policy);
    StoragePolicy declared = declared(context.component());
    if (inForce != StoragePolicy.HOT || !declared.wantsSsd() || !layout.isPlaced(file.path)) {
      return inForce;
    }
    boolean ofMaster = context.component() == Component.MASTER && layout.isStoreFile(file.path);
    return ofMaster ? StoragePolicy.NONE : declared;
  }

  /** {@link StoragePolicy#NONE} if the plugin places none of its closed files. */
  public StoragePolicy declared(Component component) {
    return settings.mode().places() && component != Component.TIER
        ? settings.policy(component)
        : StoragePolicy.NONE;
  }

  /** HOT, HDFS's default, if none was set; any medium for a policy unknown to HBase. */
  private static StoragePolicy inForce(byte id) {
    return id == StoragePolicy.UNSPECIFIED
        ? StoragePolicy.HOT
        : StoragePolicy.ofId(id).orElse(StoragePolicy.NONE);
  }
}
