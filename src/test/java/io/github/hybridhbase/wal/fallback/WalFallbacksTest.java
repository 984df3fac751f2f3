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

import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.wal.failover.OpenLog;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nobody listens where this HDFS should be: whose a WAL is costs no call. */
@InterfaceAudience.Private
class WalFallbacksTest {
  private final Configuration conf = HBaseConfiguration.create();
  private final WalFallbacks fallbacks = new WalFallbacks(which -> {});
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:1");
    fs = FileSystem.newInstance(URI.create("hdfs://127.0.0.1:1"), conf);
    fallbacks.begin();
  }

  @AfterEach
  void close() throws IOException {
    fallbacks.end();
    fs.close();
  }

  @ParameterizedTest
  @CsvSource({
    "/hbase, ALL_SSD, prefer, /hbase/WALs/server/server.1, true",
    "/hbase, ALL_SSD, prefer, /hbase/WALs/server/server.meta.1.meta, true",
    "/hbase, ALL_SSD, prefer, /remote/WALs/server/server.1, false",
    "/hbase, ALL_SSD, prefer, /hbase/data/default/t/r/recovered.edits/1, false",
    "/hbase, HOT, prefer, /hbase/WALs/server/server.1, false",
    "/hbase, ALL_SSD, off, /hbase/WALs/server/server.1, false",
    "/hbase/MasterData, HOT, prefer, /hbase/MasterData/WALs/server/server.1, true",
  })
  void plugin_opensWalsOfThisHBase_meantForSsd(
      String root, String policy, String mode, String wal, boolean opens) {
    conf.set("hbase.rootdir", "hdfs://127.0.0.1:1" + root);
    conf.set("hbase.hybrid.wal.policy", policy);
    conf.set("hbase.hybrid.mode", mode);
    NewWal asked = new NewWal(fs, new Path(wal), false, (short) 3, null);
    HybridSettings settings = HybridSettings.read(conf);
    assertEquals(
        opens, fallbacks.opener(conf, settings, asked, new OpenLog("server"), null) != null);
  }
}
