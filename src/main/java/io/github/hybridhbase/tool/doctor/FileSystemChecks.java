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
package io.github.hybridhbase.tool.doctor;

import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys.WalHsync;
import io.github.hybridhbase.runtime.Mode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A check whether the file system of this host's SSD volumes turns an hsync into more requests than
 * necessary.
 */
@InterfaceAudience.Private
final class FileSystemChecks {
  static final String VOLUMES = "dfs.datanode.data.dir";

  /** See docs/failures.md#durability. */
  private static final String COSTLY = "ext4";

  private static final Pattern SSD = Pattern.compile("\\s*\\[SSD\\](.+)", Pattern.CASE_INSENSITIVE);

  private FileSystemChecks() {}

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    boolean durable =
        facts.settings.hsync() == WalHsync.AUTO
            || facts.conf.getBoolean(HRegion.WAL_HSYNC_CONF_KEY, false);
    if (facts.settings.mode() == Mode.OFF
        || !durable
        || !facts.settings.policy(Component.WAL).wantsSsd()) {
      return;
    }
    Map<String, String> all =
        diagnosis
            .seen("the file systems of this host's SSD volumes", facts.ssdFileSystems)
            .orElse(Map.of());
    List<String> costly =
        all.keySet().stream()
            .filter(volume -> all.get(volume).toLowerCase(Locale.ROOT).equals(COSTLY))
            .collect(Collectors.toList());
    if (!costly.isEmpty()) {
      diagnosis.add(FindingId.SSD_FILE_SYSTEM, String.join(", ", costly), COSTLY);
    }
  }

  /**
   * By directory; empty if no DataNode runs here.
   *
   * @param volumes {@value #VOLUMES}
   * @throws IOException if Linux does not report it
   */
  static Map<String, String> find(String volumes, BlockDevices devices) throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (Path directory : onSsd(volumes)) {
      if (!Files.notExists(directory)) { // also true if access is denied, which is then reported
        found.put(directory.toString(), devices.fileSystem(directory.toRealPath()));
      }
    }
    return found;
  }

  static List<Path> onSsd(String volumes) {
    List<Path> directories = new ArrayList<>();
    for (String volume : volumes.split(",", -1)) {
      Matcher tagged = SSD.matcher(volume);
      if (tagged.matches()) {
        String text = tagged.group(1).trim();
        try {
          URI address = URI.create(text);
          String path = address.getScheme() == null ? text : address.getPath();
          if (path != null) {
            directories.add(Path.of(path));
          }
        } catch (IllegalArgumentException e) {
          continue;
        }
      }
    }
    return directories;
  }

  /** Whether ZooKeeper's directories are on a rotating disk. */
  static void zooKeeper(ClusterFacts facts, Diagnosis diagnosis) {
    List<ClusterFacts.ZooKeeperDirectory> directories =
        diagnosis.seen("ZooKeeper's directories", facts.zooKeeper).orElse(List.of());
    for (ClusterFacts.ZooKeeperDirectory directory : directories) {
      diagnosis
          .seen("ZooKeeper's " + directory.path + " on " + directory.server, directory.rotational)
          .filter(rotational -> rotational)
          .ifPresent(
              yes ->
                  diagnosis.add(
                      FindingId.ZOOKEEPER_ON_DISK, directory.server + ":" + directory.path));
    }
  }
}
