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

import io.github.hybridhbase.testing.FileIoHook;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Takes a picture of a block file and its checksums whenever a DataNode fsyncs it, and can put all
 * of them back to it: what a power cut leaves. A replica whose directories were not fsynced after
 * it was finalized goes back to {@code rbw}.
 */
@InterfaceAudience.Private
final class FsyncCamera extends FaultInjectorFileIoEvents {
  private static final Pattern BLOCK =
      Pattern.compile("(?:Receiving block|PacketResponder:) .*:(blk_\\d+)_");

  /** Per volume and block: the durable length, and the checksum file as it was then. */
  private final Map<String, Long> lengths = new ConcurrentHashMap<>();

  private final Map<String, byte[]> checksums = new ConcurrentHashMap<>();

  /** Blocks whose rename from rbw to finalized is durable. */
  private final Set<String> finalized = ConcurrentHashMap.newKeySet();

  private volatile boolean frozen;

  FsyncCamera() {
    super(null);
  }

  /** What is fsynced from now on comes too late: the power is off. */
  void freeze() {
    frozen = true;
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, OPERATION op, long length) {
    // Receiver and responder are named after their block, which the hook is not told otherwise.
    Matcher matcher = BLOCK.matcher(Thread.currentThread().getName());
    if (frozen || op != OPERATION.SYNC || volume == null || !matcher.find()) {
      return;
    }
    Path base = Path.of(volume.getBaseURI());
    for (Path file : blockFiles(base, matcher.group(1))) {
      if (isFinalized(file)) {
        // Once it is there nothing but directories is fsynced.
        finalized.add(key(base, matcher.group(1)));
      }
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
    for (Path found : blockFiles(volume, "blk_")) {
      Path file = found;
      String name = found.getFileName().toString();
      boolean meta = name.endsWith(".meta");
      String key = key(volume, meta ? name.substring(0, name.lastIndexOf('_')) : name);
      if (isFinalized(file) && !finalized.contains(key)) {
        file = Files.move(file, rbw(file).resolve(name));
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
    try (Stream<Path> files = Files.walk(base)) {
      return files
          .filter(f -> f.getFileName().toString().matches(prefix + "(_\\d+\\.meta)?(\\d.*)?"))
          .filter(Files::isRegularFile)
          .collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** From now on every fsync of the DataNode is seen. */
  void watch(DataNode dataNode) {
    FileIoHook.put(dataNode, this);
  }
}
