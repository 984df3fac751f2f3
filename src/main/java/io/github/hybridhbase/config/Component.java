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

import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A part of what HBase keeps on HDFS that is placed as one. The paper's "system components" (Hybrid
 * HBase, COMAD 2012, section 3) are {@link #WAL}, {@link #META}, {@link #MASTER} and {@link #TMP}.
 */
@InterfaceAudience.Public
public enum Component {
  /** Write-ahead logs of the RegionServers, user and meta, in {@code WALs}. */
  WAL,
  /** The master's local store and its write-ahead logs, in {@code MasterData}. */
  MASTER,
  /** The {@code hbase} namespace: hbase:meta, namespace, acl, quota and other catalogs. */
  META,
  /**
   * Files that flushes and compactions are writing. In HBase 2 they become the store files; where
   * the SSD tier is on they are written to SSD, one by one, and moved when they are old.
   */
  TMP,
  /** What HBase keeps after use: oldWALs, archive, corrupt WALs, snapshots. */
  ARCHIVE,
  /** User tables, MOB files and bulk load staging. */
  USER;

  /** The component's name in keys, tables and metrics: lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name of the key that declares its policy, see {@link HybridKeys#policy}. */
  public String policyKey() {
    return Key.PREFIX + label() + ".policy";
  }
}
