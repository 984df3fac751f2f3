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
package io.github.hybridhbase.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.Random;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HBase in an encryption zone of HDFS: its files are encrypted, and placed as without. */
@InterfaceAudience.Private
@Tag("long")
@Timeout(600)
class EncryptionZoneIT {
  private static final String KEY = "hbase";

  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem"})
  void filesOfAnEncryptionZoneArePlaced(String delegate, @TempDir java.nio.file.Path directory)
      throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .conf(HybridKeys.WAL_DELEGATE.name(), delegate)
            .conf(
                CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
                "jceks://file" + directory.resolve("keys.jceks"))
            .startHdfs()) {
      KeyProvider keys = cluster.hdfs().getNamesystem().getProvider();
      keys.createKey(KEY, KeyProvider.options(cluster.conf()));
      keys.flush();
      cluster.fs().mkdirs(cluster.rootDir());
      cluster.fs().createEncryptionZone(cluster.rootDir(), KEY);
      cluster.startHBase();
      Rows rows = Rows.create(cluster, "rows", "DEFAULT", null, new Random(1));
      rows.put(100);
      cluster.rollWals();
      rows.put(100);
      cluster.flush(rows.table());
      new BlockProof(cluster).assertSystemOnSsd();
      for (Path wal : cluster.openWals()) {
        assertTrue(cluster.fs().getFileStatus(wal).isEncrypted(), wal.toString());
      }
      cluster.restartHBase();
      rows.assertAllThere();
    }
  }
}
