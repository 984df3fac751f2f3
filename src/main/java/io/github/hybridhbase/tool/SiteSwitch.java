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

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.Mode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The change of a site file that enables or disables the plugin. Pure.
 *
 * <p>Lists of coprocessors are edited in place. Other values in the way are commented out, and the
 * plugin's are added in a block at the end, so that disabling restores every byte.
 */
@InterfaceAudience.Private
final class SiteSwitch {
  private static final String PROVIDER = "hbase.wal.provider";
  private static final String OUR_PROVIDER = "io.github.hybridhbase.wal.HybridWALProvider";
  private static final String GROUPS = "hbase.wal.regiongrouping.delegate.provider";
  private static final String ENGINE = "hbase.hstore.engine.class";
  private static final String OUR_ENGINE = "io.github.hybridhbase.tier.HybridStoreEngine";
  private static final String PACKAGE = "io.github.hybridhbase.";
  private static final String DELEGATE = HybridKeys.WAL_DELEGATE.name();
  private static final String MODE = HybridKeys.MODE.name();
  private static final List<String> DELEGATES = List.of("asyncfs", "filesystem", "multiwal");

  /** HBase accepts a class for a name. */
  private static final Map<String, String> PROVIDERS =
      Map.of(
          "org.apache.hadoop.hbase.wal.AsyncFSWALProvider", "asyncfs",
          "org.apache.hadoop.hbase.wal.FSHLogProvider", "filesystem",
          "org.apache.hadoop.hbase.wal.RegionGroupingProvider", "multiwal");

  private static final Map<String, String> OBSERVERS =
      Map.of(
          "hbase.coprocessor.master.classes",
          "io.github.hybridhbase.coprocessor.HybridMasterObserver",
          "hbase.coprocessor.region.classes",
          "io.github.hybridhbase.coprocessor.HybridRegionObserver");

  /** HBase sets these policies on directories below the plugin's, where they override them. */
  private static final List<String> OVERRIDING =
      List.of(
          HConstants.WAL_STORAGE_POLICY,
          "hbase.hstore.block.storage.policy",
          "hbase.hregion.block.storage.policy");

  private final SiteFile before;
  private final Map<String, String> wanted;
  private final Map<String, String> added = new LinkedHashMap<>();
  private final List<String> remarks = new ArrayList<>();
  private SiteText text;

  private SiteSwitch(SiteFile before) {
    this.before = before;
    this.wanted = new TreeMap<>(before.values());
    this.text = before.text();
  }

  @InterfaceAudience.Private
  static final class Change {
    private final SiteFile after;
    private final List<String> remarks;
    private final Mode mode;

    private Change(SiteFile after, List<String> remarks, Mode mode) {
      this.after = after;
      this.remarks = remarks;
      this.mode = mode;
    }

    SiteFile after() {
      return after;
    }

    List<String> remarks() {
      return remarks;
    }

    Mode mode() {
      return mode;
    }
  }

  /**
   * @throws IOException if the file cannot be changed so, with key, value and remedy
   */
  static Change enable(SiteFile before) throws IOException {
    return new SiteSwitch(before).enabled();
  }

  /**
   * @throws IOException if the file cannot be changed so, with key, value and remedy
   */
  static Change disable(SiteFile before) throws IOException {
    return new SiteSwitch(before).disabled();
  }

  private Change enabled() throws IOException {
    Optional<Mode> mode = mode();
    provider();
    for (Map.Entry<String, String> list : new TreeMap<>(OBSERVERS).entrySet()) {
      append(list.getKey(), list.getValue());
    }
    if (before.get(MODE) == null || mode.filter(Mode.OFF::equals).isPresent()) {
      replace(MODE, HybridKeys.MODE.defaultValue());
    }
    for (String key : OVERRIDING) {
      if (before.get(key) != null) {
        takeOut(key);
        remarks.add(
            key + "=" + before.get(key) + " is commented out: it overrides the plugin's policies.");
      }
    }
    String engine = before.get(ENGINE);
    if (OUR_ENGINE.equals(engine)) {
      remarks.add("Remove " + ENGINE + ": with it clients need the plugin's jar.");
    } else if (engine != null) {
      remarks.add(ENGINE + "=" + engine + " stays, so there is no SSD tier.");
    }
    text = text.add(added);
    SiteFile after = before.with(text);
    check(after, Set.of());
    return new Change(after, remarks, mode.orElse(Mode.PREFER));
  }

