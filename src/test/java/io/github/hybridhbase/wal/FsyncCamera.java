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

import io.github.hybridhbase.testing.DataNodeRestart;
import io.github.hybridhbase.testing.FileIoHook;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Takes a picture of a block file and its checksums whenever a DataNode fsyncs them or their
 * directory, and can put all of them back to it: what a power cut leaves. A rename whose directory
 * was not fsynced is undone: of a replica that was finalized, and of checksums whose name has got
 * another generation stamp, as a recovery of the block gives them one.
 */
@InterfaceAudience.Private
final class FsyncCamera extends FaultInjectorFileIoEvents {
  private static final Pattern BLOCK =
      Pattern.compile("(?:Receiving block|PacketResponder:) .*:(blk_\\d+)_");

  /** Per volume and block: the durable length, and the checksum file as it was then. */
  private final Map<String, Long> lengths = new ConcurrentHashMap<>();

  private final Map<String, byte[]> checksums = new ConcurrentHashMap<>();

  /** Where each file was by its last fsync or its directory's. */
  private final Map<String, Path> blocks = new ConcurrentHashMap<>();

  private final Map<String, Path> checksumFiles = new ConcurrentHashMap<>();

  private final List<Path> volumes = new ArrayList<>();

  /** The power is off. */
  private volatile boolean frozen;

  FsyncCamera() {
    super(null);
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi volume, OPERATION op) {
    blockAtHand();
  }

  /**
   * The block whose receiver or responder calls, which are named after it; the hook is not told.
   *
   * @throws UncheckedIOException where the power is off: a block that went on after the cut would
   *     be known to the NameNode as ended, and its recovery would wait for ever
   */
  private Optional<String> blockAtHand() {
    Matcher matcher = BLOCK.matcher(Thread.currentThread().getName());
    if (!matcher.find()) {
      return Optional.empty();
    }
    if (frozen) {
      throw new UncheckedIOException(new IOException("The power is off"));
    }
    return Optional.of(matcher.group(1));
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, OPERATION op, long length) {
    Optional<String> block = blockAtHand();
    if (op == OPERATION.SYNC && volume != null && block.isPresent()) {
      photograph(Path.of(volume.getBaseURI()), block.get());
    }
  }

  private void photograph(Path base, String block) {
    for (Path file : blockFiles(base, block)) {
      boolean meta = file.toString().endsWith(".meta");
      (meta ? checksumFiles : blocks).put(key(base, block), file);
      try {
        if (meta) {
          checksums.put(key(base, block), Files.readAllBytes(file));
        } else {
          lengths.put(key(base, block), Files.size(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** What kernels do within seconds: all that is there now is on the volumes. */
  void writeBack() {
    for (Path volume : volumes) {
      for (Path file : blockFiles(volume, "blk_")) {
        String name = file.getFileName().toString();
        photograph(
            volume, name.endsWith(".meta") ? name.substring(0, name.lastIndexOf('_')) : name);
      }
    }
  }

  private static String key(Path volume, String block) {
    return volume + " " + block;
  }

  /**
   * Undoes whatever was never fsynced, and the list of replicas that a DataNode leaves when it is
   * stopped: one that lost its power has left none.
   */
  private void cut(Path volume) throws IOException {
    for (Path list : files(volume, file -> file.getFileName().toString().equals("replicas"))) {
      Files.delete(list);
    }
    for (Path found : blockFiles(volume, "blk_")) {
      String name = found.getFileName().toString();
      boolean meta = name.endsWith(".meta");
      String key = key(volume, meta ? name.substring(0, name.lastIndexOf('_')) : name);
      Path file = (meta ? checksumFiles : blocks).get(key);
      if (file == null) {
        file = isFinalized(found) ? rbw(found).resolve(name) : found;
      }
      if (!file.equals(found)) {
        Files.move(found, file);
      }
      if (meta) {
        Files.write(file, checksums.getOrDefault(key, new byte[0]));
      } else {
        try (RandomAccessFile block = new RandomAccessFile(file.toFile(), "rw")) {
          block.setLength(Math.min(block.length(), lengths.getOrDefault(key, 0L)));
        }
      }
    }
  }

  private static boolean isFinalized(Path file) {
    return file.toString().contains("/finalized/");
  }

  private static Path rbw(Path file) {
    Path up = file.getParent();
    while (!up.getFileName().toString().equals("finalized")) {
      up = up.getParent();
    }
    return up.resolveSibling("rbw");
  }

  private static List<Path> blockFiles(Path base, String prefix) {
    String name = prefix + "(_\\d+\\.meta)?(\\d.*)?";
    return files(base, file -> file.getFileName().toString().matches(name));
  }

  private static List<Path> files(Path base, Predicate<Path> wanted) {
    try (Stream<Path> files = Files.walk(base)) {
      return files.filter(wanted).filter(Files::isRegularFile).collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** From now on every fsync of the DataNodes is seen. */
  void watch(MiniDFSCluster cluster) throws IOException {
    volumes.clear();
    for (DataNode node : cluster.getDataNodes()) {
      FileIoHook.put(node, this);
      try (var all = node.getFSDataset().getFsVolumeReferences()) {
        all.forEach(volume -> volumes.add(Path.of(volume.getBaseURI())));
      }
    }
  }

  /** Cuts the power of all DataNodes, from when on no block is written, fsynced or finalized. */
  void cut(MiniDFSCluster cluster, Callable<?> whileDark) throws Exception {
    frozen = true;
    List<DataNodeProperties> dark = new ArrayList<>();
    for (int i = cluster.getDataNodes().size(); i > 0; i--) {
      dark.add(cluster.stopDataNode(0));
    }
    whileDark.call();
    for (Path volume : volumes) {
      cut(volume);
    }
    frozen = false;
    for (DataNodeProperties dataNode : dark) {
      DataNodeRestart.restart(cluster, dataNode);
    }
    cluster.waitActive();
    watch(cluster);
  }
}
