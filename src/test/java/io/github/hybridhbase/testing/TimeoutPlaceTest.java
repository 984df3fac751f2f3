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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Store;

class TimeoutPlaceTest {
  private final TimeoutPlace extension = new TimeoutPlace();
  private final Store store = mock(Store.class);
  private final ExtensionContext context = mock(ExtensionContext.class);

  TimeoutPlaceTest() {
    when(context.getStore(any())).thenReturn(store);
  }

  /** Keeps what the extension puts into the store, as JUnit's does. */
  private void interrupt(Thread thread) {
    org.mockito.Mockito.doAnswer(
            put -> {
              when(store.remove(TimeoutPlace.class, String.class)).thenReturn(put.getArgument(1));
              return null;
            })
        .when(store)
        .put(any(), any());
    extension.beforeThreadInterrupt(() -> thread, context);
  }

  @Test
  void aTimeoutSaysWhereItsThreadStood() throws Exception {
    CountDownLatch there = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread thread = new Thread(() -> waitInVain(there, end), "stuck");
    thread.start();
    there.await();
    interrupt(thread);
    end.countDown();
    thread.join();
    TimeoutException timeout = new TimeoutException("test() timed out after 300 seconds");
    Throwable failure =
        assertThrows(
            TimeoutException.class, () -> extension.handleTestExecutionException(context, timeout));
    String message = failure.getMessage();
    assertTrue(message.startsWith("test() timed out after 300 seconds; stuck ("), message);
    assertTrue(message.contains("TimeoutPlaceTest.waitInVain(TimeoutPlaceTest.java:"), message);
    assertSame(timeout, failure.getCause());
  }

  private static void waitInVain(CountDownLatch there, CountDownLatch end) {
    there.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void otherFailuresStayWhatTheyAre() {
    IOException failure = new IOException("no timeout");
    assertSame(
        failure,
        assertThrows(
            IOException.class,
            () -> extension.handleBeforeAllMethodExecutionException(context, failure)));
    interrupt(Thread.currentThread());
    assertSame(
        failure,
        assertThrows(
            IOException.class, () -> extension.handleTestExecutionException(context, failure)));
  }

  @Test
  void itIsInForceForAllTests() throws IOException {
    assertTrue(
        ServiceLoader.load(Extension.class).stream()
            .anyMatch(provider -> provider.type() == TimeoutPlace.class));
    Properties properties = new Properties();
    try (InputStream in = getClass().getResourceAsStream("/junit-platform.properties")) {
      properties.load(in);
    }
    for (String key :
        new String[] {
          "junit.jupiter.extensions.autodetection.enabled",
          "junit.jupiter.execution.timeout.threaddump.enabled"
        }) {
      assertEquals("true", properties.getProperty(key), key);
    }
  }
}