  /** Empty if unset, or a variable that another file sets. */
  private Optional<Mode> mode() throws IOException {
    Configuration conf = new Configuration(false);
    before.values().forEach(conf::set);
    Optional<String> wrong = HybridKeys.MODE.problem(conf);
    if (wrong.filter(text -> !text.contains("${")).isPresent()) {
      throw new IOException(wrong.get() + " The file stays unchanged; run again then.");
    }
    return HybridKeys.MODE.find(conf);
  }

  private void provider() throws IOException {
    String provider = before.get(PROVIDER);
    String set = provider == null ? "" : provider.trim();
    String name = PROVIDERS.getOrDefault(set, set.toLowerCase(Locale.ROOT));
    if (ours(provider) || name.equals("multiwal") && ours(before.get(GROUPS))) {
      return;
    }
    if (DELEGATES.contains(name)) {
      replace(DELEGATE, name);
    } else if (!name.isEmpty() && !name.equals("defaultprovider")) {
      throw new IOException(
          PROVIDER
              + "="
              + provider
              + " cannot write the plugin's WALs; asyncfs, filesystem and multiwal can. Remove it"
              + " to give that provider up, then run again.");
    }
    replace(PROVIDER, OUR_PROVIDER);
  }

  private static boolean ours(String value) {
    return value != null && value.contains(PACKAGE);
  }

  private void append(String list, String observer) throws IOException {
    String now = before.get(list);
    List<String> classes = classes(now);
    if (classes.stream().anyMatch(one -> named(one, observer))) {
      return;
    }
    if (classes.isEmpty()) {
      replace(list, observer);
      return;
    }
    wanted.put(list, String.join(",", classes) + "," + observer);
    if (!text.isEditable(list)) {
      throw setElsewhere(list, now);
    }
    remarkIfMany(list, now);
    text = text.append(list, observer);
  }

  private void remarkIfMany(String key, String now) {
    int times = text.all(key).size();
    if (times > 1) {
      remarks.add(key + " is defined " + times + " times. The one in force is " + now + ".");
    }
  }

  private static List<String> classes(String list) {
    return list == null
        ? List.of()
        : Arrays.stream(list.split(","))
            .map(String::trim)
            .filter(one -> !one.isEmpty())
            .collect(Collectors.toList());
  }

  /** HBase accepts {@code CLASS|PRIORITY|PATH}. */
  private static boolean named(String entry, String observer) {
    return entry.equals(observer) || entry.startsWith(observer + "|");
  }

  private void replace(String key, String value) throws IOException {
    takeOut(key);
    added.put(key, value);
    wanted.put(key, value);
  }

  private void takeOut(String key) throws IOException {
    text = text.removeFromBlock(List.of(key));
    if (text.cannotTakeOut(key)) {
      throw new IOException(
          key
              + "="
              + before.get(key)
              + " cannot be commented out, since there is a comment or -- in its property. Take"
              + " that out of the property, then run again.");
    }
    text = text.takeOut(key);
    wanted.remove(key);
  }

