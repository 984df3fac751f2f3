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
package io.github.hybridhbase.measure;

import java.util.List;
import java.util.Properties;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * YCSB's core workloads in the proportions and with the key distributions that YCSB ships, and
 * updates alone.
 */
@InterfaceAudience.Private
enum Mix {
  UPDATE("zipfian", 0, 1, 0, 0, 0),
  A("zipfian", 0.5, 0.5, 0, 0, 0),
  B("zipfian", 0.95, 0.05, 0, 0, 0),
  C("zipfian", 1, 0, 0, 0, 0),
  D("latest", 0.95, 0, 0.05, 0, 0),
  E("zipfian", 0, 0, 0.05, 0.95, 0),
  F("zipfian", 0.5, 0, 0, 0, 0.5);

  /**
   * Zipf over the rows. YCSB's zipfian is drawn over ten thousand million items and hashed to the
   * rows, which makes it flat.
   */
  static final String ZIPF = "zipf";

  static final List<String> KEYS = List.of("uniform", "zipfian", ZIPF, "latest", "hotspot");

  /** Of reads, updates, inserts, scans, and reads followed by a write. */
  private final double[] proportions;

  /** The distribution of keys that YCSB ships it with. */
  final String keys;

  Mix(String keys, double... proportions) {
    this.keys = keys;
    this.proportions = proportions;
  }

  /** Whether reads meet writes. */
  boolean mixed() {
    return this != UPDATE && this != C;
  }

  /**
   * What CoreWorkload is told. Values are derived from their keys, so that two loads of as many
   * rows are alike.
   *
   * @param distribution one of {@link #KEYS}
   * @param fields 1 or more, of 1,000 bytes together; an update writes one
   */
  Properties properties(String table, long rows, int fields, String distribution) {
    Properties properties = new Properties();
    properties.setProperty("table", table);
    properties.setProperty("recordcount", Long.toString(rows));
    properties.setProperty("operationcount", "0"); // the clock ends it
    properties.setProperty("fieldcount", Integer.toString(fields));
    properties.setProperty("fieldlength", Integer.toString(1_000 / fields));
    properties.setProperty("insertorder", "hashed");
    properties.setProperty(
        "requestdistribution", distribution.equals(ZIPF) ? "uniform" : distribution);
    properties.setProperty(ZIPF, Boolean.toString(distribution.equals(ZIPF)));
    properties.setProperty("maxscanlength", "100");
    properties.setProperty("scanlengthdistribution", "uniform");
    String[] kinds = {"read", "update", "insert", "scan", "readmodifywrite"};
    for (int i = 0; i < kinds.length; i++) {
      properties.setProperty(kinds[i] + "proportion", Double.toString(proportions[i]));
    }
    return properties;
  }
}
