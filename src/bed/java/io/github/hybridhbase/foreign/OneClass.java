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
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;

/** Runs one JUnit 4 class in this JVM, writes what came of it to a file, and ends the JVM. */
@InterfaceAudience.Private
public final class OneClass {
  private static final int LONGEST = 300;

  private OneClass() {}

  /**
   * Runs it.
   *
   * @param args the class, and the file to write
   */
  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    Result result = JUnitCore.runClasses(Class.forName(args[0]));
    result.getFailures().forEach(failure -> System.err.println("FAILED " + failure.getTrace()));
    write(result, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), Path.of(args[1]));
    // Servers and shutdown hooks of the test are none of our business any more.
    Runtime.getRuntime().halt(0);
  }

  private static void write(Result result, long seconds, Path file) throws IOException {
    Properties outcome = new Properties();
    outcome.setProperty("run", Integer.toString(result.getRunCount()));
    outcome.setProperty("ignored", Integer.toString(result.getIgnoreCount()));
    outcome.setProperty("failed", Integer.toString(result.getFailureCount()));
    outcome.setProperty("seconds", Long.toString(seconds));
    outcome.setProperty(
        "failures",
        result.getFailures().stream()
            .map(failure -> failure.getTestHeader() + ": " + line(failure.getMessage()))
            .collect(Collectors.joining("; ")));
    for (Made.Kind kind : Made.Kind.values()) {
      outcome.setProperty(kind.name().toLowerCase(Locale.ROOT), Integer.toString(Made.count(kind)));
    }
    Path whole = Path.of(file + ".tmp");
    try (Writer out = Files.newBufferedWriter(whole)) {
      outcome.store(out, null);
    }
    Files.move(whole, file);
  }

  private static String line(String message) {
    String first = String.valueOf(message).lines().findFirst().orElse("");
    return first.substring(0, Math.min(LONGEST, first.length()));
  }
}
