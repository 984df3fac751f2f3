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
package io.github.hybridhbase.runtime;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** The allowed values of a key. Immutable. */
@InterfaceAudience.Public
public final class Values<T> {
  // Units of Configuration.getTimeDuration
  private static final Pattern DURATION =
      Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)", Pattern.CASE_INSENSITIVE);

  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "ms", ChronoUnit.MILLIS,
          "s", ChronoUnit.SECONDS,
          "m", ChronoUnit.MINUTES,
          "h", ChronoUnit.HOURS,
          "d", ChronoUnit.DAYS);

  private final String allowed;
  private final Function<String, Optional<T>> parser;

  private Values(String allowed, Function<String, Optional<T>> parser) {
    this.allowed = allowed;
    this.parser = parser;
  }

  static <E extends Enum<E>> Values<E> of(Class<E> type) {
    return choice(List.of(type.getEnumConstants()), value -> value.name().toLowerCase(Locale.ROOT));
  }

  static Values<StoragePolicy> of(StoragePolicy... policies) {
    return choice(List.of(policies), Enum::name);
  }

  private static <T> Values<T> choice(List<T> values, Function<T, String> label) {
    return new Values<>(
        values.stream().map(label).collect(Collectors.joining(", ")),
        text -> values.stream().filter(v -> label.apply(v).equalsIgnoreCase(text)).findFirst());
  }

  /** Percent, with decimals. */
  static Values<Double> percent(double least, double most) {
    return new Values<>(
        String.format(Locale.ROOT, "a number from %s to %.0f (percent)", least, most),
        text ->
            Optional.of(text)
                .filter(number -> number.matches("\\d{1,3}(\\.\\d{1,3})?"))
                .map(Double::valueOf)
                .filter(number -> number >= least && number <= most));
  }

  /** In whole milliseconds if {@code least} is below a second, else in whole seconds. */
  static Values<Duration> duration(String least, String most) {
    Duration low = parseDuration(least).orElseThrow();
    Duration high = parseDuration(most).orElseThrow();
    boolean seconds = low.toMillis() >= 1_000;
    return new Values<>(
        String.format(
            Locale.ROOT,
            "a number with a unit (%s) from %s to %s",
            seconds ? "s, m, h or d" : "ms, s or m",
            least,
            most),
        text ->
            parseDuration(text)
                .filter(time -> time.compareTo(low) >= 0 && time.compareTo(high) <= 0)
                .filter(time -> !seconds || time.toMillis() % 1_000 == 0));
  }

  static Values<Duration> durationOrZero(String least, String most) {
    Values<Duration> above = duration(least, most);
    return new Values<>(
        "0 or " + above.allowed,
        text ->
            parseDuration(text.equals("0") ? "0s" : text)
                .filter(Duration::isZero)
                .or(() -> above.parse(text)));
  }

  private static Optional<Duration> parseDuration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    ChronoUnit unit = UNITS.get(matcher.group(2).toLowerCase(Locale.ROOT));
    return Optional.of(Duration.of(Long.parseLong(matcher.group(1)), unit));
  }

  static Values<TierBudget> budget() {
    return new Values<>(TierBudget.ALLOWED, TierBudget::parse);
  }

  Values<T> note(String note) {
    return new Values<>(allowed + "; " + note, parser);
  }

  public String allowed() {
    return allowed;
  }

  /** Empty if not allowed. */
  public Optional<T> parse(String text) {
    return parser.apply(text);
  }
}
