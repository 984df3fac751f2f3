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
package io.github.hybridhbase.tier;

import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Key;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A table's or family's own settings of the SSD tier, within the site file's limits, and their
 * problems. Immutable.
 *
 * <p>Whoever may alter a table writes these values, so nothing here throws, and an unknown policy
 * keeps the store off SSD: it may be a misspelt {@code NONE}.
 */
@InterfaceAudience.Private
public final class TableSettings {
  private static final Key<StoragePolicy> POLICY = HybridKeys.policy(Component.TIER);
  private static final Key<Duration> MAX_AGE = HybridKeys.TIER_MAX_AGE;
  private static final Key<Duration> WRITE_DELAY = HybridKeys.TIER_WRITE_DELAY;

  /** Tables may override these: the server limits their use of SSD. */
  private static final List<Key<?>> HOT = List.of(HybridKeys.HOT_POLICY, HybridKeys.HOT_SHARE);

  /** Longest part of a foreign text in a log. */
  private static final int SHOWN = 80;

  private final HybridSettings site;

  private final Map<String, String> values;

  private final List<String> problems = new ArrayList<>();
  private final StoragePolicy policy;
  private final int maxAgeSeconds;
  private final int writeDelayMillis;

  private TableSettings(
      HybridSettings site, Map<String, String> values, Map<String, String> own, boolean family) {
    this.site = site;
    this.values = values;
    StoragePolicy most = site.policy(Component.TIER);
    StoragePolicy wanted = text(POLICY).isEmpty() ? most : find(POLICY).orElse(StoragePolicy.NONE);
    this.policy = isMore(wanted, most) ? most : wanted;
    int age = (int) site.get(HybridKeys.TIER_MAX_AGE).toSeconds();
    this.maxAgeSeconds =
        Math.min(age, find(MAX_AGE).map(found -> (int) found.toSeconds()).orElse(age));
    int delay = (int) site.get(HybridKeys.TIER_WRITE_DELAY).toMillis();
    this.writeDelayMillis =
        Math.min(delay, find(WRITE_DELAY).map(found -> (int) found.toMillis()).orElse(delay));
    new TreeMap<>(own).forEach((name, value) -> problem(name, value, family));
  }

  public static TableSettings of(HybridSettings site, TableDescriptor table) {
    Map<String, String> values = text(table.getValues());
    return new TableSettings(site, values, values, false);
  }

  public TableSettings family(ColumnFamilyDescriptor family) {
    Map<String, String> own = new HashMap<>(family.getConfiguration());
    own.putAll(text(family.getValues())); // in HBase's order of stores: the last wins
    Map<String, String> both = new HashMap<>(values);
    both.putAll(own);
    return new TableSettings(site, both, own, true);
  }

  public static List<String> problems(HybridSettings site, TableDescriptor table) {
    TableSettings own = of(site, table);
    List<String> problems = new ArrayList<>(own.problems);
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      String of = shown(family.getNameAsString());
      own.family(family).problems.forEach(text -> problems.add("In family " + of + " " + text));
    }
    return problems;
  }

  private static Map<String, String> text(Map<Bytes, Bytes> bytes) {
    Map<String, String> values = new HashMap<>();
    bytes.forEach((name, value) -> values.put(text(name), text(value)));
    return values;
  }

  private static String text(Bytes bytes) {
    return Bytes.toString(bytes.get(), bytes.getOffset(), bytes.getLength());
  }

  private Optional<String> text(Key<?> key) {
    return Optional.ofNullable(values.get(key.name()))
        .map(String::trim)
        .filter(text -> !text.isEmpty());
  }

  private <T> Optional<T> find(Key<T> key) {
    return text(key).flatMap(key.values()::parse);
  }

  private static boolean isMore(StoragePolicy one, StoragePolicy other) {
    return one == StoragePolicy.ALL_SSD && other != StoragePolicy.ALL_SSD
        || one.wantsSsd() && !other.wantsSsd();
  }

  public StoragePolicy policy() {
    return policy;
  }

  /** Empty if files may go to SSD. */
  public String off() {
    return policy.wantsSsd()
        ? ""
        : text(POLICY)
            .filter(text -> find(POLICY).isEmpty())
            .map(text -> POLICY + "=" + shown(text) + " is not understood")
            .orElse(POLICY + " is " + policy);
  }

  public int maxAgeSeconds() {
    return maxAgeSeconds;
  }

  /** 0 for never. */
  public int writeDelayMillis() {
    return writeDelayMillis;
  }

  private void problem(String name, String value, boolean family) {
    String set = shown(name) + "=" + shown(value);
    Optional<Key<?>> key = HybridKeys.find(name);
    if (key.isEmpty()) {
      if (name.startsWith(Key.PREFIX)) {
        problems.add(HybridKeys.unknown(set));
      }
    } else if (!isFor(key.get(), family)) {
      problems.add(
          String.format(
              Locale.ROOT,
              "%s is ignored: only %s sets it.",
              set,
              key.get() == WRITE_DELAY
                  ? "a table as a whole, or the site file,"
                  : "the site file"));
    } else if (text(key.get()).isPresent()) {
      find(key.get())
          .ifPresentOrElse(
              wanted -> bounded(set, wanted, key.get()),
              () ->
                  problems.add(
                      String.format(
                          Locale.ROOT,
                          "%s is not understood; allowed: %s. Correct or remove it; until then %s.",
                          set,
                          key.get().values().allowed(),
                          key.get() == POLICY
                              ? "nothing goes to SSD"
                              : HOT.contains(key.get())
                                  ? "the default " + key.get().defaultValue() + " is in force"
                                  : "the site file's "
                                      + site.inForce(key.get())
                                      + " is in force")));
    }
  }

  private static boolean isFor(Key<?> key, boolean family) {
    return HOT.contains(key) || key == POLICY || key == MAX_AGE || key == WRITE_DELAY && !family;
  }

  private void bounded(String set, Object wanted, Key<?> key) {
    boolean more =
        !HOT.contains(key)
            && (wanted instanceof StoragePolicy
                ? isMore((StoragePolicy) wanted, site.policy(Component.TIER))
                : ((Duration) wanted).compareTo((Duration) site.get(key)) > 0);
    if (more) {
      problems.add(
          String.format(
              Locale.ROOT,
              "%s is more than the site file allows, whose %s is in force.",
              set,
              site.inForce(key)));
    }
  }

  private static String shown(String text) {
    String line = text.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
    return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "...";
  }
}
