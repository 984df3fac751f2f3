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

import io.github.hybridhbase.placement.SiteKeys;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.Key;
import io.github.hybridhbase.runtime.Mode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** The lines that enable the plugin in the site file. Pure. */
@InterfaceAudience.Private
public final class SiteLines {
  private static final List<String> DELEGATES = List.of("asyncfs", "filesystem", "multiwal");

  /** HBase accepts a class for a name. */
  private static final Map<String, String> PROVIDERS =
      Map.of(
          "org.apache.hadoop.hbase.wal.AsyncFSWALProvider", "asyncfs",
          "org.apache.hadoop.hbase.wal.FSHLogProvider", "filesystem",
          "org.apache.hadoop.hbase.wal.RegionGroupingProvider", "multiwal");

  private final Configuration conf;
  private final Map<String, String> set = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();

  private SiteLines(Configuration conf) {
    this.conf = conf;
  }

  /** Properties to paste and remarks on what to remove. */
  public static List<String> missing(Configuration conf) {
    return new SiteLines(conf).missing();
  }

  /** Keys that the file lacks, or that are off. */
  static List<String> keys(Configuration conf) {
    SiteLines site = new SiteLines(conf);
    site.missing();
    return new ArrayList<>(site.set.keySet());
  }

  private List<String> missing() {
    if (!SiteKeys.enables(conf)) {
      provider(conf.getTrimmed(SiteKeys.WAL_PROVIDER, ""));
    }
    append(SiteKeys.MASTER_LIST, "HybridMasterObserver");
    append(SiteKeys.REGION_LIST, "HybridRegionObserver");
    boolean off = HybridKeys.MODE.find(conf).filter(Mode.OFF::equals).isPresent();
    if (off) {
      set.put(HybridKeys.MODE.name(), HybridKeys.MODE.defaultValue());
    }
    set.forEach(
        (key, value) ->
            lines.add("<property><name>" + key + "</name><value>" + value + "</value></property>"));
    SiteKeys.overriding(conf)
        .forEach(
            (key, value) ->
                lines.add("Remove " + key + "=" + value + ": it wins over the plugin's policies."));
    return lines;
  }

  private void provider(String given) {
    String name = PROVIDERS.getOrDefault(given, given.toLowerCase(Locale.ROOT));
    if (DELEGATES.contains(name)) {
      set.put(HybridKeys.WAL_DELEGATE.name(), name);
    } else if (!name.isEmpty() && !name.equals("defaultprovider")) {
      lines.add(
          SiteKeys.WAL_PROVIDER
              + "="
              + given
              + " cannot write the plugin's WALs, only asyncfs, filesystem and multiwal can:"
              + " these lines give it up.");
    }
    set.put(SiteKeys.WAL_PROVIDER, "io.github.hybridhbase.wal.HybridWALProvider");
  }

  private void append(String list, String observer) {
    String before = String.join(",", conf.getTrimmedStrings(list));
    if (!SiteKeys.namesPlugin(before)) {
      String ours = "io.github.hybridhbase.coprocessor." + observer;
      set.put(list, before.isEmpty() ? ours : before + "," + ours);
    }
  }

  /** Not at their defaults: {@code key=value (file)}. */
  public static List<String> changed(Configuration conf) {
    return HybridKeys.all().stream()
        .filter(key -> key.isChanged(conf))
        .map(key -> key.name() + "=" + key.inForce(conf) + origin(key, conf))
        .collect(Collectors.toList());
  }

  private static String origin(Key<?> key, Configuration conf) {
    return Optional.ofNullable(conf.getPropertySources(key.name()))
        .flatMap(files -> Arrays.stream(files).reduce((one, next) -> next))
        .map(file -> " (" + (file.startsWith("program") ? "-D" : file) + ")")
        .orElse("");
  }
}
