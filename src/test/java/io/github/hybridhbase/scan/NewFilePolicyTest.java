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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.FileBlocks;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

class NewFilePolicyTest {
  private static final HybridSettings SETTINGS = HybridSettings.read(new Configuration(false));

  private static FileBlocks file(int policy) {
    return new FileBlocks(
        new Path("/f"),
        10,
        3,
        (byte) policy,
        false,
        List.of(
            new FileBlocks.Block(6, StorageType.SSD, StorageType.DISK, StorageType.DISK),
            new FileBlocks.Block(4, StorageType.SSD, StorageType.SSD)));
  }

  private static StoragePolicy expected(Component component, String family, int inForce) {
    return Expectation.ofNewFile(
        SETTINGS, StoragePolicy.HOT.id(), component, family, file(inForce));
  }

  @Test
  void theFamilysOwnPolicyWins() {
    assertEquals(StoragePolicy.ONE_SSD, expected(Component.USER, "one_ssd", 7));
    assertEquals(StoragePolicy.HOT, expected(Component.META, "HOT", 12));
  }

  @Test
  void userDataFollowsWhatHdfsHasInForce() {
    assertEquals(StoragePolicy.ALL_SSD, expected(Component.USER, null, 12));
    assertEquals(StoragePolicy.HOT, expected(Component.USER, "", 0));
    assertEquals(StoragePolicy.HOT, expected(Component.USER, "no such policy", 0));
  }

  @Test
  void systemComponentsFollowTheDeclarationSoThatALostPolicyIsNoticed() {
    assertEquals(StoragePolicy.ALL_SSD, expected(Component.META, null, 7));
    assertEquals(StoragePolicy.ALL_SSD, expected(Component.META, "NONE", 0));
  }

  @Test
  void aPolicyNobodyHereKnowsExpectsNothing() {
    assertEquals(StoragePolicy.NONE, expected(Component.USER, null, 15));
  }

  @Test
  void bytesAreCountedByReplica() {
    FileBlocks file = file(7);
    assertEquals(6 + 4 + 4, file.bytes(StorageType.SSD));
    assertEquals(6 + 6, file.bytes(StorageType.DISK));
    assertEquals(0, file.bytes(StorageType.ARCHIVE));
    assertEquals(3, file.replicas(StorageType.SSD));
    assertEquals(5, file.replicas());
    assertEquals(3, file.misplaced(StoragePolicy.HOT));
    assertEquals(14, file.misplacedBytes(StoragePolicy.HOT));
    assertEquals(1, file.underReplicatedBlocks());
  }

  @Test
  void whereHdfsDefaultsToAnotherPolicyUserDataFollowsIt() {
    byte allSsd = StoragePolicy.ALL_SSD.id();
    assertEquals(
        StoragePolicy.ALL_SSD,
        Expectation.ofNewFile(SETTINGS, allSsd, Component.USER, null, file(0)));
    assertEquals(
        StoragePolicy.HOT, Expectation.ofNewFile(SETTINGS, allSsd, Component.USER, null, file(7)));
  }
}
