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
package io.github.hybridhbase.tool.cli;

import org.apache.yetus.audience.InterfaceAudience;

/** The exit codes of the command line. */
@InterfaceAudience.Public
public final class Exit {
  public static final int FINE = 0;

  /** There are findings above a note, or some work failed. */
  public static final int FINDINGS = 1;

  public static final int USAGE = 2;

  public static final int UNREACHABLE = 3;

  /** By Ctrl-C, as in shells. */
  public static final int STOPPED = 130;

  private Exit() {}
}
