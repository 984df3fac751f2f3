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

import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One configuration key, declared once (see {@link HybridKeys}), which reads itself. What parses
 * it, what the documents, the site file and the command line say of it comes from here. Immutable.
 *
 * @param <T> what its value is
 */
@InterfaceAudience.Public
public final class Key<T> {
  /** All keys of the plugin start with this. */
  public static final String PREFIX = "hbase.hybrid.";

  private final String name;
  private final String since;
  private final Values<T> values;
  private final String defaultText;
  private final T defaultValue;
  private final String meaning;

  /**
   * Declares a key.
   *
   * @param since the version of the plugin that brought it
   * @param meaning what it does, in a sentence that an operator understands
   */
  Key(String name, String since, Values<T> values, String defaultText, String meaning) {
    this.name = name;
    this.since = since;
    this.values = values;
    this.defaultText = defaultText;
    this.defaultValue = values.parse(defaultText).orElseThrow();
    this.meaning = meaning;
  }

  /** The whole key. */
  public String name() {
    return name;
  }

  /** The version of the plugin that brought it. */
  public String since() {
    return since;
  }

  /** The values it takes. */
  public Values<T> values() {
    return values;
  }

  /** The value in force where none is set, as one writes it. */
  public String defaultValue() {
    return defaultText;
  }

  /** What it does, in a sentence. */
  public String meaning() {
    return meaning;
  }

  /** The text that is set; what refers to too many others stays as it was written. */
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

  /** The value that is set; empty where none is, or one that cannot be used. */
  public Optional<T> find(Configuration conf) {
    return text(conf).flatMap(values::parse);
  }

  /** The value in force: the one that is set, else the default. */
  public T get(Configuration conf) {
    return find(conf).orElse(defaultValue);
  }

  /** The value in force by itself, as one writes it. */
  public String inForce(Configuration conf) {
    return text(conf).filter(text -> values.parse(text).isPresent()).orElse(defaultText);
  }

  /** Why the value that is set cannot be used, and what remedies it; empty where all is well. */
  public Optional<String> problem(Configuration conf) {
    return text(conf)
        .filter(text -> values.parse(text).isEmpty())
        .map(
            text ->
                String.format(
                    Locale.ROOT,
                    "%s=%s is not understood; allowed: %s. Correct or remove it; the default %s is"
                        + " in force.",
                    name,
                    text,
                    values.allowed(),
                    defaultText));
  }

  /** The value in force beside the default; empty where they are the same. */
  Optional<String> difference(Configuration conf) {
    return find(conf)
        .filter(value -> !value.toString().equals(defaultValue.toString()))
        .map(
            value ->
                String.format(Locale.ROOT, "%s=%s (default %s)", name, inForce(conf), defaultText));
  }

  /** The name, so that a key can stand in a message. */
  @Override
  public String toString() {
    return name;
  }
}
