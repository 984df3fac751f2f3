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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** A sum of the SSD tier's files on SSD, by age and holder. Not thread-safe. */
@InterfaceAudience.Private
public final class TierTotals {
  @InterfaceAudience.Private
  public enum Holder {
    YOUNG("young", "in its store, up to half of its age"),
    AGING("aging", "in its store, up to its age"),
    DUE("due", "in its store, waits for a compaction"),
    HOT("hot", "in its store, with hot rows"),
    ARCHIVED("archived", "archived, waits for HBase's cleaner"),
    HELD("held", "archived, held by a snapshot, clone, backup or replication");

    private final String label;
    private final String text;

    Holder(String label, String text) {
      this.label = label;
      this.text = text;
    }

    public String label() {
      return label;
    }

    public String text() {
      return text;
    }
  }

  private final long maxAgeMillis;
  private final long archiveMillis;
  private final long nowMillis;
  private final Map<Holder, Long> files = new EnumMap<>(Holder.class);
  private final Map<Holder, Long> bytes = new EnumMap<>(Holder.class);
  private long overdueFiles;
  private long overdueBytes;

  /**
   * @param nowMillis since 1970
   */
  public TierTotals(long maxAgeMillis, long archiveMillis, long nowMillis) {
    this.maxAgeMillis = maxAgeMillis;
    this.archiveMillis = archiveMillis;
    this.nowMillis = nowMillis;
  }

  public static TierTotals now(HybridSettings settings, Configuration conf) {
    return new TierTotals(
        settings.get(HybridKeys.TIER_MAX_AGE).toMillis(),
        HybridSettings.archiveMillis(conf),
        System.currentTimeMillis());
  }

  public void add(FileContext context, FileBlocks file) {
    long onSsd = file.bytes(StorageType.SSD);
    if (onSsd > 0 && !file.open && isTiered(context, file)) {
      long ageMillis = nowMillis - file.modified;
      Holder holder =
          file.marked && context.component() != Component.ARCHIVE
              ? Holder.HOT
              : holder(context.component(), ageMillis);
      if (holder == Holder.DUE && ageMillis >= 2 * maxAgeMillis) {
        overdueFiles++;
        overdueBytes += onSsd;
      }
      files.merge(holder, 1L, Long::sum);
      bytes.merge(holder, onSsd, Long::sum);
    }
  }

  private static boolean isTiered(FileContext context, FileBlocks file) {
    boolean here =
        context.component() == Component.USER
            || context.component() == Component.ARCHIVE && !Layout.isOldWal(file.path);
    return here && context.isPinned(file);
  }

  /** Age since the modification time, which HBase resets on archiving. */
  private Holder holder(Component component, long ageMillis) {
    if (component == Component.ARCHIVE) {
      return ageMillis < archiveMillis ? Holder.ARCHIVED : Holder.HELD;
    }
    if (ageMillis >= maxAgeMillis) {
      return Holder.DUE;
    }
    return ageMillis < maxAgeMillis / 2 ? Holder.YOUNG : Holder.AGING;
  }

  public long files(Holder holder) {
    return files.getOrDefault(holder, 0L);
  }

  public long bytes(Holder holder) {
    return bytes.getOrDefault(holder, 0L);
  }

  public long overdueFiles() {
    return overdueFiles;
  }

  public long overdueBytes() {
    return overdueBytes;
  }

  public long files() {
    return files.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Replicas on SSD, which count against the budget. */
  public long bytes() {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  public boolean isEmpty() {
    return files.isEmpty();
  }
}
