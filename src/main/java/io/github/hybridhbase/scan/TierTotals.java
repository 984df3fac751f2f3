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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.hdfs.FileBlocks;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the SSD tier has on SSD, by age and by what holds it there, added up as a scan goes. Not
 * thread-safe.
 */
@InterfaceAudience.Private
public final class TierTotals {
  /** What holds a file on SSD. */
  @InterfaceAudience.Private
  public enum Holder {
    /** In its store, in the first half of its age. */
    YOUNG("young", "in its store, up to half of its age"),
    /** In its store, in the second half of its age. */
    AGING("aging", "in its store, up to its age"),
    /** In its store and older than it may become: a compaction that is due has not come yet. */
    DUE("due", "in its store, waits for a compaction"),
    /** In the archive, where HBase's cleaner will delete it. */
    ARCHIVED("archived", "archived, waits for HBase's cleaner"),
    /** In the archive for longer than the cleaner needs. */
    HELD("held", "archived, held by a snapshot, clone, backup or replication");

    private final String label;
    private final String text;

    Holder(String label, String text) {
      this.label = label;
      this.text = text;
    }

    /** Its name in reports. */
    public String label() {
      return label;
    }

    /** What it is, for people. */
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
   * Has seen nothing.
   *
   * @param maxAgeMillis how old a file may become on SSD
   * @param archiveMillis how long HBase keeps an archived file, at most, where nothing holds it
   * @param nowMillis the time, since 1970
   */
  public TierTotals(long maxAgeMillis, long archiveMillis, long nowMillis) {
    this.maxAgeMillis = maxAgeMillis;
    this.archiveMillis = archiveMillis;
    this.nowMillis = nowMillis;
  }

  /** Those of an HBase at this time. */
  public static TierTotals now(HybridSettings settings, Configuration conf) {
    return new TierTotals(
        TimeUnit.SECONDS.toMillis(settings.tier().maxAgeSeconds()),
        TierFiles.archiveMillis(conf),
        System.currentTimeMillis());
  }

  /** Adds a file, where the SSD tier wrote it and it has replicas on SSD. */
  public void add(FileContext context, FileBlocks file) {
    long onSsd = file.bytes(StorageType.SSD);
    if (onSsd > 0 && !file.open() && context.isTiered(file)) {
      long ageMillis = nowMillis - file.modified();
      Holder holder = holder(context.component(), ageMillis);
      if (holder == Holder.DUE && ageMillis >= 2 * maxAgeMillis) {
        overdueFiles++;
        overdueBytes += onSsd;
      }
      files.merge(holder, 1L, Long::sum);
      bytes.merge(holder, onSsd, Long::sum);
    }
  }

  /** By when it was written; HBase dates a file anew when it archives it. */
  private Holder holder(Component component, long ageMillis) {
    if (component == Component.ARCHIVE) {
      return ageMillis < archiveMillis ? Holder.ARCHIVED : Holder.HELD;
    }
    if (ageMillis >= maxAgeMillis) {
      return Holder.DUE;
    }
    return ageMillis < maxAgeMillis / 2 ? Holder.YOUNG : Holder.AGING;
  }

  /** Files that this holds. */
  public long files(Holder holder) {
    return files.getOrDefault(holder, 0L);
  }

  /** Bytes of their replicas on SSD. */
  public long bytes(Holder holder) {
    return bytes.getOrDefault(holder, 0L);
  }

  /** Files in their stores that have been due for as long as they may be on SSD, or longer. */
  public long overdueFiles() {
    return overdueFiles;
  }

  /** Bytes of their replicas on SSD. */
  public long overdueBytes() {
    return overdueBytes;
  }

  /** Files, whatever holds them. */
  public long files() {
    return files.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Bytes of all their replicas on SSD: what counts against the tier's budget. */
  public long bytes() {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether no file was seen. */
  public boolean isEmpty() {
    return files.isEmpty();
  }
}
