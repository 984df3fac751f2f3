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
 * The effective storage policies of a path and its parent, as HDFS policy ids.
 *
 * <p>HDFS does not report whether a path has its own policy ({@code
 * FSDirStatAndListingOp.getFileInfo}): one that differs from the parent's must be, an equal one is
 * considered inherited.
 */
@InterfaceAudience.Private
public final class PolicyStatus {
  private final byte effective;
  private final byte parent;
  private final boolean erasureCoded;

  public PolicyStatus(byte effective, byte parent) {
    this(effective, parent, false);
  }

  public PolicyStatus(byte effective, byte parent, boolean erasureCoded) {
    this.effective = effective;
    this.parent = parent;
    this.erasureCoded = erasureCoded;
  }

  public boolean erasureCoded() {
    return erasureCoded;
  }

  public byte effective() {
    return effective;
  }

  public byte parent() {
    return parent;
  }

  /** {@link StoragePolicy#UNSPECIFIED} if the path inherits. */
  public byte own() {
    return effective == parent ? StoragePolicy.UNSPECIFIED : effective;
  }

  public boolean wantsSsd() {
    return StoragePolicy.isForSsd(effective);
  }

  @Override
  public String toString() {
    return StoragePolicy.describe(effective) + " (parent " + StoragePolicy.describe(parent) + ")";
  }
}
