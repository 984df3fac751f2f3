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
package io.github.hybridhbase.wal.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.TestClock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When recovered edits go to SSD; what becomes of WALs: {@link WalOpenerTest}. */
@InterfaceAudience.Private
class WalFallbackTest {
  private static final String WALS = "/hbase/WALs/server";
  private static final Path WAL = new Path(WALS, "server.1");

  private final FakeNamespace hdfs = new FakeNamespace().with(WALS, StoragePolicy.UNSPECIFIED);
  private long seconds;
  private final WalFallback wals = fallback(StoragePolicy.ALL_SSD);

  private WalFallback fallback(StoragePolicy declared) {
    return new WalFallback(
        new Path(WALS),
        hdfs,
        declared,
        3,
        HybridSettings.read(new Configuration(false)),
        new TestClock(() -> TimeUnit.SECONDS.toNanos(seconds), nanos -> {}),
        DaemonThreads.timer("look"),
        logs -> {});
  }

  @ParameterizedTest
  @CsvSource({"ALL_SSD, true", "ONE_SSD, false", "HOT, false", "NONE, false"})
  void editsAreOnSsd_ifEveryReplicaOfWalsIs(StoragePolicy policy, boolean onSsd) {
    assertEquals(onSsd, fallback(policy).takesEdits());
  }

  @Test
  void anAdminsPolicyOnTheDirectoryOfWalsDecides() {
    hdfs.with(WALS, StoragePolicy.ONE_SSD.id());
    assertFalse(wals.takesEdits());
  }

  @Test
  void editsLeaveSsdForTenMinutesAfterItFailed() {
    wals.editsFailed();
    assertFalse(wals.takesEdits());
    seconds = 599;
    assertFalse(wals.takesEdits());
    seconds = 600;
    assertTrue(wals.takesEdits());
  }

  @Test
  void editsLeaveSsdWhileItRefusesWals_orADataNodeIsExcluded() {
    wals.leaveSsd(WAL, "planted", HdfsError.Kind.NO_TARGET);
    assertFalse(wals.takesEdits());
    wals.look();
    assertTrue(wals.takesEdits());
    wals.stalled.leave(List.of(WalOpenerTest.node("s")), 1);
    assertFalse(wals.takesEdits());
  }

  @Test
  void aBlockProvesSsdForTenSeconds() {
    assertFalse(wals.areEditsProven());
    wals.editsTaken();
    assertTrue(wals.areEditsProven());
    seconds = 10;
    assertFalse(wals.areEditsProven());
    wals.editsTaken();
    wals.editsFailed();
    assertFalse(wals.areEditsProven());
  }
}
