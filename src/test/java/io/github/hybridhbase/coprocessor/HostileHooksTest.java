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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.testing.HostileText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.mockito.stubbing.Answer;

/** Whatever HBase's objects throw or the site file has, nothing leaves a hook. */
@InterfaceAudience.Private
class HostileHooksTest {
  private static final int CASES = 150;

  private final HostileText text = new HostileText(getClass().getSimpleName());
  private final Random random = text.random();

  /** Answers with a hostile configuration, with null, or not at all. */
  private final Answer<Object> hostile =
      call -> {
        if (call.getMethod().getReturnType() == Configuration.class && random.nextInt(3) > 0) {
          Configuration conf = new Configuration(false);
          conf.set("hbase.rootdir", text.next("hdfs://no.such.host:1/hbase", "file:/tmp/x"));
          conf.set("hbase.hybrid.mode", text.next("prefer", "prefer", "off"));
          conf.set("hbase.hybrid.move.rate", text.next("10"));
          conf.set("hbase.hybrid.tier.write.delay", text.next("10ms"));
          // Where "require" came out of it after all, a start may be refused.
          conf.set("hbase.hybrid.mode", conf.getRaw("hbase.hybrid.mode").replace("require", ""));
          return conf;
        }
        switch (random.nextInt(5)) {
          case 0:
            throw new UncheckedIOException(new IOException("hostile"));
          case 1:
            throw new NoSuchMethodError("hostile");
          case 2:
            throw new StackOverflowError("hostile");
          case 3:
            throw new NullPointerException("hostile");
          default:
            return org.mockito.Answers.RETURNS_DEFAULTS.answer(call);
        }
      };

  @SuppressWarnings("unchecked")
  private <T> T mocked(Class<?> type) {
    return (T) mock(type, hostile);
  }

  @SuppressWarnings("deprecation") // so that it compiles against every line
  @Test
  void nothingLeavesARegionsHooks() {
    for (int i = 0; i < CASES; i++) {
      HybridRegionObserver observer = new HybridRegionObserver();
      RegionCoprocessorEnvironment env = mocked(RegionCoprocessorEnvironment.class);
      ObserverContext<RegionCoprocessorEnvironment> context = mocked(ObserverContext.class);
      Store store = mocked(Store.class);
      StoreFile file = mocked(StoreFile.class);
      FlushLifeCycleTracker tracker = FlushLifeCycleTracker.DUMMY;
      assertDoesNotThrow(
          () -> {
            observer.start(env);
            observer.postOpen(context);
            Put put = new Put(new byte[] {1});
            observer.prePut(context, put, null);
            observer.preDelete(context, new Delete(new byte[] {1}), null);
            observer.preAppend(context, new Append(new byte[] {1}));
            observer.preIncrement(context, new Increment(new byte[] {1}));
            observer.preCheckAndMutate(
                context,
                CheckAndMutate.newBuilder(new byte[] {1})
                    .ifNotExists(new byte[] {1}, new byte[] {1})
                    .build(put.addColumn(new byte[] {1}, null, null)),
                null);
            observer.preFlush(context, store, null, tracker);
            observer.postFlush(context, store, file, tracker);
            observer.postBulkLoadHFile(context, List.of(), Map.of());
            observer.postClose(context, random.nextBoolean());
          });
    }
  }

  @Test
  void nothingLeavesTheMastersHooks() {
    for (int i = 0; i < CASES; i++) {
      HybridMasterObserver observer = new HybridMasterObserver();
      MasterCoprocessorEnvironment env = mocked(MasterCoprocessorEnvironment.class);
      ObserverContext<MasterCoprocessorEnvironment> context = mocked(ObserverContext.class);
      assertDoesNotThrow(
          () -> {
            try {
              observer.start(env);
              observer.postStartMaster(context);
            } finally {
              observer.stop(env);
            }
          });
    }
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
