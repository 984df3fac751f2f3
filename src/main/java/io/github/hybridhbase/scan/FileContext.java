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
import io.github.hybridhbase.runtime.StoragePolicy;
import org.apache.yetus.audience.InterfaceAudience;

/** The location of a file or directory: its component and the HDFS policy ids above it. */
@InterfaceAudience.Private
public final class FileContext {
  private final Component component;
  private final byte parent;
  private final byte base;
  private final boolean erasureCoded;

  /**
   * @param base in force on the nearest ancestor that the plugin places
   */
  public FileContext(Component component, byte parent, byte base, boolean erasureCoded) {
    this.component = component;
    this.parent = parent;
    this.base = base;
    this.erasureCoded = erasureCoded;
  }

  public Component component() {
    return component;
  }

  public byte parent() {
    return parent;
  }

  public byte base() {
    return base;
  }

  public boolean erasureCoded() {
    return erasureCoded;
  }

  /**
   * Whether the SSD tier wrote this file: its policy is for SSD, its directory's is not. The policy
   * stays until HBase deletes the file.
   */
  public boolean isTiered(FileBlocks file) {
    return component != Component.TIER && isPinned(file);
  }

  /** Whether the plugin wrote this file under a policy of its own: a tiered or temporary one. */
  public boolean isPinned(FileBlocks file) {
    return (userData(component) || component == Component.ARCHIVE)
        && file.policy() != parent
        && StoragePolicy.isForSsd(file.policy())
        && !StoragePolicy.isForSsd(parent);
  }

  /** Whether a policy below the component's directory is its owner's choice, not a fault. */
  public static boolean userData(Component component) {
    return component == Component.USER || component == Component.TIER;
  }
}
