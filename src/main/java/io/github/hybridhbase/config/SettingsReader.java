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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.lang3.StringUtils;
import org.apache.yetus.audience.InterfaceAudience;

/** Reads typed values out of the plugin's properties and collects what was wrong. */
@InterfaceAudience.Private
final class SettingsReader {
  /** How many letters a key may be off for another to be offered in its place. */
  private static final int NEAR = 6;

  /** Keys without the prefix. */
  private final Map<String, String> props;

  private final List<String> problems = new ArrayList<>();

  SettingsReader(Map<String, String> props) {
    this.props = props;
  }

  /** What was wrong so far. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  private Optional<String> value(String key) {
    return Optional.ofNullable(props.get(key.substring(HybridKeys.PREFIX.length())))
        .map(String::trim)
        .filter(value -> !value.isEmpty());
  }

  private <T> T parse(String key, T otherwise, String allowed, Function<String, Optional<T>> to) {
    Optional<String> text = value(key);
    if (text.isEmpty()) {
      return otherwise;
    }
    Optional<T> parsed = to.apply(text.get());
    if (parsed.isEmpty()) {
      problems.add(
          key
              + "="
              + text.get()
              + " is not understood; allowed: "
              + allowed
              + ". The default "
              + otherwise.toString().toLowerCase(Locale.ROOT)
              + " is in force.");
    }
    return parsed.orElse(otherwise);
  }

  <E extends Enum<E>> E choice(String key, Class<E> type, E otherwise) {
    E[] values = type.getEnumConstants();
    String allowed =
        Arrays.stream(values)
            .map(value -> value.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return parse(
        key,
        otherwise,
        allowed,
        text -> Arrays.stream(values).filter(v -> v.name().equalsIgnoreCase(text)).findFirst());
  }

  int number(String key, int otherwise, int least, int most) {
    return parse(
        key,
        otherwise,
        "a whole number from " + least + " to " + most,
        text -> {
          try {
            int number = Integer.parseInt(text);
            return number < least || number > most ? Optional.empty() : Optional.of(number);
          } catch (NumberFormatException e) {
            return Optional.empty();
          }
        });
  }

  boolean flag(String key, boolean otherwise) {
    return parse(
        key,
        otherwise,
        "true, false",
        text ->
            Stream.of(true, false)
                .filter(value -> value.toString().equalsIgnoreCase(text))
                .findFirst());
  }

  Watermarks watermarks() {
    int low = number(HybridKeys.SSD_LOW, 10, 0, 90);
    int high = number(HybridKeys.SSD_HIGH, 20, 1, 95);
    int dwell = number(HybridKeys.SSD_DWELL, 60, 1, 86_400);
    Watermarks.conflict(low, high)
        .ifPresent(
            conflict ->
                problems.add(
                    conflict + " Until then " + (low + Watermarks.STEP_UP) + " is in force."));
    return new Watermarks(low, high > low ? high : low + Watermarks.STEP_UP, dwell);
  }

  TierSettings tier() {
    return new TierSettings(
        parse(
            HybridKeys.TMP_BUDGET,
            TierBudget.DEFAULT,
            "1% to 90%, or bytes with k, m, g or t",
            TierBudget::parse),
        number(HybridKeys.TMP_MAX_AGE, 3_600, 1, 604_800),
        number(HybridKeys.TMP_DRAIN_RATE, 5, 1, 1_000),
        number(HybridKeys.TMP_PERIOD, 10, 1, 3_600));
  }

  Map<Component, StoragePolicy> policies() {
    Map<Component, StoragePolicy> result = new EnumMap<>(Component.class);
    for (Component component : Component.values()) {
      List<StoragePolicy> allowed =
          Arrays.stream(StoragePolicy.values())
              .filter(policy -> HybridKeys.allows(component, policy))
              .collect(Collectors.toList());
      result.put(
          component,
          parse(
              component.policyKey(),
              component.defaultPolicy(),
              allowed.stream().map(Enum::name).collect(Collectors.joining(", ")),
              text -> allowed.stream().filter(p -> p.name().equalsIgnoreCase(text)).findFirst()));
    }
    return result;
  }

  void unknownKeys() {
    List<String> known =
        HybridKeys.all().stream().map(HybridKeys.Key::name).collect(Collectors.toList());
    for (Map.Entry<String, String> entry : props.entrySet()) {
      String key = HybridKeys.PREFIX + entry.getKey();
      if (!known.contains(key)) {
        problems.add(
            key
                + "="
                + entry.getValue()
                + " is not a key of this plugin"
                + nearest(key, known).map(k -> "; did you mean " + k + "?").orElse(".")
                + " Allowed: the keys in the README's table. It is ignored.");
      }
    }
  }

  // commons-text holds the undeprecated twin, but hbase/lib is not certain to hold commons-text.
  @SuppressWarnings("deprecation")
  private static Optional<String> nearest(String key, List<String> known) {
    return known.stream()
        .filter(k -> StringUtils.getLevenshteinDistance(key, k, NEAR) >= 0)
        .min((a, b) -> distance(key, a) - distance(key, b));
  }

  @SuppressWarnings("deprecation")
  private static int distance(String a, String b) {
    return StringUtils.getLevenshteinDistance(a, b);
  }
}
