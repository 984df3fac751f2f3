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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.yetus.audience.InterfaceAudience;

/** Makes faults on a bed and ends them; does what an admin does. For one thread. */
@InterfaceAudience.Private
final class FaultMaker implements AutoCloseable {
  private static final int MOST_REGIONS = 16;
  private static final int LEAST_REGIONS = 3;
  private static final long LEFT_BYTES = 4L << 20;
  private static final int CHUNK = 1 << 20;

  private final Bed bed;
  private final TableName table;
  private final int ssdMegabytes;
  private final Connection connection;
  private int snapshots;

  FaultMaker(Bed bed, TableName table, int ssdMegabytes) throws IOException {
    this.bed = bed;
    this.table = table;
    this.ssdMegabytes = ssdMegabytes;
    Configuration conf = bed.client();
    // What an admin asks for fails soon where nobody answers, and is no fault then.
    conf.setInt("hbase.client.retries.number", 4);
    conf.setInt("hbase.client.operation.timeout", 30_000);
    conf.setInt("hbase.rpc.timeout", 15_000);
    conf.setInt("hbase.client.sync.wait.timeout.msec", 60_000);
    connection = ConnectionFactory.createConnection(conf);
  }

  /** Makes it, lets it last, ends it. Returns what there is to say, "" where it went as meant. */
  String make(Fault fault) throws IOException, InterruptedException {
    if (fault.kind.isAdmins()) {
      try {
        return administer(fault);
      } catch (IOException | RuntimeException e) {
        return "not done: " + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      }
    }
    if (fault.kind == Fault.Kind.LOSE_SSD) {
      try {
        // Three replicas are meant to survive one loss, not two at once.
        rollWals();
        bed.awaitReplicas();
      } catch (IOException | AssertionError e) {
        return "not done: blocks lack replicas";
      }
    }
    boolean done = begin(fault);
    TimeUnit.MILLISECONDS.sleep(fault.holdMillis);
    end(fault);
    if (!done) {
      return "not done: nothing could be filled";
    }
    return fault.kind.role == null ? "" : met(fault).get(0).name();
  }

  private List<ServerProcess> met(Fault fault) throws IOException {
    List<ServerProcess> nodes = bed.processes(Role.DATANODE);
    switch (fault.kind) {
      case REFUSE_SSD:
        return List.of();
      case FILL_ALL_SSDS:
        return nodes;
      case CUT_OFF_DATANODE:
        return nodes.subList(nodes.size() - 1, nodes.size());
      case RESTART_HBASE:
        List<ServerProcess> all = new ArrayList<>(bed.processes(Role.MASTER));
        all.addAll(bed.processes(Role.REGIONSERVER));
        return all;
      case RESTART_ALL:
        return bed.processes();
      default:
        List<ServerProcess> some = bed.processes(fault.kind.role);
        return List.of(some.get(fault.which(some.size())));
    }
  }

  /** Whether it changed anything. */
  boolean begin(Fault fault) throws IOException, InterruptedException {
    Fault.Kind kind = fault.kind;
    if (kind == Fault.Kind.REFUSE_SSD) {
      quota(1);
    }
    boolean done = !kind.fills();
    for (ServerProcess process : met(fault)) {
      if (kind.stops()) {
        process.stop();
      } else if (kind.fills()) {
        done |= Files.isDirectory(ssd(process)) && fill(filler(process)) > 0;
      } else if (kind == Fault.Kind.READ_ONLY_SSD) {
        Volumes.writable(ssd(process), false);
      } else if (kind == Fault.Kind.LOSE_SSD) {
        Volumes.unmount(ssd(process));
      } else if (kind == Fault.Kind.CUT_OFF_DATANODE) {
        PrivateNetwork.of(bed.directory()).cut(true);
      } else {
        process.kill();
      }
    }
    return done;
  }

