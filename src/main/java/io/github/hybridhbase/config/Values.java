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
package io.github.hybridhbase.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The allowed values of a key: type, range, unit and parser. Immutable.
 *
 * @param <T> type of a value
 */
@InterfaceAudience.Public
public final class Values<T> {
  private final String type;
  private final String unit;
  private final String allowed;
  private final Function<String, Optional<T>> parser;

  private Values(String type, String unit, String allowed, Function<String, Optional<T>> parser) {
    this.type = type;
    this.unit = unit;
    this.allowed = allowed;
    this.parser = parser;
  }

  /** Constants of an enum, in lower case. */
  static <E extends Enum<E>> Values<E> of(Class<E> type) {
    return choice(
        "choice", List.of(type.getEnumConstants()), value -> value.name().toLowerCase(Locale.ROOT));
  }

  static Values<StoragePolicy> of(StoragePolicy... policies) {
    return choice("storage policy", List.of(policies), Enum::name);
  }

  static Values<Boolean> flag() {
    return choice("flag", List.of(true, false), String::valueOf);
  }

  private static <T> Values<T> choice(String type, List<T> values, Function<T, String> label) {
    return new Values<>(
        type,
        "",
        values.stream().map(label).collect(Collectors.joining(", ")),
        text -> values.stream().filter(v -> label.apply(v).equalsIgnoreCase(text)).findFirst());
  }

  /** Whole numbers from {@code least} to {@code most}, both included. */
  static Values<Integer> number(int least, int most, String unit) {
    return new Values<>(
        "whole number",
        unit,
        String.format(Locale.ROOT, "a whole number from %d to %d (%s)", least, most, unit),
        text -> {
          try {
            return Optional.of(Integer.valueOf(text)).filter(n -> n >= least && n <= most);
          } catch (NumberFormatException e) {
            return Optional.empty();
          }
        });
  }

  /** As {@link #number}, or 0. */
  static Values<Integer> numberOrZero(int least, int most, String unit) {
    Values<Integer> above = number(least, most, unit);
    return new Values<>(
        above.type,
        unit,
        "0 or " + above.allowed,
        text -> text.equals("0") ? Optional.of(0) : above.parse(text));
  }

  static Values<TierBudget> budget() {
    return new Values<>("share or bytes", "", TierBudget.ALLOWED, TierBudget::parse);
  }

  /** Adds a remark to {@link #allowed}. */
  Values<T> note(String note) {
    return new Values<>(type, unit, allowed + "; " + note, parser);
  }

  public String type() {
    return type;
  }

  /** Empty unless a number. */
  public String unit() {
    return unit;
  }

  public String allowed() {
    return allowed;
  }

  /** Empty if the text is not allowed. */
  Optional<T> parse(String text) {
    return parser.apply(text);
  }
}
