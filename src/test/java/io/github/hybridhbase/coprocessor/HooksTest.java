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
package io.github.hybridhbase.coprocessor;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.MockedStatic;

class HooksTest {
  private static long failures() {
    return HybridMetrics.get().value(Metric.HOOK_FAILURES);
  }

  @ParameterizedTest
  @ValueSource(classes = {IOException.class, NullPointerException.class, StackOverflowError.class})
  void whateverIsThrownStaysInAndIsCounted(Class<? extends Throwable> type) throws Exception {
    Throwable thrown = type.getConstructor().newInstance();
    long before = failures();
    assertDoesNotThrow(
        () ->
            Failures.inHook(
                "test",
                () -> {
                  HooksTest.<RuntimeException>sneak(thrown);
                }));
    assertEquals(before + 1, failures());
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void sneak(Throwable t) throws T {
    throw (T) t;
  }

  @Test
  void anInterruptIsPassedOn() {
    Failures.inHook(
        "test",
        () -> {
          throw new InterruptedException();
        });
    assertTrue(Thread.interrupted());
  }

  /** Each reads all of HBase's defaults again, 0.2 s on a busy machine. */
  @Test
  @SuppressWarnings("unchecked")
  void theMasterObserverReadsTheDefaultsOnce(@TempDir Path root) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("hbase.rootdir", root.toUri().toString());
    MasterCoprocessorEnvironment env = mock(MasterCoprocessorEnvironment.class);
    when(env.getConfiguration()).thenReturn(conf);
    when(env.getConnection()).thenReturn(mock(Connection.class));
    ObserverContext<MasterCoprocessorEnvironment> context = mock(ObserverContext.class);
    when(context.getEnvironment()).thenReturn(env);
    HybridMasterObserver observer = new HybridMasterObserver();
    long before = failures();
    try (MockedStatic<HBaseConfiguration> reads =
        mockStatic(HBaseConfiguration.class, CALLS_REAL_METHODS)) {
      observer.start(env);
      observer.postStartMaster(context);
      reads.verify(() -> HBaseConfiguration.create(any(Configuration.class)), times(1));
    } finally {
      observer.stop(env);
    }
    assertEquals(before, failures());
  }

  @Test
  void theMasterObserverThrowsInRequireOnly() {
    MasterCoprocessorEnvironment env = mock(MasterCoprocessorEnvironment.class);
    Configuration conf = new Configuration(false);
    conf.set("hbase.rootdir", "no-such-scheme://x/hbase");
    when(env.getConfiguration()).thenReturn(conf);
    assertDoesNotThrow(() -> new HybridMasterObserver().start(env));
    conf.set("hbase.hybrid.mode", "require");
    IOException e = assertThrows(IOException.class, () -> new HybridMasterObserver().start(env));
    assertTrue(e.getMessage().contains("no-such-scheme"), e.getMessage());
    conf.set("hbase.hybrid.mode", "off");
    assertDoesNotThrow(() -> new HybridMasterObserver().start(env));
    assertDoesNotThrow(() -> new HybridMasterObserver().stop(env));
    assertDoesNotThrow(() -> new HybridMasterObserver().postStartMaster(null));
  }
}
