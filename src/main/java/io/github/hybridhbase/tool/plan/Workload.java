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
package io.github.hybridhbase.tool.plan;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/** The inputs of a plan. Immutable. */
@InterfaceAudience.Private
public final class Workload {
  @InterfaceAudience.Private
  public enum Input {
    DATA("data", "bytes", "user data, one copy"),
    WRITE_RATE("write-rate", "bytes/s", "edits written to the WALs of all servers, one copy"),
    SERVERS("servers", "", "RegionServers"),
    DATA_NODES("datanodes", "", "DataNodes with SSD"),
    REGIONS("regions", "", "regions in all"),
    REPLICATION("replication", "", "replicas of store files"),
    WAL_REPLICATION("wal-replication", "", "replicas of WALs"),
    MEMSTORE("memstore", "bytes", "memstores of a RegionServer, at most"),
    WAL_BLOCK("wal-block", "bytes", "block of a WAL"),
    MAX_WALS("max-wals", "", "WALs of a server above which HBase flushes; 0 = from the memstores"),
    FLUSH_INTERVAL("flush-interval", "s", "age at which a memstore is flushed; 0 = never"),
    WAL_TTL("wal-ttl", "s", "time that old WALs are kept"),
    CLEANER("cleaner", "s", "between two looks for old WALs to delete"),
    MASTER("master", "bytes", "MasterData, one copy"),
    META("meta", "bytes", "hbase:meta and other catalogs, one copy"),
    AFTER("after", "s", "time of writing after which to predict; 0 = a steady state"),
    TIER("tier", "%", "share of SSD for young store files; 0 = no SSD tier"),
    TIER_BYTES(
        "tier-bytes", "bytes", "SSD for young store files, of all replicas; 0 = no SSD tier"),
    SPARE("spare", "bytes", "what a DataNode keeps free on SSD"),
    SSD("ssd", "bytes", "SSD of a DataNode that there is; 0 = not known"),
    NETWORK("network", "bytes/s", "network of a DataNode, each direction"),
    IOPS("iops", "", "requests a second that the SSD of a DataNode takes"),
    SYNCS("syncs", "", "durable syncs a second of a RegionServer's WALs; 0 = hflush"),
    CACHE("cache", "bytes", "bucket cache on SSD of a RegionServer; 0 = none");

    private final String flag;
    private final String unit;
    private final String meaning;

    Input(String flag, String unit, String meaning) {
      this.flag = flag;
      this.unit = unit;
      this.meaning = meaning;
    }

    public String flag() {
      return flag;
    }

    public String unit() {
      return unit;
    }

    public String meaning() {
      return meaning;
    }
  }

  public static final String GIVEN = "given";

  private final Map<Input, Double> values;
  private final Map<Input, String> origins;

  private Workload(Map<Input, Double> values, Map<Input, String> origins) {
    this.values = values;
    this.origins = origins;
  }

  public static Workload empty() {
    return new Workload(new EnumMap<>(Input.class), new TreeMap<>());
  }

  /**
   * @param value 0 or more
   * @param origin for people: "given", "the cluster", "assumed: why"
   */
  public Workload with(Input input, double value, String origin) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(input.flag + "=" + value);
    }
    Map<Input, Double> nextValues = new EnumMap<>(values);
    nextValues.put(input, value);
    Map<Input, String> nextOrigins = new TreeMap<>(origins);
    nextOrigins.put(input, origin);
    return new Workload(nextValues, nextOrigins);
  }

  public Workload orElse(Input input, double value, String origin) {
    return knows(input) ? this : with(input, value, origin);
  }

  boolean hasTier() {
    return get(Input.TIER) > 0 || get(Input.TIER_BYTES) > 0;
  }

  public boolean isGiven(Input input) {
    return GIVEN.equals(origin(input));
  }

  public boolean knows(Input input) {
    return values.containsKey(input);
  }

  /** 0 if unset. */
  public double get(Input input) {
    return values.getOrDefault(input, 0.0);
  }

  /** Empty if unset. */
  public String origin(Input input) {
    return origins.getOrDefault(input, "");
  }
}
