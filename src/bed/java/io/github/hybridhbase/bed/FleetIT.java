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
package io.github.hybridhbase.bed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clusters of separate processes that are not of one piece: of two lines of HBase, of NameNodes and
 * name services beyond one, and of HDFS under another name.
 */
@InterfaceAudience.Private
@Tag("long")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FleetIT {
  private static final int ROWS = 200;

  private static BedSpec spec(Line line) throws Exception {
    return BedSpec.of(line)
        .regionServers(2)
        .plugin(Installation.plugin(), Installation.site())
        .set("hbase.hybrid.wal.hsync", "auto")
        .set("hbase.hybrid.ssd.retry", "5s");
  }

  /** What starts a bed. */
  private interface Start {
    void start(OwnedBed bed) throws Exception;
  }

  /** What is done with a bed, its table with rows, and its health. */
  private interface Steps {
    void take(Bed bed, Load load, Health health) throws Exception;
  }

  private static void on(BedSpec spec, Start start, Steps steps) throws Exception {
    try (OwnedBed bed = OwnedBed.make(spec)) {
      start.start(bed);
      try (Load load = new Load(bed)) {
        load.createTable();
        load.put(ROWS);
        steps.take(bed, load, new Health(bed));
      }
    }
  }

  private static void again(Bed bed, String name) throws Exception {
    bed.process(name).end();
    bed.startServer(bed.process(name));
  }

  private static void killed(Bed bed, String name) throws Exception {
    bed.process(name).kill();
    bed.startServer(bed.process(name));
  }

  /** Its own rolling upgrade, masters first, with the plugin on. */
  @Test
  void hbaseItselfIsUpgradedServerByServer() throws Exception {
    Line to = Line.of("2.6.4");
    on(
        spec(Line.of("2.5.13")).masters(2),
        Bed::start,
        (bed, load, health) -> {
          health.good(load, "2.5.13");
          for (String name : List.of("m1", "m0", "rs0", "rs1")) {
            bed.process(name).command(to.serverJars(), List.of(Installation.plugin()));
            if (name.equals("rs0")) {
              killed(bed, name); // with edits in its WAL that the new line writes no more
            } else {
              again(bed, name);
            }
            load.put(ROWS);
            health.unharmed(load, name + " is 2.6.4");
          }
          load.flush();
          load.roll();
          health.good(load, "2.6.4");
          killed(bed, "rs1");
          health.good(load, "2.6.4, a server killed");
        });
  }

  @Test
  void anObserverNameNode() throws Exception {
    BedSpec spec =
        spec(Lines.one())
            .twoNameNodes()
            .set("dfs.datanode.synconclose", "true") // or check finds an error
            .set("dfs.ha.tail-edits.in-progress", "true")
            .set("dfs.ha.tail-edits.period", "100ms")
            .set("dfs.namenode.state.context.enabled", "true")
            .set(
                "dfs.client.failover.proxy.provider.bed",
                "org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider")
            .set("dfs.client.failover.observer.auto-msync-period.bed", "100ms");
    on(
        spec,
        bed -> {
          bed.startHdfs();
          bed.tool("org.apache.hadoop.hdfs.tools.DFSHAAdmin", "-transitionToObserver", "nn1")
              .fine();
          bed.startHBase();
        },
        (bed, load, health) -> {
          health.good(load, "an observer NameNode");
          load.flush();
          killed(bed, "rs0");
          health.good(load, "a server killed beside an observer NameNode");
          Tool audit =
              new Installation(bed, Map.of("hbase.hybrid.wal.hsync", "auto"))
                  .hybrid("check", "--blocks");
          System.out.println(audit.said());
          assertEquals(0, audit.exit(), audit.said());
        });
  }

  /**
   * The name of a file system that mounts the HDFS; HBase's roots name it or the HDFS behind it.
   */
  @Test
  void viewFs() throws Exception {
    on(
        spec(Lines.one()),
        bed -> {
          String hdfs = bed.keys().get("fs.defaultFS");
          bed.startHdfs();
          bed.tool("org.apache.hadoop.fs.FsShell", "-mkdir", "-p", "/hbase", "/tmp").fine();
          setInServers(
              bed,
              Map.of(
                  "fs.viewfs.mounttable.c.link./hbase",
                  hdfs + "/hbase",
                  "fs.viewfs.mounttable.c.link./tmp",
                  hdfs + "/tmp",
                  "fs.defaultFS",
                  "viewfs://c/",
                  "hbase.rootdir",
                  "viewfs://c/hbase"));
          bed.startHBase();
        },
        (bed, load, health) -> {
          load.flush();
          health.unharmed(load, "viewfs in hbase.rootdir");
          health.walsOn("DISK", "viewfs in hbase.rootdir");
          String hdfsRoot = bed.keys().get("hbase.rootdir");
          for (ServerProcess server : setInServers(bed, Map.of("hbase.rootdir", hdfsRoot))) {
            server.end();
          }
          bed.startHBase();
          load.put(ROWS);
          load.roll();
          health.good(load, "the HDFS behind it in hbase.rootdir");
        });
  }

  private static List<ServerProcess> setInServers(Bed bed, Map<String, String> keys)
      throws IOException {
    List<ServerProcess> all = new ArrayList<>(bed.processes(Role.MASTER));
    all.addAll(bed.processes(Role.REGIONSERVER));
    for (ServerProcess server : all) {
      server.set(keys);
    }
    return all;
  }
}
