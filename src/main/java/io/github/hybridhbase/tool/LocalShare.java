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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.hdfs.FileBlocks;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How much of a component a server reads from an SSD of its own host: of {@code WALs} the server
 * that the directory is named after, of the catalogs the one that serves the region.
 */
@InterfaceAudience.Private
final class LocalShare {
  private final Function<String, Optional<String>> hostOfRegion;
  private long files;
  private long bytes;
  private long localBytes;
  private long localSsdBytes;

  /**
   * Starts.
   *
   * @param hostOfRegion host name by encoded region name; empty where not known
   */
  LocalShare(Function<String, Optional<String>> hostOfRegion) {
    this.hostOfRegion = hostOfRegion;
  }

  /** Counts a file where the host that uses it is known. */
  void add(Component component, FileBlocks file) {
    Optional<String> host =
        component == Component.WAL ? serverOf(file.path()) : regionOf(file.path());
    if (host.isEmpty()) {
      return;
    }
    files++;
    for (FileBlocks.Block block : file.blocks()) {
      bytes += block.length();
      Optional<StorageType> local = block.on(host.get());
      localBytes += local.isPresent() ? block.length() : 0;
      localSsdBytes += local.equals(Optional.of(StorageType.SSD)) ? block.length() : 0;
    }
  }

  /** Of {@code WALs/<host>,<port>,<start>/<file>}. */
  private static Optional<String> serverOf(Path wal) {
    String server = wal.getParent().getName();
    int comma = server.indexOf(',');
    return comma > 0 ? Optional.of(server.substring(0, comma)) : Optional.empty();
  }

  /** Of {@code <region>/<family>/<file>}. */
  private Optional<String> regionOf(Path file) {
    Path region = file.getParent() == null ? null : file.getParent().getParent();
    return region == null ? Optional.empty() : hostOfRegion.apply(region.getName());
  }

  long files() {
    return files;
  }

  long bytes() {
    return bytes;
  }

  long localSsdBytes() {
    return localSsdBytes;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("files", files);
    json.put("bytes", bytes);
    json.put("localBytes", localBytes);
    json.put("localSsdBytes", localSsdBytes);
    return json;
  }
}