  private Change disabled() throws IOException {
    Set<String> restored = new TreeSet<>(text.takenOut());
    String delegate = before.get(DELEGATE);
    for (String key : List.of(PROVIDER, DELEGATE, MODE)) {
      if (text.isInBlock(key) && !isEdited(key)) {
        text = text.removeFromBlock(List.of(key));
        wanted.remove(key);
        restored.add(key); // an included file's value shows again
      }
    }
    OBSERVERS.forEach(this::drop);
    text = text.withoutEmptyBlock().restore();
    // Properties that a person merged.
    for (String key : List.of(PROVIDER, GROUPS)) {
      if (ours(wanted.get(key)) && (delegate == null || restored.contains(key))) {
        removeOurs(key, restored);
      } else if (ours(wanted.get(key))) {
        handOver(key, delegate);
      }
    }
    if (OUR_ENGINE.equals(before.get(ENGINE))) {
      removeOurs(ENGINE, restored);
    }
    SiteFile after = before.with(text);
    check(after, restored);
    for (Map.Entry<String, String> one : after.values().entrySet()) {
      if (ours(one.getValue())) {
        wanted.remove(one.getKey());
        throw setElsewhere(one.getKey(), one.getValue());
      }
    }
    restored.forEach(key -> remarkIfMany(key, after.get(key)));
    remark(after, delegate);
    return new Change(after, remarks, Mode.OFF);
  }

  /** Whether the block has a value that enable does not write. */
  private boolean isEdited(String key) {
    String value = text.valueInBlock(key);
    return key.equals(PROVIDER) && !ours(value)
        || key.equals(MODE) && !HybridKeys.MODE.defaultValue().equals(value);
  }

  /** What another definition sets shows again. */
  private void removeOurs(String key, Set<String> restored) {
    text = text.remove(key, PACKAGE);
    wanted.remove(key);
    restored.add(key);
  }

  /** Gives a provider's key to the delegate. */
  private void handOver(String key, String delegate) throws IOException {
    wanted.put(key, delegate.trim());
    wanted.remove(DELEGATE);
    if (!text.isEditable(key)) {
      throw setElsewhere(key, before.get(key));
    }
    text = text.set(key, delegate.trim()).remove(DELEGATE, "");
  }

  private void drop(String list, String observer) {
    List<String> classes = classes(before.get(list));
    List<String> others =
        classes.stream().filter(one -> !named(one, observer)).collect(Collectors.toList());
    for (int i = others.size(); i < classes.size(); i++) {
      text = text.drop(list, observer);
      wanted.put(list, String.join(",", others));
    }
    if (others.isEmpty()) {
      wanted.remove(list);
    }
  }

  private void remark(SiteFile after, String delegate) {
    boolean inForce =
        Stream.of(PROVIDER, GROUPS)
            .map(key -> String.valueOf(after.get(key)).trim())
            .map(value -> PROVIDERS.getOrDefault(value, value))
            .anyMatch(value -> value.equalsIgnoreCase(String.valueOf(delegate)));
    if (delegate != null && after.get(DELEGATE) == null && !inForce) {
      remarks.add(
          DELEGATE + " was " + delegate + ": set " + PROVIDER + "=" + delegate + " to keep it.");
    }
    List<String> left =
        after.values().keySet().stream()
            .filter(key -> key.startsWith("hbase.hybrid."))
            .sorted()
            .collect(Collectors.toList());
    if (!left.isEmpty()) {
      remarks.add("Without effect from now on: " + String.join(", ", left) + ".");
    }
  }

  /**
   * @param open keys that may have any value but the plugin's
   */
  private void check(SiteFile after, Set<String> open) throws IOException {
    Set<String> keys = new TreeSet<>(wanted.keySet());
    keys.addAll(after.values().keySet());
    for (String key : keys) {
      String value = after.get(key);
      boolean right =
          OBSERVERS.containsKey(key)
              ? classes(value).equals(classes(wanted.get(key)))
              : value == null ? wanted.get(key) == null : value.equals(wanted.get(key));
      if (!right && !(open.contains(key) && !ours(value))) {
        throw setElsewhere(key, value);
      }
    }
  }

  /** A value of an included file, of an entity, or of an attribute: in no element of the text. */
  private IOException setElsewhere(String key, String value) {
    String want = wanted.get(key);
    return new IOException(
        key
            + "="
            + value
            + " comes from an included file, an entity or an attribute, or is final, so it cannot"
            + " be edited here. "
            + (want == null ? "Remove it" : "Set it to " + want)
            + " there, then run again.");
  }
}
