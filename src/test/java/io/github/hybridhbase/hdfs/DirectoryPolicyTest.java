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
package io.github.hybridhbase.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.TestClock;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@InterfaceAudience.Private
class DirectoryPolicyTest {
  private static final String WALS = "/hbase/WALs";
  private static final StoragePolicy DECLARED = StoragePolicy.ALL_SSD;

  private final FakeNamespace hdfs = new FakeNamespace().with("/hbase", 0).with(WALS, 0);
  private long nanos;
  private final DirectoryPolicy policy = policy(hdfs, WALS);

  private DirectoryPolicy policy(StorageNamespace of, String directory) {
    return new DirectoryPolicy(of, new Path(directory), new TestClock(() -> nanos, wait -> {}));
  }

  @ParameterizedTest
  @CsvSource({
    "0, ALL_SSD, NONE",
    "7, ALL_SSD, NONE",
    "12, NONE, HOT",
    "10, NONE, HOT",
    "2, NONE, NONE",
    "5, NONE, NONE",
    "9, NONE, NONE",
  })
  void whatSomebodySetWinsUnlessItIsHot(int set, StoragePolicy forFile, StoragePolicy offSsd) {
    hdfs.with("/hbase", set);
    assertEquals(forFile, policy.forFile(DECLARED));
    assertEquals(offSsd, policy.offSsd());
  }

  @Test
  void nothingIsPlacedWhereFilesAreErasureCoded() {
    hdfs.erasureCoded(WALS);
    assertEquals(StoragePolicy.NONE, policy.forFile(DECLARED));
    assertEquals(StoragePolicy.NONE, policy.offSsd());
  }

  @Test
  void aDirectoryThatIsNotThereYetWillHaveThePolicyAboveIt() {
    assertEquals(DECLARED, policy(hdfs, "/hbase/x").forFile(DECLARED));
    hdfs.with("/hbase", StoragePolicy.COLD.id());
    assertEquals(StoragePolicy.NONE, policy(hdfs, "/hbase/x/y").forFile(DECLARED));
  }

  /** Threads that create other files wait for the read. */
  @Test
  void aNameNodeThatDoesNotAnswerIsAskedOnceAMinuteTooAndTheLastAnswerHolds() throws Exception {
    StorageNamespace silent = mock(StorageNamespace.class);
    when(silent.policy(any()))
        .thenReturn(Optional.of(new StorageNamespace.PolicyStatus(StoragePolicy.COLD.id(), false)))
        .thenThrow(new IOException("no answer"));
    DirectoryPolicy of = policy(silent, WALS);
    assertEquals(StoragePolicy.NONE, of.forFile(DECLARED));
    nanos = TimeUnit.SECONDS.toNanos(60);
    for (int file = 0; file < 10; file++) {
      assertEquals(StoragePolicy.NONE, of.forFile(DECLARED));
    }
    verify(silent, times(2)).policy(any());
  }

  @Test
  void isReadAtMostOnceAMinute() {
    for (int file = 0; file < 10; file++) {
      policy.forFile(DECLARED);
      policy.offSsd();
    }
    assertEquals(1, hdfs.policyReads(WALS));
    hdfs.with(WALS, StoragePolicy.COLD.id());
    nanos = TimeUnit.SECONDS.toNanos(59);
    assertEquals(DECLARED, policy.forFile(DECLARED));
    nanos = TimeUnit.SECONDS.toNanos(60);
    assertEquals(StoragePolicy.NONE, policy.forFile(DECLARED));
    assertEquals(2, hdfs.policyReads(WALS));
  }
}
