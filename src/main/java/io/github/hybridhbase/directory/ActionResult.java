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

import org.apache.yetus.audience.InterfaceAudience;

/** What came of one {@link DirectoryAction}. */
@InterfaceAudience.Private
public final class ActionResult {
  private final DirectoryAction action;
  private final boolean right;
  private final String detail;

  /**
   * Describes it.
   *
   * @param right whether the directory is now as the action wants it
   * @param detail what to say of it; may be empty
   */
  public ActionResult(DirectoryAction action, boolean right, String detail) {
    this.action = action;
    this.right = right;
    this.detail = detail;
  }

  /** The action. */
  public DirectoryAction action() {
    return action;
  }

  /** Whether the directory is now as the action wants it. */
  public boolean right() {
    return right;
  }

  /** What to say of it; may be empty. */
  public String detail() {
    return detail;
  }
}
