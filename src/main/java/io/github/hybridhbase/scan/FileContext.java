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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.FileBlocks;
import org.apache.yetus.audience.InterfaceAudience;

/** Where a file or directory lies: its component and the policies above it, as HDFS policy ids. */
@InterfaceAudience.Private
public final class FileContext {
  private final Component component;
  private final byte parent;
  private final byte base;
  private final boolean erasureCoded;

  /**
   * Describes a place.
   *
   * @param parent the policy in force on the directory it lies in
   * @param base the policy in force on the nearest directory above it that the plugin places
   * @param erasureCoded whether content there is erasure coded, not replicated
   */
  public FileContext(Component component, byte parent, byte base, boolean erasureCoded) {
    this.component = component;
    this.parent = parent;
    this.base = base;
    this.erasureCoded = erasureCoded;
  }

  /** The component. */
  public Component component() {
    return component;
  }

  /** Id of the policy in force on the directory it lies in. */
  public byte parent() {
    return parent;
  }

  /** Id of the policy in force on the nearest directory above it that the plugin places. */
  public byte base() {
    return base;
  }

  /** Whether content there is erasure coded, not replicated. */
  public boolean erasureCoded() {
    return erasureCoded;
  }

  /**
   * Whether a file here has a policy for SSD that its directory has not: the SSD tier wrote it, and
   * it keeps the policy until HBase has compacted it away and deleted it.
   */
  public boolean isTiered(FileBlocks file) {
    boolean store = component == Component.USER || component == Component.ARCHIVE;
    return store
        && file.policy() != parent
        && StoragePolicy.isForSsd(file.policy())
        && !StoragePolicy.isForSsd(parent);
  }

  /** Whether a policy below the component's directory is its owner's choice, not a fault. */
  public static boolean userData(Component component) {
    return component == Component.USER || component == Component.TMP;
  }
}
