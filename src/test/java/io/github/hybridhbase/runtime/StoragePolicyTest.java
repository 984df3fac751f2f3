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
package io.github.hybridhbase.runtime;

import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoragePolicyTest {
  @ParameterizedTest
  @EnumSource(value = StoragePolicy.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void theIdIsTheOneHdfsGives(StoragePolicy policy) {
    assertEquals(policy.name(), HdfsConstants.StoragePolicy.valueOf((int) policy.id()).name());
    assertEquals(policy, StoragePolicy.ofId(policy.id()).orElseThrow());
  }

  /** HDFS's own suite is the oracle: what it would choose is misplaced nowhere. */
  @ParameterizedTest
  @EnumSource(value = StoragePolicy.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void whatHdfsChoosesForAPolicyIsNeverMisplaced(StoragePolicy policy) {
    for (short replication = 1; replication <= 5; replication++) {
      List<StorageType> chosen =
          BlockStoragePolicySuite.createDefaultSuite()
              .getPolicy(policy.id())
              .chooseStorageTypes(replication);
      assertEquals(replication, chosen.size());
      assertEquals(0, policy.misplaced(chosen), policy + " " + chosen);
    }
  }

  @Test
  void replicasOnTheWrongMediumAreCounted() {
    assertEquals(3, StoragePolicy.ALL_SSD.misplaced(List.of(DISK, DISK, DISK)));
    assertEquals(1, StoragePolicy.ALL_SSD.misplaced(List.of(SSD, DISK, SSD)));
    assertEquals(2, StoragePolicy.HOT.misplaced(List.of(SSD, DISK, SSD)));
    assertEquals(1, StoragePolicy.ONE_SSD.misplaced(List.of(DISK, DISK, DISK)));
    assertEquals(2, StoragePolicy.ONE_SSD.misplaced(List.of(SSD, SSD, SSD)));
    assertEquals(1, StoragePolicy.ONE_SSD.misplaced(List.of(DISK)));
    assertEquals(0, StoragePolicy.ONE_SSD.misplaced(List.of(SSD)));
    assertEquals(1, StoragePolicy.COLD.misplaced(List.of(ARCHIVE, DISK)));
    assertEquals(0, StoragePolicy.NONE.misplaced(List.of(SSD, DISK, ARCHIVE)));
  }

  @Test
  void noneHasNoIdInHdfs() {
    assertThrows(IllegalStateException.class, StoragePolicy.NONE::id);
  }

  @Test
  void aPolicyOfSomebodyElsesIsDescribedByItsId() {
    assertEquals("unspecified", StoragePolicy.describe((byte) 0));
    assertEquals("ALL_SSD", StoragePolicy.describe((byte) 12));
    assertEquals("policy#15", StoragePolicy.describe((byte) 15));
  }
}
