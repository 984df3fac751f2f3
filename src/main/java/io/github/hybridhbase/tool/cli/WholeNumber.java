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

import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.yetus.audience.InterfaceAudience;

/** A parser of an option that is a whole number. */
@InterfaceAudience.Private
public final class WholeNumber {
  private WholeNumber() {}

  /**
   * @param otherwise the value if the option is not given
   * @throws UsageException if the value is no number from 0 to {@code most}
   */
  public static int of(CommandLine line, String option, int otherwise, int most)
      throws UsageException {
    String text = line.getOptionValue(option, Integer.toString(otherwise));
    try {
      int number = Integer.parseInt(text);
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through to the error for numbers out of range.
    }
    throw new UsageException(
        "--" + option + " " + text + " is not a whole number from 0 to " + most);
  }
}
