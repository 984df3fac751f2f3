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
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** What came of one {@link DirectoryAction}. */
@InterfaceAudience.Private
public final class DirectoryResult {
  private final DirectoryAction action;
  private final DirectoryAction.Kind kind;
  private final String detail;
  private final String reason;

  /**
   * Describes it.
   *
   * @param kind what came of it: the action's kind, or what kept it from being done
   * @param detail what was seen and what remedies it; empty where there is nothing to say
   */
  public DirectoryResult(DirectoryAction action, DirectoryAction.Kind kind, String detail) {
    this(action, kind, detail, action.reason());
  }

  private DirectoryResult(
      DirectoryAction action, DirectoryAction.Kind kind, String detail, String reason) {
    this.action = action;
    this.kind = kind;
    this.detail = detail;
    this.reason = reason;
  }

  /** The same of what was planned, where the decision was made anew. */
  DirectoryResult of(DirectoryAction planned) {
    return new DirectoryResult(planned, kind, detail, reason);
  }

  /** What was to be done. */
  public DirectoryAction action() {
    return action;
  }

  /** The directory and what was declared for it; only where something was. */
  public DirectoryRule rule() {
    return action.rule().orElseThrow();
  }

  /** What came of it. */
  public DirectoryAction.Kind kind() {
    return kind;
  }

  /** What was seen and what remedies it; empty where there is nothing to say. */
  public String detail() {
    return detail;
  }

  /** Why that was decided which was carried out, see {@link DirectoryAction#reason}. */
  String reason() {
    return reason;
  }

  /** What is said of all directories of a component is said of this one, which need not exist. */
  Path component() {
    return new Path(rule().base(), "component " + rule().component().label());
  }

  /** Whether an admin's policy above is in force in place of the declared one. */
  boolean follows() {
    return kind == DirectoryAction.Kind.FOLLOWED || kind == DirectoryAction.Kind.RESTORE;
  }

  @Override
  public String toString() {
    return rule() + ": " + kind + (detail.isEmpty() ? "" : ". " + detail);
  }
}
