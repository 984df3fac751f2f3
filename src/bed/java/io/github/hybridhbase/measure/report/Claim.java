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
package io.github.hybridhbase.measure.report;

import org.apache.yetus.audience.InterfaceAudience;

/** What somebody has said, and what was measured beside it. Immutable. */
@InterfaceAudience.Private
final class Claim {
  static final String REACHED = "reached";
  static final String NOT_REACHED = "not reached";
  static final String NOT_MEASURED = "not measured";

  /** Where nobody has said anything that could be reached. */
  static final String AS_MEASURED = "as measured";

  final String what;
  final String said;
  final String by;
  final String measured;
  final String verdict;

  /** Profile and devices; empty where it was not measured. */
  final String plan;

  Claim(String what, String said, String by, String measured, String verdict, String plan) {
    this.what = what;
    this.said = said;
    this.by = by;
    this.measured = measured;
    this.verdict = verdict;
    this.plan = plan;
  }
}
