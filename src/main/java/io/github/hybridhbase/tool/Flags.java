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
package io.github.hybridhbase.tool;

import io.github.hybridhbase.tool.cli.Verb.UsageException;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.yetus.audience.InterfaceAudience;

/** A parser of numeric command-line options. */
@InterfaceAudience.Private
public final class Flags {
  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?)\\s*([kmgtp]?)((?:i?b)?)(?:/s)?");
  private static final String UNITS = "kmgtp";

  private final CommandLine line;

  public Flags(CommandLine line) {
    this.line = line;
  }

  public boolean has(String option) {
    return line.hasOption(option);
  }

  public String text(String option) {
    return line.getOptionValue(option);
  }

  /** Bytes; units are powers of 1,024, and required, since people mean MiB by 30. */
  public OptionalDouble size(String option, double least) throws UsageException {
    if (!has(option)) {
      return OptionalDouble.empty();
    }
    Matcher size = SIZE.matcher(text(option).trim().toLowerCase(Locale.ROOT));
    if (!size.matches()) {
      throw wrong(option, "a size such as 500g, 1.5t or 10MB (powers of 1024)");
    }
    int power = size.group(2).isEmpty() ? 0 : 1 + UNITS.indexOf(size.group(2));
    double bytes = Double.parseDouble(size.group(1)) * Math.pow(1024, power);
    if (bytes > 0 && power == 0 && size.group(3).isEmpty()) {
      throw wrong(option, "a size: give a unit, such as 30m or 30b");
    }
    if (bytes > Long.MAX_VALUE || bytes < least) {
      throw wrong(option, "a size from " + plain(least) + " bytes to 8 EiB");
    }
    return OptionalDouble.of(bytes);
  }

  /** Empty if the option is not given. */
  public OptionalDouble number(String option, double least, double most) throws UsageException {
    if (!has(option)) {
      return OptionalDouble.empty();
    }
    String text = text(option).trim();
    try {
      // Java takes 7d for 7 with a type, an operator for seven days.
      double number = text.matches(".*[dDfF]") ? Double.NaN : Double.parseDouble(text);
      if (number >= least && number <= most) {
        return OptionalDouble.of(number);
      }
    } catch (NumberFormatException e) {
    }
    throw wrong(option, "a number from " + plain(least) + " to " + plain(most));
  }

  private UsageException wrong(String option, String allowed) {
    return new UsageException("--" + option + " " + text(option) + " is not " + allowed);
  }

  public static String plain(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? String.format(Locale.ROOT, "%,d", (long) number)
        : String.format(Locale.ROOT, "%.4g", number);
  }
}
