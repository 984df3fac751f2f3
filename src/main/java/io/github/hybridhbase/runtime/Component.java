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
 * A part of HBase's data that is placed as one. The paper's "system components" (Hybrid HBase,
 * COMAD 2012, section 3) are {@link #WAL}, {@link #META}, {@link #MASTER} and {@link #TIER}.
 */
@InterfaceAudience.Public
public enum Component {
  WAL,
  /** The master's local store with its WALs ({@code MasterData}). */
  MASTER,
  /** The {@code hbase} namespace: hbase:meta, acl, quota and other catalogs. */
  META,
  /**
   * Temporary files: recovered edits, and output of flushes and compactions, which the SSD tier
   * writes to SSD and moves when old.
   */
  TIER,
  ARCHIVE,
  /** User tables, MOB files and bulk load staging. */
  USER;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Not of {@link #USER} and {@link #ARCHIVE}. */
  public String policyKey() {
    return Key.PREFIX + label() + ".policy";
  }
}
