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
package io.github.hybridhbase.placement;

import io.github.hybridhbase.config.DirectoryRule;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** The outcome of a {@link DirectoryAction}. */
@InterfaceAudience.Private
public final class DirectoryResult {
  private final DirectoryAction action;
  private final DirectoryAction.Kind kind;
  private final String detail;
  private final String reason;

  /**
   * @param kind the action's kind, or what prevented it
   * @param detail observation and remedy; empty if there are none
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

  /** Attributes this result to the planned action, if the decision was repeated. */
  DirectoryResult of(DirectoryAction planned) {
    return new DirectoryResult(planned, kind, detail, reason);
  }

  public DirectoryAction action() {
    return action;
  }

  /** Throws if nothing was declared. */
  public DirectoryRule rule() {
    return action.rule().orElseThrow();
  }

  public DirectoryAction.Kind kind() {
    return kind;
  }

  /** Observation and remedy; empty if there are none. */
  public String detail() {
    return detail;
  }

  String reason() {
    return reason;
  }

  /**
   * A subject for log lines that concern all directories of a component; no such path need exist.
   */
  Path component() {
    return new Path(rule().base(), "component " + rule().component().label());
  }

  /** Whether an admin's policy above is in force instead of the declared one. */
  boolean follows() {
    return kind == DirectoryAction.Kind.FOLLOWED || kind == DirectoryAction.Kind.RESTORE;
  }

  @Override
  public String toString() {
    return rule() + ": " + kind + (detail.isEmpty() ? "" : ". " + detail);
  }
}
