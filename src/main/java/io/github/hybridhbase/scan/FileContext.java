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

/** A file's or directory's component and the HDFS policy id above it. */
@InterfaceAudience.Private
public final class FileContext {
  private final Component component;
  private final byte parent;
  private final boolean erasureCoded;

  public FileContext(Component component, byte parent, boolean erasureCoded) {
    this.component = component;
    this.parent = parent;
    this.erasureCoded = erasureCoded;
  }

  public Component component() {
    return component;
  }

  public byte parent() {
    return parent;
  }

  public boolean erasureCoded() {
    return erasureCoded;
  }

  /** Whether the file was created for SSD in a directory that is not. */
  public boolean isPinned(FileBlocks file) {
    return file.policy != parent
        && StoragePolicy.isForSsd(file.policy)
        && !StoragePolicy.isForSsd(parent);
  }

  /** Whether a policy below is its owner's choice, not a fault. */
  public static boolean userData(Component component) {
    return component == Component.USER || component == Component.TIER;
  }
}
