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
package io.github.hybridhbase.bench;

import io.github.hybridhbase.measure.EmulatedDisk;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.ScratchDirectory;
import io.github.hybridhbase.testing.TypedCluster;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Plays stock HBase, the plugin without its SSD tier and the plugin with it against each other, in
 * turns, each on a new cluster whose volumes are on devices with limits; {@code
 * bench/tier-on-emulated-devices.sh} makes them. Options, each {@code name=value}: {@code hdd},
 * {@code ssd} and {@code counters} (see {@link EmulatedDisk}), {@code dir} (NameNode, ZooKeeper),
 * {@code rivals} STOCK,OFF,ON,DRAINED, {@code workloads} update,a, {@code rounds} 3, {@code rows}
 * 100000 of 1 KB, {@code seconds} 90, {@code threads} 16, {@code target} 0 (operations a second; 0
 * for as many as go), {@code cold} true (reads begin without page caches), {@code datanodes} 3,
 * {@code flush.mb} 16, {@code blocking} 16 (store files), {@code budget.mb} 1024, {@code age} 20,
 * {@code period} 1 (of the SSD tier), {@code drained.mb} as {@code budget.mb} and {@code
 * drained.age} 5 (those of {@code DRAINED}: younger than files are when compactions consume them,
 * so that HBase is asked to rewrite them beside the load), {@code delay} (of writes, in ms; the
 * plugin's default), {@code synconclose} false, {@code warm} 10 (seconds of a run that is not
 * printed). The devices are as slow as they are to be while transactions run, and fast while
 * clusters start, load and stop. Prints one JSON object a run.
 */
@InterfaceAudience.Private
public final class TierComparison {
  private final Options options;
  private final EmulatedDisk hdd;
  private final EmulatedDisk ssd;

  private TierComparison(String[] args) {
    options = new Options(args);
    Path counters = Path.of(options.text("counters"));
    hdd = new EmulatedDisk("hdd", options.text("hdd"), counters);
    ssd = new EmulatedDisk("ssd", options.text("ssd"), counters);
  }

  /** Runs the comparison. */
  public static void main(String[] args) throws Exception {
    new TierComparison(args).run();
    System.exit(0);
  }

  private void run() throws Exception {
    String[] rivals = options.list("rivals", "STOCK,OFF,ON,DRAINED");
    String[] workloads = options.list("workloads", "update,a");
    if (options.number("warm", 10) > 0) {
      // The first cluster of a JVM pays for class loading.
      measure(TierRival.ON, "a", 20_000, options.number("warm", 10));
    }
    for (int round = 1; round <= options.number("rounds", 3); round++) {
      for (String workload : workloads) {
        for (int i = 0; i < rivals.length; i++) {
          // Each round begins with another rival: whoever follows the same one pays for its heap.
          TierRival rival = TierRival.valueOf(rivals[(i + round) % rivals.length]);
          String result =
              measure(
                  rival, workload, options.number("rows", 100_000), options.number("seconds", 90));
          System.out.println("{\"round\":" + round + "," + result + "}");
        }
      }
    }
  }

  private String measure(TierRival rival, String workload, int rows, int seconds) throws Exception {
    try (ScratchDirectory disks = ScratchDirectory.under(hdd.directory(), "volumes-");
        ScratchDirectory ssds = ScratchDirectory.under(ssd.directory(), "volumes-");
        TypedCluster cluster = rival.configure(spec(disks, ssds), options).start()) {
      return new TierRun(cluster, rival, options, hdd, ssd).measure(workload, rows, seconds);
    }
  }

  private ClusterSpec spec(ScratchDirectory disks, ScratchDirectory ssds) {
    int dataNodes = options.number("datanodes", 3);
    return TypedCluster.spec()
        .directory(Path.of(options.text("dir")))
        .volumes(Map.of(StorageType.DISK, disks.path(), StorageType.SSD, ssds.path()))
        .dataNodes(dataNodes)
        .conf("dfs.replication", Math.min(3, dataNodes))
        .conf("dfs.datanode.synconclose", options.text("synconclose", "false"))
        .conf("hbase.regionserver.handler.count", 30)
        .conf("hbase.hregion.memstore.flush.size", (long) options.number("flush.mb", 16) << 20)
        .conf("hbase.hstore.blockingStoreFiles", options.number("blocking", 16))
        // Rows do not fit: reads come from the page cache or the devices.
        .conf("hfile.block.cache.size", "0.02")
        // An hour in a minute: what compactions consumed goes soon.
        .conf("hbase.master.hfilecleaner.ttl", 5_000)
        .conf("hbase.master.cleaner.interval", 5_000)
        .conf("hbase.hfile.compaction.discharger.interval", 2_000);
  }
}
