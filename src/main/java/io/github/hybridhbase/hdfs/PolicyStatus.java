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

import io.github.hybridhbase.config.StoragePolicy;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The storage policy in force on a path and on its parent, as HDFS policy ids.
 *
 * <p>HDFS reports the policy in force, not whether the path has it of its own ({@code
 * FSDirStatAndListingOp.getFileInfo}). A path whose policy differs from its parent's surely has its
 * own; one that agrees with its parent is taken to inherit.
 */
@InterfaceAudience.Private
public final class PolicyStatus {
  private final byte effective;
  private final byte parent;
  private final boolean erasureCoded;

  /**
   * Describes one path.
   *
   * @param effective id of the policy in force, {@link StoragePolicy#UNSPECIFIED} for none
   * @param parent the same of the parent directory
   */
  public PolicyStatus(byte effective, byte parent) {
    this(effective, parent, false);
  }

  /**
   * Describes one path.
   *
   * @param erasureCoded whether its content is erasure coded, not replicated
   */
  public PolicyStatus(byte effective, byte parent, boolean erasureCoded) {
    this.effective = effective;
    this.parent = parent;
    this.erasureCoded = erasureCoded;
  }

  /** Whether new files here are erasure coded. */
  public boolean erasureCoded() {
    return erasureCoded;
  }

  /** Id of the policy in force on the path. */
  public byte effective() {
    return effective;
  }

  /** Id of the policy in force on the parent directory. */
  public byte parent() {
    return parent;
  }

  /** Id of the path's own policy, {@link StoragePolicy#UNSPECIFIED} where it inherits. */
  public byte own() {
    return effective == parent ? StoragePolicy.UNSPECIFIED : effective;
  }

  /** Whether new blocks are meant for SSD by the policy in force. */
  public boolean wantsSsd() {
    return StoragePolicy.isForSsd(effective);
  }

  @Override
  public String toString() {
    return StoragePolicy.describe(effective) + " (parent " + StoragePolicy.describe(parent) + ")";
  }
}
