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

import io.github.hybridhbase.tier.NewStoreFile.Kind;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The bytes that tables may still put on a server's SSD. Above the threshold only flushes fit, for
 * which writers wait, but not of the table with most there. Immutable.
 */
@InterfaceAudience.Private
final class TierQuota {
  enum Verdict {
    SSD,
    /** The store is not served, the tier is closed, or SSD refused a file lately. */
    CLOSED,
    /** It is old, or is to leave SSD. */
    FOR_DISK,
    OVER_BUDGET
  }

  private static final int PART = 4;

  /** Hot files may take the share divided by this. */
  private static final int HOT_PART = 2;

  private final TierShare share;
  private final Map<String, Long> uses;
  private final long used;
  private final int tables;
  private final long hotUsed;

  /**
   * @param uses bytes on SSD or reserved, by table
   * @param hotUsed bytes of hot files, one in flight and those that it replaces as the larger
   */
  TierQuota(TierShare share, Map<String, Long> uses, int tables, long hotUsed) {
    this.hotUsed = hotUsed;
    this.share = share;
    this.uses = uses;
    this.used = uses.values().stream().mapToLong(Long::longValue).sum();
    this.tables = Math.max(1, tables);
  }

  static long ofHot(TierShare share) {
    return share.bytes() / HOT_PART;
  }

  Verdict decide(String table, NewStoreFile file, long maxAgeMillis) {
    switch (file.kind) {
      case HOT:
        return file.bytes <= hotRoom(file.replacedBytes) ? Verdict.SSD : Verdict.OVER_BUDGET;
      case MAJOR:
      case EXIT:
        return Verdict.FOR_DISK;
      default:
        if (file.oldestMillis >= maxAgeMillis) {
          return Verdict.FOR_DISK;
        }
        boolean large = file.kind == Kind.MINOR && file.bytes > share.bytes() / PART;
        return !large && has(table, file) ? Verdict.SSD : Verdict.OVER_BUDGET;
    }
  }

  private boolean has(String table, NewStoreFile file) {
    boolean fair = uses.getOrDefault(table, 0L) + file.bytes <= fairPart(table);
    boolean toTheEnd = fair && file.kind == Kind.FLUSH;
    return file.bytes <= (toTheEnd ? share.bytes() : share.threshold()) - used;
  }

  /**
   * @param replaced bytes of hot files that the new one replaces
   * @return bytes that a new file of hot rows may take, all replicas
   */
  long hotRoom(long replaced) {
    long ofHot = ofHot(share) - hotUsed + replaced;
    return Math.max(0, Math.min(ofHot, share.threshold() - used));
  }

  /** What a table may have above the threshold: an equal part, or what another has. */
  long fairPart(String table) {
    long most =
        uses.entrySet().stream()
            .filter(use -> !use.getKey().equals(table))
            .mapToLong(Map.Entry::getValue)
            .max()
            .orElse(0);
    return Math.max(share.bytes() / tables, most);
  }
}
