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
package io.github.hybridhbase.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NewFileVerifierTest {
  private final StorageNamespace hdfs = mock(StorageNamespace.class);
  private final Map<Metric, Long> before = new EnumMap<>(Metric.class);
  private final NewFileVerifier verifier;

  NewFileVerifierTest() {
    verifier = new NewFileVerifier(HybridSettings.read(new Configuration(false)), 1_000);
    for (Metric metric : Metric.values()) {
      before.put(metric, HybridMetrics.get().value(metric));
    }
  }

  private long counted(Metric metric) {
    return HybridMetrics.get().value(metric) - before.get(metric);
  }

  private static FileBlocks on(StorageType type) {
    return new FileBlocks(
        new Path("/f"),
        10,
        2,
        StoragePolicy.HOT.id(),
        false,
        List.of(new FileBlocks.Block(10, type, type)));
  }

  private void submit() {
    verifier.submit(hdfs, new Path("/f"), Component.USER, "t:f", null);
  }

  private void judgeTwo() {
    submit();
    submit();
    awaitIdle();
  }

  /** Also so that nothing is counted in the next test. */
  @AfterEach
  void awaitIdle() {
    while (!verifier.idle()) {
      Thread.onSpinWait();
    }
  }

  private void answer(FileBlocks file) throws IOException {
    when(hdfs.blocks(any())).thenReturn(Optional.of(file));
  }

  @Test
  void aFileWrittenToTheWrongMediumIsCountedAsMisplaced() throws Exception {
    answer(on(StorageType.SSD));
    judgeTwo();
    assertEquals(2, counted(Metric.NEW_FILES_MISPLACED));
    assertEquals(40, counted(Metric.NEW_BYTES_SSD));
    assertEquals(0, counted(Metric.NEW_BYTES_DISK));
  }

  @Test
  void aFileWrittenWhereItBelongsIsCountedByMediumOnly() throws Exception {
    answer(on(StorageType.DISK));
    judgeTwo();
    assertEquals(0, counted(Metric.NEW_FILES_MISPLACED));
    assertEquals(2, counted(Metric.NEW_FILES));
    assertEquals(40, counted(Metric.NEW_BYTES_DISK));
  }

  @Test
  void anotherMediumThanSsdAndDiskHasItsMetricToo() throws Exception {
    answer(on(StorageType.ARCHIVE));
    judgeTwo();
    assertEquals(40, counted(Metric.NEW_BYTES_OTHER));
    assertEquals(0, counted(Metric.NEW_BYTES_DISK));
  }

  @Test
  void hdfsIsAskedOnAThreadOfItsOwnAndWhatDoesNotFitTheQueueIsLeftUnchecked() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    Thread[] asking = new Thread[1];
    when(hdfs.blocks(any()))
        .thenAnswer(
            call -> {
              asking[0] = Thread.currentThread();
              asked.countDown();
              answer.await();
              return Optional.empty();
            });
    submit();
    asked.await();
    assertEquals("hybrid-verify", asking[0].getName());
    assertTrue(asking[0].isDaemon());
    for (int i = 0; i < NewFileVerifier.QUEUE + 7; i++) {
      submit();
    }
    assertEquals(7, counted(Metric.NEW_FILES_UNCHECKED));
    answer.countDown();
  }

  @Test
  void whatHdfsThrowsIsCountedAndTheNextFileIsLookedAt() throws Exception {
    when(hdfs.blocks(any())).thenThrow(new IOException("planted"));
    judgeTwo();
    assertEquals(2, counted(Metric.NEW_FILES_UNCHECKED));
    assertEquals(0, counted(Metric.NEW_FILES));
  }
}
