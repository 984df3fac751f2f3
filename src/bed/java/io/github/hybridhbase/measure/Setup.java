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

import java.util.Locale;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/** What is on SSD. Every set-up has one DataNode with an SSD and an HDD, but {@link #SSD}. */
@InterfaceAudience.Private
enum Setup {
  /** Stock HBase, all on HDD. */
  HDD("all on HDD, stock HBase"),
  /** Stock HBase with its own key. */
  WAL_ONLY("stock HBase with hbase.wal.storage.policy=ALL_SSD"),
  /** The same, with HBase's other WAL. */
  WAL_FILESYSTEM("the same with hbase.wal.provider=filesystem"),
  /** Stock HBase, with a bucket cache on the SSD, of a share of the data. */
  HDD_CACHE("all on HDD, and a file bucket cache of stock HBase on the SSD; --share"),
  /** The plugin as conf/hbase-site.xml enables it, ZooKeeper on SSD. */
  HYBRID("the plugin, as conf/hbase-site.xml has it"),
  /** The same, with rows that are read often in files on the SSD. */
  HYBRID_HOT("the plugin, and files of hot rows on the SSD, of --share percent of a store"),
  /** Stock HBase, whose only volume is the SSD. */
  SSD("all on SSD, stock HBase");

  /** For people. */
  final String meaning;

  Setup(String meaning) {
    this.meaning = meaning;
  }

  /** On the command line and in results: {@code wal-only}, {@code hdd+cache}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', hasShare() ? '+' : '-');
  }

  /**
   * Which loaded state it starts from: neither a cache nor a place for new WALs changes what is
   * stored. What hot rows change is the cell's, which knows their share.
   */
  Setup stored() {
    return plugin() ? HYBRID : this == SSD ? SSD : HDD;
  }

  /** Whether {@link Axis#SHARE} means something to it. */
  boolean hasShare() {
    return this == HDD_CACHE || this == HYBRID_HOT;
  }

  /** Whether servers have the plugin, and young store files go to SSD. */
  boolean plugin() {
    return this == HYBRID || this == HYBRID_HOT;
  }

  /** Keys of the site files, over those that the plugin ships; of cells of one state the same. */
  Map<String, String> keys() {
    boolean onSsd = this == WAL_ONLY || this == WAL_FILESYSTEM;
    return stored() == HDD // HBase's own keys
        ? Map.of(
            "hbase.wal.storage.policy", onSsd ? "ALL_SSD" : "NONE",
            "hbase.wal.provider", this == WAL_FILESYSTEM ? "filesystem" : "asyncfs")
        : Map.of();
  }
}
