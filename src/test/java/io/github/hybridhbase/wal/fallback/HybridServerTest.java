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
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.WalMetrics.OpenWal;
import io.github.hybridhbase.wal.HybridWALProvider;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@InterfaceAudience.Private
class HybridServerTest {
  private static final String NAME = "rs.example.org,16020,7";
  private static final Path WAL = new Path("/hbase/WALs/" + NAME, NAME + ".1");

  private final HybridWALProvider own = new HybridWALProvider();
  private final HybridWALProvider meta = new HybridWALProvider();
  private final Configuration conf = HBaseConfiguration.create();

  private HybridServer ofWal() throws IOException {
    conf.set("hbase.rootdir", "file:///hbase");
    return HybridServer.of(conf, FileSystem.getLocal(conf), WAL);
  }

  @Test
  void allOfOneServerShareOneUntilItsLastProviderEnds_andNothingWithAnother() throws IOException {
    HybridServer server = HybridServer.enter(NAME, own);
    assertSame(server, HybridServer.enter(NAME, meta));
    HybridWALProvider others = new HybridWALProvider();
    HybridServer other = HybridServer.enter("rs.example.org,16021,7", others);
    assertNotSame(server, other);
    assertSame(server, ofWal());
    server.leave(meta);
    server.leave(meta);
    server.leave(others);
    assertSame(server, HybridServer.of(NAME).orElseThrow(), "left twice, and by another's");
    server.leave(own);
    assertFalse(HybridServer.of(NAME).isPresent());
    assertNotSame(ofWal(), ofWal(), "one that ended shares nothing");
    other.leave(others);
  }

  @Test
  void aFileThatIsOpenedAfterItsServersEndShowsNowhere() throws IOException {
    HybridServer server = HybridServer.enter(NAME, own);
    server.check(conf);
    assertFalse(HybridMetrics.get().shortfalls().isEmpty(), "no writer of the plugin opened it");
    server.leave(own);
    server.opened(FileSystem.getLocal(conf), WAL, OpenWal.UNKNOWN);
    server.check(conf);
    assertTrue(HybridMetrics.get().shortfalls().isEmpty());
  }

  /** Nobody listens where this HDFS should be: whose a WAL is costs no call. */
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
      String root, String policy, String mode, String wal, boolean opens) throws IOException {
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:1");
    conf.set("hbase.rootdir", "hdfs://127.0.0.1:1" + root);
    conf.set("hbase.hybrid.wal.policy", policy);
    conf.set("hbase.hybrid.mode", mode);
    HybridServer server = HybridServer.enter("server", own);
    try (FileSystem fs = FileSystem.newInstance(URI.create("hdfs://127.0.0.1:1"), conf)) {
      HybridServer found = HybridServer.of(conf, fs, new Path(wal));
      assertEquals(opens, found != null && found.fallback(conf, fs) != null);
    } finally {
      server.leave(own);
    }
  }
}
