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

import io.github.hybridhbase.placement.DirectoryRule;
import org.apache.yetus.audience.InterfaceAudience;

/** What came of giving one directory its declared policy. */
@InterfaceAudience.Private
public final class DirectoryResult {
  /** The kinds of outcome. */
  @InterfaceAudience.Private
  public enum Kind {
    /** The policy was in force already; nothing was written. */
    RIGHT(true),
    /** The policy was set. */
    SET(true),
    /**
     * An admin's policy above HBase's root is in force, not the declared one. It holds: user data
     * and archive follow an admin's word, and no server is kept from starting by that.
     */
    FOLLOWED(true),
    /** The same, and the plugin's own policy that stood between was taken away. */
    YIELDED(true),
    /** HBase has not made the directory yet. */
    ABSENT(true),
    /** A hold stands on this HBase: the operator wants nothing placed. */
    HELD(true),
    /** Somebody else set another policy, which stays. */
    CONFLICT(false),
    /** The space monitor keeps the directory away from SSD until there is space. */
    DEMOTED(false),
    /** SSD did not take the probe block, so the directory was not pinned. */
    NO_SSD(false),
    /** The file system has no storage policies. */
    NO_POLICIES(false),
    /** HDFS refused, or could not be asked. */
    FAILED(false);

    private final boolean holds;

    Kind(boolean holds) {
      this.holds = holds;
    }

    /** Whether the declared placement holds, or will when HBase makes the directory. */
    public boolean holds() {
      return holds;
    }
  }

  private final DirectoryRule rule;
  private final Kind kind;
  private final String detail;

  DirectoryResult(DirectoryRule rule, Kind kind, String detail) {
    this.rule = rule;
    this.kind = kind;
    this.detail = detail;
  }

  /** The directory and what was declared for it. */
  public DirectoryRule rule() {
    return rule;
  }

  /** What came of it. */
  public Kind kind() {
    return kind;
  }

  /** What was seen and what remedies it; empty where there is nothing to say. */
  public String detail() {
    return detail;
  }

  @Override
  public String toString() {
    return rule + ": " + kind + (detail.isEmpty() ? "" : ". " + detail);
  }
}
