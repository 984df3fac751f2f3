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

import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Makes a timeout of JUnit's say where its thread stood: the failure's message gets the top of the
 * stack. Where all other threads stand JUnit prints itself ({@code threaddump.enabled} in {@code
 * junit-platform.properties}), into the test class's report. In force for all tests by {@code
 * META-INF/services}.
 */
@InterfaceAudience.Private
public final class TimeoutPlace
    implements PreInterruptCallback,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {
  /** More would bury the other failures in Maven's summary. */
  private static final int FRAMES = 25;

  private static final Namespace NAMESPACE = Namespace.create(TimeoutPlace.class);

  @Override
  public void beforeThreadInterrupt(PreInterruptContext interrupt, ExtensionContext context) {
    Thread thread = interrupt.getThreadToInterrupt();
    String place =
        Arrays.stream(thread.getStackTrace())
            .takeWhile(frame -> !frame.getClassName().startsWith("org.junit.platform."))
            .limit(FRAMES)
            .map(frame -> "\n\tat " + frame)
            .collect(Collectors.joining());
    context
        .getStore(NAMESPACE)
        .put(TimeoutPlace.class, "; " + thread.getName() + " (" + thread.getState() + ")" + place);
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw placed(context, failure);
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw placed(context, failure);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw placed(context, failure);
  }

  @Override
  public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw placed(context, failure);
  }

  @Override
  public void handleAfterAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw placed(context, failure);
  }

  /** A timeout with its place, every other failure as it is. */
  private static Throwable placed(ExtensionContext context, Throwable failure) {
    String place = context.getStore(NAMESPACE).remove(TimeoutPlace.class, String.class);
    if (place == null || !(failure instanceof TimeoutException)) {
      return failure;
    }
    TimeoutException placed = new TimeoutException(failure.getMessage() + place);
    placed.initCause(failure);
    return placed;
  }
}
