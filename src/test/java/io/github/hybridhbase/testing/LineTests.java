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
package io.github.hybridhbase.testing;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips, with {@code -Dhbase.line}, what {@code src/test/lines/skipped-tests.properties} says that
 * line lacks, in a class that is extended with it.
 */
@InterfaceAudience.Private
public final class LineTests implements ExecutionCondition {
  private final Properties reasons;

  /** Called by JUnit. */
  public LineTests() {
    this(read());
  }

  LineTests(Properties reasons) {
    this.reasons = reasons;
  }

  private static Properties read() {
    Properties reasons = new Properties();
    Path file = Line.home().resolve("skipped-tests.properties");
    try (Reader in = Files.newBufferedReader(file)) {
      reasons.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return reasons;
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    String name =
        context.getTestClass().map(Class::getSimpleName).orElse("")
            + context.getTestMethod().map(method -> "." + method.getName()).orElse("");
    String reason = reason(System.getProperty("hbase.line", ""), name);
    return reason == null
        ? ConditionEvaluationResult.enabled("")
        : ConditionEvaluationResult.disabled(reason);
  }

  /**
   * Why a test, {@code Class} or {@code Class.method}, does not run on a line, which may be short
   * of its suffix; null where it does.
   */
  String reason(String line, String name) {
    return reasons.stringPropertyNames().stream()
        .filter(key -> !line.isEmpty() && key.endsWith("/" + name))
        .filter(key -> (key.replace('/', '-') + "-").startsWith(line + "-"))
        .map(reasons::getProperty)
        .findFirst()
        .orElse(null);
  }

  /** The tests that some line cannot run. */
  Set<String> names() {
    return reasons.stringPropertyNames();
  }
}
