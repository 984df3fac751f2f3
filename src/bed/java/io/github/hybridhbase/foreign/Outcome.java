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
package io.github.hybridhbase.foreign;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import org.apache.yetus.audience.InterfaceAudience;

/** What came of one class, as {@link OneClass} wrote it. Immutable. */
@InterfaceAudience.Private
final class Outcome {
  private final Properties told;

  private Outcome(Properties told) {
    this.told = told;
  }

  /** Empty where nothing has come of it yet. */
  static Optional<Outcome> read(Path file) throws IOException {
    if (Files.notExists(file)) {
      return Optional.empty();
    }
    Properties told = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      told.load(in);
    }
    return Optional.of(new Outcome(told));
  }

  /** Of a JVM that wrote none. */
  static Outcome without(String why, long seconds) {
    Properties told = new Properties();
    told.setProperty("failures", why);
    told.setProperty("failed", "1");
    told.setProperty("seconds", Long.toString(seconds));
    return new Outcome(told);
  }

  void write(Path file) throws IOException {
    try (java.io.Writer out = Files.newBufferedWriter(file)) {
      told.store(out, null);
    }
  }

  private int number(String key) {
    return Integer.parseInt(told.getProperty(key, "0"));
  }

  int run() {
    return number("run");
  }

  int ignored() {
    return number("ignored");
  }

  int failed() {
    return number("failed");
  }

  int seconds() {
    return number("seconds");
  }

  /** Whether all that ran has passed, and anything ran. */
  boolean passed() {
    return failed() == 0 && run() > 0;
  }

  /** What failed, each with the first line of its message; empty where nothing did. */
  String failures() {
    return run() == 0 && failed() == 0 ? "nothing ran" : told.getProperty("failures", "");
  }

  int made(Made.Kind kind) {
    return number(kind.name().toLowerCase(Locale.ROOT));
  }

  /** Whether any object of the plugin's was made: else it has proven nothing. */
  boolean proves() {
    for (Made.Kind kind : Made.Kind.values()) {
      if (made(kind) > 0) {
        return true;
      }
    }
    return false;
  }
}
