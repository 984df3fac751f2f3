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

import org.apache.yetus.audience.InterfaceAudience;

/**
 * What one table may still put on a server's SSD. From the threshold on, space is left to flushes,
 * since writers wait for a flush and nobody for a compaction; and to tables that have less than
 * their fair part: one that writes without end would take whatever the drain frees, and the others
 * would never go to SSD. Immutable.
 */
@InterfaceAudience.Private
final class TierQuota {
  private final TierShare share;
  private final long used;
  private final int tables;
  private final long ofTable;

  /**
   * Describes it.
   *
   * @param share what the server may have on SSD
   * @param used bytes that it has there, or has reserved
   * @param tables how many tables use the SSD tier of the server
   * @param ofTable those of the used bytes that are the table's
   */
  TierQuota(TierShare share, long used, int tables, long ofTable) {
    this.share = share;
    this.used = used;
    this.tables = tables;
    this.ofTable = ofTable;
  }

  /** Bytes that the server may have on SSD. */
  long bytes() {
    return share.bytes();
  }

  /** Whether a file has space. */
  boolean has(NewStoreFile newFile) {
    boolean fair = ofTable + newFile.bytes() <= share.bytes() / Math.max(1, tables);
    boolean toTheEnd = fair && newFile.kind() == NewStoreFile.Kind.FLUSH;
    return newFile.bytes() <= (toTheEnd ? share.bytes() : share.threshold()) - used;
  }
}
