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
package io.github.hybridhbase.wal;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.placement.HybridKeys;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * All DataNodes lose their power at once: of every block file is left what it was at its last
 * fsync. What {@code auto} has acknowledged must be there; and the same cut must be seen to lose
 * edits that were only hflushed, or this test would prove nothing.
 */
@InterfaceAudience.Private
@Timeout(300)
class PowerCutIT {
  private static final Pattern BLOCK = Pattern.compile("Receiving block .*:(blk_\\d+)_");
  private static final int CUTS = Integer.getInteger("wal.cuts", 3);

  @TempDir File volumes;

  /** Takes a picture of a block file and its checksums whenever a DataNode fsyncs it. */
  private static final class Camera extends FaultInjectorFileIoEvents {
    /** Per volume and block: the durable length, and the checksum file as it was then. */
    private final Map<String, Long> lengths = new ConcurrentHashMap<>();

    private final Map<String, byte[]> checksums = new ConcurrentHashMap<>();

    Camera() {
      super(null);
    }

    @Override
    public void beforeFileIo(FsVolumeSpi volume, OPERATION op, long length) {
      // The receiver thread is named after its block, which the hook is not told otherwise.
      Matcher matcher = BLOCK.matcher(Thread.currentThread().getName());
      if (op != OPERATION.SYNC || volume == null || !matcher.find()) {
        return;
      }
      Path base = Path.of(volume.getBaseURI());
      for (Path file : blockFiles(base, matcher.group(1))) {
        try {
          if (file.toString().endsWith(".meta")) {
            checksums.put(key(base, matcher.group(1)), Files.readAllBytes(file));
          } else {
            lengths.put(key(base, matcher.group(1)), Files.size(file));
          }
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    private static String key(Path volume, String block) {
      return volume + " " + block;
    }

    /** Undoes whatever was never fsynced. */
    void cut(Path volume) throws IOException {
      for (Path file : blockFiles(volume, "blk_")) {
        String name = file.getFileName().toString();
        boolean meta = name.endsWith(".meta");
        String key = key(volume, meta ? name.substring(0, name.lastIndexOf('_')) : name);
        if (meta) {
          Files.write(file, checksums.getOrDefault(key, new byte[0]));
        } else {
          try (RandomAccessFile block = new RandomAccessFile(file.toFile(), "rw")) {
            block.setLength(Math.min(block.length(), lengths.getOrDefault(key, 0L)));
          }
        }
      }
    }

    private static List<Path> blockFiles(Path base, String prefix) {
      try (Stream<Path> files = Files.walk(base)) {
        return files
            .filter(f -> f.getFileName().toString().matches(prefix + "(_\\d+\\.meta)?(\\d.*)?"))
            .filter(Files::isRegularFile)
            .collect(Collectors.toList());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void watch(DataNode dataNode, Camera camera) throws ReflectiveOperationException {
    Field hook = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
    hook.setAccessible(true);
    hook.set(dataNode.getFileIoProvider(), camera);
  }

  private void cutDuringLoad(String hsync, long seed) throws Exception {
    System.out.println(hsync + ", seed " + seed);
    Random random = new Random(seed);
    StorageType[] types = {StorageType.SSD};
    Configuration hdfs = new Configuration();
    hdfs.setLong("dfs.blocksize", 16L << 20);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(hdfs, new File(volumes, "" + seed))
            .numDataNodes(3)
            .storagesPerDatanode(1)
            .storageTypes(new StorageType[][] {types, types, types})
            .build();
    try {
      cluster.waitActive();
      Camera camera = new Camera();
      List<Path> disks = new ArrayList<>();
      for (DataNode dataNode : cluster.getDataNodes()) {
        watch(dataNode, camera);
        try (var all = dataNode.getFSDataset().getFsVolumeReferences()) {
          all.forEach(volume -> disks.add(Path.of(volume.getBaseURI())));
        }
      }
      Configuration conf = HBaseConfiguration.create(cluster.getFileSystem().getConf());
      CommonFSUtils.setRootDir(conf, new org.apache.hadoop.fs.Path("/hbase"));
      cluster.getFileSystem().mkdirs(new org.apache.hadoop.fs.Path("/hbase"));
      cluster.getFileSystem().setStoragePolicy(new org.apache.hadoop.fs.Path("/hbase"), "ALL_SSD");
      conf.set(AsyncFSWALProvider.WRITER_IMPL, HybridAsyncWriter.class.getName());
      conf.set(HybridKeys.WAL_HSYNC, hsync);
      conf.setLong("hbase.regionserver.wal.sync.timeout", 3_000);
      WalLoad load = new WalLoad(conf, 10);
      load.useDefaultDurability();
      long roll = 100 + random.nextInt(500);
      waitFor(load, roll);
      load.roll();
      waitFor(load, roll + random.nextInt(1_000));
      List<DataNodeProperties> dark = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        dark.add(cluster.stopDataNode(0));
      }
      load.abandon();
      for (Path disk : disks) {
        camera.cut(disk);
      }
      for (DataNodeProperties dataNode : dark) {
        assertTrue(cluster.restartDataNode(dataNode, true));
      }
      cluster.waitActive();
      load.check();
    } finally {
      forgetOpenLogs(cluster.getFileSystem().getClient());
      cluster.shutdown(true);
    }
  }

  /** Logs are open still, with syncs that nobody will answer: their streams refuse to close. */
  private static void forgetOpenLogs(DFSClient client) {
    for (int logs = 0; logs < 10; logs++) {
      try {
        client.closeAllFilesBeingWritten(true);
        return;
      } catch (IllegalStateException e) {
        System.out.println("Left open: " + e.getMessage());
      }
    }
  }

  private static void waitFor(WalLoad load, long edits) throws InterruptedException {
    while (load.acknowledged() < edits) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void whatAutoAcknowledgedOutlivesAPowerCut() throws Exception {
    long seed = Long.getLong("wal.seed", System.nanoTime());
    for (int i = 0; i < CUTS; i++) {
      cutDuringLoad("auto", seed + i);
    }
  }

  @Test
  void theSameCutLosesWhatWasOnlyFlushed() {
    assertThrows(AssertionError.class, () -> cutDuringLoad("stock", System.nanoTime()));
  }
}
