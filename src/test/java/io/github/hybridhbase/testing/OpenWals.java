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
package io.github.hybridhbase.testing;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.master.region.MasterRegion;
import org.apache.hadoop.hbase.regionserver.LogRoller;
import org.apache.yetus.audience.InterfaceAudience;

/** The WALs of a cluster that are being written: region servers', hbase:meta's, master store's. */
@InterfaceAudience.Private
final class OpenWals {
  /** HDFS's recovery of a block asks a DataNode that hangs twice, 60 s each. */
  private static final long LEASE_MILLIS = TimeUnit.MINUTES.toMillis(5);

  private final TypedCluster cluster;

  OpenWals(TypedCluster cluster) {
    this.cluster = cluster;
  }

  /** Rolls all of them; on return the old files are closed or archived. */
  void roll() throws Exception {
    List<Path> before = list();
    List<LogRoller> rollers =
        cluster.hbase().getLiveRegionServerThreads().stream()
            .map(thread -> thread.getRegionServer().getWalRoller())
            .collect(Collectors.toList());
    MasterRegion store = cluster.activeMaster().getMasterRegion();
    rollers.forEach(LogRoller::requestRollAll);
    store.requestRollAll();
    for (LogRoller roller : rollers) {
      Await.until("roll of " + roller.getName(), roller::walRollFinished);
    }
    store.waitUntilWalRollFinished();
    // AsyncFSWAL closes the file it leaves on another thread.
    Await.until(
        "close of the old WALs", LEASE_MILLIS, () -> before.stream().noneMatch(this::isOpen));
  }

  List<Path> list() throws IOException {
    List<Path> open = new ArrayList<>();
    for (String where : new String[] {"WALs", "MasterData/WALs"}) {
      RemoteIterator<LocatedFileStatus> files =
          cluster.fs().listFiles(new Path(cluster.walRoot(), where), true);
      while (files.hasNext()) {
        Path file = files.next().getPath();
        if (isOpen(file)) {
          open.add(file);
        }
      }
    }
    return open;
  }

  private boolean isOpen(Path file) {
    try {
      return !cluster.fs().isFileClosed(file);
    } catch (FileNotFoundException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