  void end(Fault fault) throws IOException, InterruptedException {
    Fault.Kind kind = fault.kind;
    if (kind == Fault.Kind.REFUSE_SSD) {
      quota(HdfsConstants.QUOTA_RESET);
    }
    for (ServerProcess process : met(fault)) {
      if (kind.stops()) {
        process.resume();
      } else if (kind.fills()) {
        Files.deleteIfExists(filler(process));
      } else if (kind == Fault.Kind.CUT_OFF_DATANODE) {
        PrivateNetwork.of(bed.directory()).cut(false);
      } else {
        // HDFS takes a volume back when the DataNode starts.
        process.kill();
        if (kind == Fault.Kind.READ_ONLY_SSD) {
          Volumes.writable(ssd(process), true);
        } else if (kind == Fault.Kind.LOSE_SSD) {
          Volumes.mount(ssd(process), ssdMegabytes);
        }
        process.start();
      }
    }
  }

  /** Of SSD, for the WALs: with one byte the NameNode refuses each new block. */
  private void quota(long bytes) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(connection.getConfiguration())) {
      ((DistributedFileSystem) fs)
          .setQuotaByStorageType(
              new org.apache.hadoop.fs.Path(BedWals.DIRECTORY), StorageType.SSD, bytes);
    }
  }

  private void rollWals() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        admin.rollWALWriter(server);
      }
    }
  }

  private static Path ssd(ServerProcess dataNode) {
    return BedSite.volume(dataNode.directory(), "SSD");
  }

  /** What fills the SSD of a DataNode whose SSD is a file system of its own. */
  static Path filler(ServerProcess dataNode) {
    return ssd(dataNode).resolve("filler");
  }

  /** Leaves some megabytes. Returns how many bytes it took. */
  static long fill(Path file) {
    byte[] chunk = new byte[CHUNK];
    long bytes = 0;
    try (var out = Files.newOutputStream(file)) {
      while (Files.getFileStore(file).getUsableSpace() > LEFT_BYTES) {
        out.write(chunk);
        bytes += CHUNK;
      }
    } catch (IOException e) {
      return bytes; // full, which is what was wanted
    }
    return bytes;
  }

  private String administer(Fault fault) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      List<RegionInfo> regions = new ArrayList<>(admin.getRegions(table));
      regions.removeIf(RegionInfo::isSplitParent);
      regions.sort(RegionInfo.COMPARATOR);
      int many = regions.size();
      if (fault.kind == Fault.Kind.SPLIT && many >= MOST_REGIONS
          || fault.kind == Fault.Kind.MERGE && many < LEAST_REGIONS) {
        return "not done: " + many + " regions";
      }
      int at = many == 0 ? 0 : fault.which(many);
      switch (fault.kind) {
        case ROLL:
          rollWals();
          break;
        case FLUSH:
          admin.flush(table);
          break;
        case COMPACT:
          admin.majorCompact(table);
          break;
        case SPLIT:
          // HBase finds no place to split in a region of few rows.
          admin.splitRegionAsync(regions.get(at).getRegionName(), middle(regions.get(at)));
          break;
        case MERGE:
          RegionInfo first = regions.get(Math.min(at, many - 2));
          RegionInfo second = regions.get(regions.indexOf(first) + 1);
          admin.mergeRegionsAsync(
              first.getEncodedNameAsBytes(), second.getEncodedNameAsBytes(), false);
          break;
        case SNAPSHOT:
          // Not waited for, so that the next fault meets it.
          admin.snapshotAsync(new SnapshotDescription("snapshot" + snapshots++, table));
          break;
        default:
          admin.balance();
      }
      return "";
    }
  }

  /** A key about half-way of a region's, of a table whose keys begin with any byte. */
  static byte[] middle(RegionInfo region) {
    byte[] start = region.getStartKey().length == 0 ? new byte[] {0} : region.getStartKey();
    byte[] end = region.getEndKey().length == 0 ? new byte[] {-1} : region.getEndKey();
    return Bytes.split(start, end, 1)[1];
  }

  /** How many regions the table has. */
  int regions() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getRegions(table).size();
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
