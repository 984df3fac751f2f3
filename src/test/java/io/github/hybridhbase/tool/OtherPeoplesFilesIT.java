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
package io.github.hybridhbase.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.TypedCluster;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * What others do in HBase's directories: a private directory in {@code staging}, and HDFS
 * snapshots. HBase's user is no superuser of HDFS.
 */
@InterfaceAudience.Private
class OtherPeoplesFilesIT {
  private static ToolRun as(String user, PrivilegedExceptionAction<ToolRun> run) throws Exception {
    return UserGroupInformation.createUserForTesting(user, new String[] {"none"}).doAs(run);
  }

  @Test
  void aPrivateDirectoryInStagingAndSnapshots() throws Exception {
    try (TypedCluster cluster = TypedCluster.spec().startHdfs()) {
      HBaseOnHdfs hbase = new HBaseOnHdfs(cluster);
      Path load = new Path("/hbase/staging/mallory__t__abc");
      hbase.fs().mkdirs(load);
      chown(hbase, "/hbase");
      hbase.fs().setPermission(load, new FsPermission("777"));
      Path own = new Path(load, "x");
      hbase.fs().mkdirs(own);
      hbase.fs().setPermission(own, new FsPermission("700"));
      hbase.fs().setOwner(own, "mallory", "none");

      ToolRun audit = as("hbase", () -> ToolRun.of(cluster.conf(), "check", "--blocks", "--json"));
      assertFalse(audit.findings().contains("unreadable"), audit::toString);
      Path file = hbase.file("/hbase/data/default/t/r/cf/f", 3 << 20, StoragePolicy.ALL_SSD);
      chown(hbase, "/hbase/data");
      hbase.fs().allowSnapshot(new Path("/hbase"));
      hbase.fs().createSnapshot(new Path("/hbase"), "nightly");
      hbase.fs().delete(file, false);
      cluster.await(
          "the NameNode's count",
          () ->
              ToolRun.of(cluster.conf(), "check", "--blocks", "--json")
                      .json()
                      .get("ssdElsewhereBytes")
                      .getAsLong()
                  >= 9 << 20);
      assertEquals(0, hbase.fs().listStatus(new Path("/hbase/data/default/t/r/cf")).length);
      hbase.fs().deleteSnapshot(new Path("/hbase"), "nightly");
      hbase.fs().disallowSnapshot(new Path("/hbase"));
    }
  }

  private static void chown(HBaseOnHdfs hbase, String path) throws Exception {
    FsShell shell = new FsShell(hbase.conf());
    assertEquals(
        0,
        ToolRunner.run(
            shell, new String[] {"-chown", "-R", "hbase:none", hbase.fs().getUri() + path}));
  }
}
