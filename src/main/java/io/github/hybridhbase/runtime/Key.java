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

import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** A configuration key, declared once in {@link HybridKeys}. Immutable. */
@InterfaceAudience.Public
public final class Key<T> {
  public static final String PREFIX = "hbase.hybrid.";

  private final String name;
  private final Values<T> values;
  private final String defaultText;
  private final T defaultValue;
  private final String insteadText;
  private final T instead;

  /**
   * @param insteadText in force instead of an invalid value
   */
  Key(String name, Values<T> values, String defaultText, String insteadText) {
    this.name = name;
    this.values = values;
    this.defaultText = defaultText;
    this.defaultValue = values.parse(defaultText).orElseThrow();
    this.insteadText = insteadText;
    this.instead = values.parse(insteadText).orElseThrow();
  }

  public String name() {
    return name;
  }

  public Values<T> values() {
    return values;
  }

  public String defaultValue() {
    return defaultText;
  }

  /** Unresolved if it refers to too many others. */
  static Optional<String> text(Configuration conf, String name) {
    try {
      return Optional.ofNullable(conf.get(name));
    } catch (IllegalStateException e) {
      return Optional.ofNullable(conf.getRaw(name));
    }
  }

  private Optional<String> text(Configuration conf) {
    return text(conf, name).map(String::trim).filter(text -> !text.isEmpty());
  }

  public Optional<T> find(Configuration conf) {
    return text(conf).flatMap(values::parse);
  }

  /** If invalid, the value that stands in; if unset, the default. */
  public T get(Configuration conf) {
    return text(conf).map(text -> values.parse(text).orElse(instead)).orElse(defaultValue);
  }

  public String inForce(Configuration conf) {
    return text(conf)
        .map(text -> values.parse(text).isPresent() ? text : insteadText)
        .orElse(defaultText);
  }

  /** Empty if valid. */
  public Optional<String> problem(Configuration conf) {
    return text(conf)
        .filter(text -> values.parse(text).isEmpty())
        .map(
            text ->
                String.format(
                    Locale.ROOT,
                    "%s=%s is not understood; allowed: %s. Correct or remove it; %s%s is in force.",
                    name,
                    text,
                    values.allowed(),
                    insteadText.equals(defaultText) ? "the default " : "",
                    insteadText));
  }

  public boolean isChanged(Configuration conf) {
    return !get(conf).toString().equals(defaultValue.toString());
  }

  /** Empty if the default is in force. */
  Optional<String> difference(Configuration conf) {
    return isChanged(conf)
        ? Optional.of(
            String.format(Locale.ROOT, "%s=%s (default %s)", name, inForce(conf), defaultText))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return name;
  }
}
