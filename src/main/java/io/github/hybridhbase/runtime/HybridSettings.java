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
package io.github.hybridhbase.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The plugin's configuration as one immutable value. Units and ranges are in {@link HybridKeys}.
 *
 * <p>Reading never throws: an invalid value is in {@link #problems()}; its default, for the mode
 * {@link Mode#OFF}, is in force, so that a misspelling stops no server and places nothing.
 */
@InterfaceAudience.Private
public final class HybridSettings {
  private static final int PERIOD_SECONDS = 10;

  /** In seconds. For tests only. */
  private static final String PERIOD = "hybrid.tests.period";

  private static final long ARCHIVE_TTL = TimeUnit.MINUTES.toMillis(5);
  private static final long LOG_TTL = TimeUnit.MINUTES.toMillis(10);
  private static final long CLEANER_PERIOD = TimeUnit.MINUTES.toMillis(10);

  private final Map<Key<?>, Object> values = new HashMap<>();
  private final Map<Key<?>, String> inForce = new HashMap<>();
  private final int periodSeconds;
  private final List<String> problems = new ArrayList<>();
  private final List<String> differences = new ArrayList<>();

  private HybridSettings(Configuration conf) {
    for (Key<?> key : HybridKeys.all()) {
      values.put(key, key.get(conf));
      inForce.put(key, key.inForce(conf));
      key.problem(conf).ifPresent(problems::add);
      key.difference(conf).ifPresent(differences::add);
    }
    problems.addAll(HybridKeys.unknown(conf));
    periodSeconds = conf.getInt(PERIOD, PERIOD_SECONDS);
  }

  public static HybridSettings read(Configuration conf) {
    return new HybridSettings(conf);
  }

  /** A key's value, or what stands in for an invalid one. */
  @SuppressWarnings("unchecked")
  public <T> T get(Key<T> key) {
    return (T) values.get(key);
  }

  /** Another key's value may correct the configured one. */
  public String inForce(Key<?> key) {
    return inForce.get(key);
  }

  public Mode mode() {
    return get(HybridKeys.MODE);
  }

  /** {@link StoragePolicy#NONE} for user data and archive. */
  public StoragePolicy policy(Component component) {
    Key<StoragePolicy> key = HybridKeys.policy(component);
    return key == null ? StoragePolicy.NONE : get(key);
  }

  /** Should be equal on all servers. */
  public Map<String, String> declared() {
    Map<String, String> declared = new LinkedHashMap<>();
    HybridKeys.all().forEach(key -> declared.put(key.name(), values.get(key).toString()));
    return declared;
  }

  public boolean declares(StoragePolicy policy) {
    return Arrays.stream(Component.values()).anyMatch(one -> policy(one) == policy);
  }

  public boolean tierDeclared() {
    return mode().places() && policy(Component.TIER).wantsSsd();
  }

  /** Of reading a server's files on SSD, and of the master's tier decision. */
  public int periodSeconds() {
    return periodSeconds;
  }

  /** Milliseconds that HBase keeps an unreferenced archived store file. */
  public static long archiveMillis(Configuration conf) {
    return conf.getLong("hbase.master.hfilecleaner.ttl", ARCHIVE_TTL) + cleaner(conf);
  }

  /** Milliseconds that HBase keeps an old WAL that no peer needs. */
  public static long oldWalMillis(Configuration conf) {
    return conf.getLong("hbase.master.logcleaner.ttl", LOG_TTL) + cleaner(conf);
  }

  private static long cleaner(Configuration conf) {
    return 2 * conf.getLong("hbase.master.cleaner.interval", CLEANER_PERIOD);
  }

  /** One sentence each. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** For the log; empty if all keys have their defaults. */
  public Optional<String> summary() {
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Set in the site file, other than the defaults: " + String.join(", ", differences));
  }

  /** Allowed values with a cost, one sentence each. */
  public List<String> warnings() {
    List<String> keys = new ArrayList<>();
    for (Component component : Component.values()) {
      if (policy(component) == StoragePolicy.ONE_SSD) {
        keys.add(component.policyKey());
      }
    }
    if (keys.isEmpty()) {
      return List.of();
    }
    return List.of(
        String.join(", ", keys)
            + "=ONE_SSD makes reads of the local replica and recovery faster, but no write: an"
            + " acknowledgement waits for every replica, so a WAL sync is as slow as the slowest"
            + " DISK. On full SSDs the NameNode may write a block with a single replica and not"
            + " repair it. ALL_SSD has neither weakness.");
  }
}
