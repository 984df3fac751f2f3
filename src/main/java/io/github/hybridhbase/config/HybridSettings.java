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
package io.github.hybridhbase.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The plugin's configuration as one immutable value, with everything that was wrong about it.
 *
 * <p>Reading never throws: a value that cannot be used is named in {@link #problems()} and its
 * default is in force, so that a misspelling never stops a server in {@link Mode#PREFER}.
 */
@InterfaceAudience.Private
public final class HybridSettings {
  /** A WAL provider of HBase's own that does the writing. */
  @InterfaceAudience.Private
  public enum Delegate {
    ASYNCFS,
    FILESYSTEM,
    MULTIWAL
  }

  /** How durable the syncs of a WAL are. */
  @InterfaceAudience.Private
  public enum Hsync {
    /** As {@code hbase.wal.hsync} and each mutation's durability say. */
    STOCK,
    /** An hsync wherever every replica is on SSD, stock elsewhere. */
    AUTO
  }

  private final Mode mode;
  private final Map<Component, StoragePolicy> policies;
  private final Delegate delegate;
  private final Hsync hsync;
  private final int gatherPercent;
  private final int repairPeriodSeconds;
  private final int scanPeriodSeconds;
  private final int moveRate;
  private final boolean moveExisting;
  private final int verifyRate;
  private final Watermarks watermarks;
  private final int ssdPeriodSeconds;
  private final int fallbackMillis;
  private final int ssdRetrySeconds;
  private final TierSettings tier;
  private final List<String> problems;
  private final List<String> warnings;

  private HybridSettings(SettingsReader reader) {
    this.mode = reader.choice(HybridKeys.MODE, Mode.class, Mode.PREFER);
    this.policies = Collections.unmodifiableMap(reader.policies());
    this.delegate = reader.choice(HybridKeys.WAL_DELEGATE, Delegate.class, Delegate.ASYNCFS);
    this.hsync = reader.choice(HybridKeys.WAL_HSYNC, Hsync.class, Hsync.STOCK);
    this.gatherPercent = reader.number(HybridKeys.WAL_GATHER, 50, 0, 100);
    this.repairPeriodSeconds = reader.number(HybridKeys.REPAIR_PERIOD, 300, 0, 86_400);
    this.scanPeriodSeconds = reader.number(HybridKeys.SCAN_PERIOD, 3_600, 0, 604_800);
    this.moveRate = reader.number(HybridKeys.MOVE_RATE, 10, 0, 1_000);
    this.moveExisting = reader.flag(HybridKeys.MOVE_EXISTING, false);
    this.verifyRate = reader.number(HybridKeys.VERIFY_RATE, 10, 0, 1_000);
    this.watermarks = reader.watermarks();
    this.ssdPeriodSeconds = reader.number(HybridKeys.SSD_PERIOD, 10, 0, 3_600);
    this.fallbackMillis = reader.number(HybridKeys.SSD_FALLBACK_TIMEOUT, 5_000, 500, 20_000);
    this.ssdRetrySeconds = reader.number(HybridKeys.SSD_RETRY, 30, 1, 3_600);
    this.tier = reader.tier();
    reader.unknownKeys();
    this.problems = reader.problems();
    this.warnings = warnings(policies);
  }

  /** Reads the settings. Never throws; see {@link #problems()}. */
  public static HybridSettings read(Configuration conf) {
    // Iterated, since a coprocessor's configuration is a wrapper that overrides little else.
    Map<String, String> props = new TreeMap<>();
    for (Map.Entry<String, String> entry : conf) {
      String key = entry.getKey();
      if (key.startsWith(HybridKeys.PREFIX)) {
        props.put(key.substring(HybridKeys.PREFIX.length()), conf.get(key, ""));
      }
    }
    return new HybridSettings(new SettingsReader(props));
  }

  /** How firmly to insist. */
  public Mode mode() {
    return mode;
  }

  /** The declared policy of a component. */
  public StoragePolicy policy(Component component) {
    return policies.get(component);
  }

  /** The provider that does the writing. */
  public Delegate delegate() {
    return delegate;
  }

  /** How durable the syncs of a WAL are. */
  public Hsync hsync() {
    return hsync;
  }

  /** Percent of a flush's usual time that a batch of syncs may wait for more, 0 to 100. */
  public int gatherPercent() {
    return gatherPercent;
  }

  /** Seconds between two looks at the declared directories, 0 to 86400; 0 = never. */
  public int repairPeriodSeconds() {
    return repairPeriodSeconds;
  }

  /** Seconds between two scans by the active master, 0 to 604800; 0 = none. */
  public int scanPeriodSeconds() {
    return scanPeriodSeconds;
  }

  /** Misplaced files a second that HDFS is asked to move, 0 to 1000; 0 = none. */
  public int moveRate() {
    return moveRate;
  }

  /** Whether existing data is moved without anybody's word. */
  public boolean moveExisting() {
    return moveExisting;
  }

  /** Store files to verify a second, 0 to 1000; 0 = none. */
  public int verifyRate() {
    return verifyRate;
  }

  /** When components leave SSD and come back. */
  public Watermarks watermarks() {
    return watermarks;
  }

  /** Seconds between two looks at the space on SSD, 0 to 3600; 0 = never. */
  public int ssdPeriodSeconds() {
    return ssdPeriodSeconds;
  }

  /** Milliseconds that opening a WAL may lose on SSD, 500 to 20000. */
  public int fallbackMillis() {
    return fallbackMillis;
  }

  /** Seconds for which a server leaves SSD alone after a refusal, 1 to 3600. */
  public int ssdRetrySeconds() {
    return ssdRetrySeconds;
  }

  /** How the SSD tier works. */
  public TierSettings tier() {
    return tier;
  }

  /** What is wrong, one sentence each, naming the key, the value and what is allowed. */
  public List<String> problems() {
    return problems;
  }

  /** What is allowed but has a price that is easily overlooked, one sentence each. */
  public List<String> warnings() {
    return warnings;
  }

  private static List<String> warnings(Map<Component, StoragePolicy> policies) {
    List<String> keys = new ArrayList<>();
    policies.forEach(
        (component, policy) -> {
          if (policy == StoragePolicy.ONE_SSD) {
            keys.add(component.policyKey());
          }
        });
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
