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
package io.github.hybridhbase.hot;

import io.github.hybridhbase.runtime.HybridMetrics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The heat of one open store. {@link #split} is for a compaction's thread, {@link #turn} for the
 * tier's.
 */
@InterfaceAudience.Private
public final class HotStore {
  /** Samples that give a share to 2.5 points. */
  private static final int ENOUGH_SAMPLES = 400;

  private static final double SLACK = 1.2;

  /** Minimum reads between writes of the counts. */
  private static final int READS_TO_WRITE = 1_000;

  /** A compaction that has not begun by then may be lost. */
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final HStore store;
  private final double sharePercent;
  private final int replicas;
  private final long flushBytes;
  private final int mostFiles;
  final StoreHeat heat = new StoreHeat();
  final StoreReads reads;
  private final Predicate<HStoreFile> onSsd;

  private final BooleanSupplier isAllRead;

  private volatile long notBeforeNanos;

  /** After the requested compaction has begun; 0 if none was. */
  private volatile long pauseNanos;

  private long writtenReads;

  /** When the counts were written, else when they began. */
  long writtenNanos;

  private Set<HStoreFile> hotFiles = Set.of();
  private double samples;
  private double samplesInHot;

  /** Share of single-row reads that are in a hot file, 0 to 1; NaN if unknown. */
  volatile double caughtNow = Double.NaN;

  /** Empty if unknown. */
  private double[] caughtBy = {};

  /** Seconds; infinite if no compaction for hot rows would pay. */
  volatile double payback = Double.POSITIVE_INFINITY;

  /**
   * @param sharePercent of its bytes for hot files
   * @param onSsd whether a file has a replica on SSD
   * @param isAllRead false if a failed compaction's file may lie unknown in the directory; for any
   *     thread
   */
  public HotStore(
      HStore store,
      double sharePercent,
      int replicas,
      long flushBytes,
      Predicate<HStoreFile> onSsd,
      BooleanSupplier isAllRead) {
    this.store = store;
    this.isAllRead = isAllRead;
    this.sharePercent = sharePercent;
    this.replicas = replicas;
    this.flushBytes = flushBytes;
    this.mostFiles = (int) Math.min(Integer.MAX_VALUE, store.getBlockingFileCount() / 2);
    this.onSsd = onSsd;
    this.reads = new StoreReads(store.getColumnFamilyDescriptor().getBlocksize(), onSsd);
  }

  /**
   * Why compactions cannot be split, for people; empty if they can.
   *
   * @param filtersOff whether the site reads no Bloom filters
   */
  public static String off(HStore store, boolean filtersOff) {
    BloomType filter = store.getColumnFamilyDescriptor().getBloomFilterType();
    if (filter != BloomType.ROW || filtersOff) {
      return "its Bloom filter is "
          + (filtersOff ? "switched off" : filter)
          + ", so that a Get of a hot row would read the other files too";
    }
    return "";
  }

  public static RegionHeat regionHeat(List<HotStore> stores) {
    return new RegionHeat(
        stores.stream()
            .map(of -> of.store.getColumnFamilyDescriptor().getName())
            .toArray(byte[][]::new),
        stores.stream().map(of -> of.heat).toArray(StoreHeat[]::new));
  }

  /** Blocks. */
  public double ssdPerSecond() {
    return reads.ssdPerSecond;
  }

  /** As {@link #caughtNow}, for an index of {@link HybridMetrics#HOT_SHARES}. */
  double caughtBy(int share) {
    return caughtBy.length == 0 ? Double.NaN : caughtBy[share];
  }

  /** One replica. */
  public long hotBytes() {
    return store.getStorefiles().stream().filter(HotFiles::isOn).mapToLong(HotFiles::length).sum();
  }

  /**
   * Empty for one output.
   *
   * @param leavesSsd whether it takes files off SSD: without a split, updates of hot rows would be
   *     read from DISK
   * @param room bytes of SSD for hot files, one replica
   */
  public Optional<Split> split(CompactionRequestImpl request, boolean leavesSsd, long room) {
    Collection<HStoreFile> inputs = request.getFiles();
    Collection<HStoreFile> files = store.getStorefiles();
    long all = bytes(files);
    // Of the files when HBase selected: a flush may have added one since.
    boolean whole = request.isAllFiles();
    if (whole && pauseNanos > 0) {
      notBeforeNanos = System.nanoTime() + pauseNanos;
      pauseNanos = 0;
    }
    long hotInputs = hotBytes(inputs);
    long others = hotBytes(files) - hotInputs;
    long most = Math.min(share(all) - others, room);
    if (most <= 0
        || !whole && !leavesSsd && hotInputs == 0
        || hotInputs == 0 && (whole ? 2 : files.size()) > mostFiles // one more is too many soon
        || HeatDecision.isSmall(all, flushBytes)
        || !isAllRead.getAsBoolean()) {
      return Optional.empty();
    }
    long size = Math.min(bytes(inputs), most);
    HotThreshold now = threshold(files, whole ? most : share(all));
    Predicate<byte[]> filters = HotFiles.rows(files);
    double kept = hotInputs + others + HotFiles.FALSE_ROWS * (all - hotInputs - others);
    if (filters != HotFiles.NONE
        && kept <= most + others
        && HeatDecision.keeps(caughtNow, kept / all, now.caught)) {
      return Optional.of(split(filters, whole ? (long) kept : size, most));
    }
    HeatSketch counts = heat.sketch;
    return now.rows == 0 || counts == null
        ? Optional.empty()
        : Optional.of(
            split(counts.frozen(now.level, now.partBelow), whole ? now.bytes : size, most));
  }

  private static Split split(Predicate<byte[]> hot, long estimate, long most) {
    long within = Math.max(1, Math.min(estimate, most));
    return new Split(hot, within, Math.min((long) (within * SLACK), most));
  }

  private long share(long bytes) {
    return (long) (bytes / 100.0 * sharePercent);
  }

  private HotThreshold threshold(Collection<HStoreFile> files, long most) {
    long rows = rows(files);
    return heat.threshold(rows, (double) bytes(files) / Math.max(1, rows), most);
  }

  /** A row filter has one entry per row. */
  private static long rows(Collection<HStoreFile> files) {
    long rows = 0;
    for (HStoreFile file : files) {
      StoreFileReader reader = file.getReader();
      rows += reader == null ? 0 : reader.getFilterEntries();
    }
    return rows;
  }

  private static long bytes(Collection<HStoreFile> files) {
    return files.stream().mapToLong(HotFiles::length).sum();
  }

  private static long hotBytes(Collection<HStoreFile> files) {
    return files.stream().filter(HotFiles::isIn).mapToLong(HotFiles::length).sum();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.1f blocks a second from DISK, pays in %.0f s",
        reads.diskPerSecond,
        payback);
  }

  long bytes() {
    return bytes(store.getStorefiles());
  }

  long cacheBytes() {
    return store.getCacheConfig().getBlockCache().map(BlockCache::getCurrentSize).orElse(0L);
  }

  /** Reads HDFS's statistics and, at first, the file of counts. */
  void turn(long nowNanos) {
    List<HStoreFile> files = new ArrayList<>(store.getStorefiles());
    reads.look(files, heat.reads, nowNanos);
    long all = bytes(files);
    if (HeatDecision.isSmall(all, flushBytes)) {
      heat.sketch = null;
      caughtBy = new double[0];
      caughtNow = Double.NaN;
      payback = Double.POSITIVE_INFINITY;
      return;
    }
    if (heat.sketch == null) {
      HeatSketch begun = new HeatSketch();
      HeatFile.read(store, begun);
      heat.sketch = begun;
      writtenReads = 0;
      writtenNanos = nowNanos;
    }
    heat.turn(
        rows(files) / 100.0 * sharePercent,
        reads.perSecond(),
        threshold(files, share(all)).atLeast);
    // Rows that are read evenly have their part of the reads.
    caughtBy =
        DoubleStream.of(isKnown() ? HybridMetrics.HOT_SHARES : new double[0])
            .map(
                percent ->
                    Math.max(
                        percent / 100, threshold(files, (long) (all / 100.0 * percent)).caught))
            .toArray();
    followHotFile(files);
  }

  private void followHotFile(Collection<HStoreFile> files) {
    Set<HStoreFile> hot = files.stream().filter(HotFiles::isIn).collect(Collectors.toSet());
    if (!hot.equals(hotFiles)) {
      hotFiles = hot;
      samples = 0;
      samplesInHot = 0;
    }
    int[] found = heat.take(HotFiles.rows(files));
    if (samples >= 2 * ENOUGH_SAMPLES) {
      samples /= 2;
      samplesInHot /= 2;
    }
    samples += found[0];
    samplesInHot += found[1];
    caughtNow = samples < ENOUGH_SAMPLES ? Double.NaN : samplesInHot / samples;
  }

  void write(long nowNanos) {
    HeatSketch counts = heat.sketch;
    writtenReads = counts.reads;
    writtenNanos = nowNanos;
    HeatFile.write(store, counts);
  }

  /** Whether there were enough reads since the counts were written. */
  boolean isToWrite() {
    HeatSketch counts = heat.sketch;
    return counts != null
        && counts.reads - writtenReads >= Math.max(READS_TO_WRITE, counts.rows / 4);
  }

  /**
   * @param room as in {@link #split}
   * @param cacheBytes of this store, which the compaction evicts
   */
  boolean pays(long room, long cacheBytes, long nowNanos) {
    Collection<HStoreFile> files = store.getStorefiles();
    long all = bytes(files);
    long cached =
        Math.min(all, cacheBytes) / Math.max(1, store.getColumnFamilyDescriptor().getBlocksize());
    // Scans read blocks too, which no hot row saves.
    double seeks = Math.min(reads.diskPerSecond, reads.getsPerSecond * Math.max(1, files.size()));
    double has = hotBytes(files) == 0 ? 0 : Math.min(1, caughtNow + HeatDecision.ERROR);
    // HDFS wrote a hot file to DISK and would again.
    boolean inVain = files.stream().anyMatch(file -> HotFiles.isOn(file) && !onSsd.test(file));
    boolean may = mostFiles > 1 && !inVain && !Double.isNaN(has) && isKnown();
    HotThreshold now = threshold(files, Math.min(share(all), room));
    double gain = may && isAllRead.getAsBoolean() ? HeatDecision.gain(has, now.atLeast) : 0;
    payback = HeatDecision.payback(all, replicas, cached, seeks * gain);
    return HeatDecision.pays(payback) && (notBeforeNanos == 0 || nowNanos - notBeforeNanos >= 0);
  }

  private boolean isKnown() {
    HeatSketch counts = heat.sketch;
    return counts != null && counts.isKnown();
  }

  /** The requested compaction may never begin, e.g. if others take files. */
  void asks(long nowNanos) {
    notBeforeNanos = nowNanos + PATIENCE_NANOS;
    pauseNanos = (long) (1e9 * HeatDecision.pause(payback));
  }
}
