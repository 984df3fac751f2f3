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

import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A part of HBase's data on HDFS that is placed as one. The "system components" of the paper
 * (Hybrid HBase, COMAD 2012, section 3) are {@link #WAL}, {@link #META}, {@link #MASTER} and {@link
 * #TIER}.
 */
@InterfaceAudience.Public
public enum Component {
  WAL,
  /** The master's local store with its WALs, in {@code MasterData}. */
  MASTER,
  /** The {@code hbase} namespace: hbase:meta, namespace, acl, quota and other catalogs. */
  META,
  /**
   * Temporary files: those being written by flushes and compactions, of which the SSD tier writes
   * each to SSD and moves it when old, and recovered edits.
   */
  TIER,
  ARCHIVE,
  /** User tables, MOB files and bulk load staging. */
  USER;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Of the components that the plugin places: {@link #USER} and {@link #ARCHIVE} have none. */
  public String policyKey() {
    return Key.PREFIX + label() + ".policy";
  }
}
