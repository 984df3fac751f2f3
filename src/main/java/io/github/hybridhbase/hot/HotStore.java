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

import io.github.hybridhbase.hot.HeatDecision.Facts;
import io.github.hybridhbase.hot.HeatDecision.Verdict;
import io.github.hybridhbase.runtime.HybridMetrics.HotMetrics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of the heat of one open store, and what its compactions do with it. {@link #split}
 * runs on a compaction's thread, {@link #turn} on the SSD tier's. Both read only HBase's memory and
 * blocks of Bloom filters.
 */
@InterfaceAudience.Private
public final class HotStore {
  private static final Logger LOG = LoggerFactory.getLogger(HotStore.class);

  /** Reads per row of a full share after which the share is known. */
  private static final int READS_A_ROW = 10;

  /** Reads of a tenth of the rows find most of what can be found. */
  private static final int ROWS_A_READ = 10;

  private static final int LEAST_READS = 1_000;

  /** A file of hot rows is renewed after so many times the reads that choose the first. */
  private static final int AGAIN = 2;

  private static final int LEAST_SAMPLES = 100;

  /** A file of hot rows is renewed for little once so many times more reads are known. */
  private static final int TIMES_LEARNT = 4;

  /** A share is known from so many: 2.5 points of error. */
  private static final int ENOUGH_SAMPLES = 400;

  private static final double SLACK = 1.2;
  private static final long HALF_LIFE = TimeUnit.HOURS.toNanos(6);

  /** Seconds after which a compaction that has not begun is requested again, at the latest. */
  private static final double PATIENCE = 300;

  /** Seconds from a compaction whose hot file is not on SSD to the next. */
  private static final double PAUSE = 86_400;

  private final HStore store;
  private final int sharePercent;
  private final int paybackSeconds;
  private final int replicas;
  private final long flushBytes;
  private final int mostFiles;
  private final RegionHeat.StoreHeat heat = new RegionHeat.StoreHeat();
  final StoreReads reads;
  private final Predicate<HStoreFile> onSsd;

  /** A commit of two files failed: one of them may lie unknown in the directory. */
  private volatile boolean suspect;

  private volatile long compactedNanos;
  private volatile boolean compacted;
  private volatile double lastPayback;

  /** A compaction for hot rows has been requested, has not begun and still pays. */
  private volatile boolean asked;

  private volatile double askedPayback;
  private long askedNanos;

  /** A requested compaction has begun since the last turn. */
  private volatile boolean begun;

  /** Single-row reads; infinite until two turns have counted them. */
  private double getsPerSecond = Double.POSITIVE_INFINITY;

  private int getsBefore;
  private long getsNanos;

  private long agedNanos;
  private double samples;
  private double samplesInHot;

  private double caughtBest;

  /** Reads by which the rows of the present file were chosen; 0 if unknown. */
  private volatile long learntReads;

  /** Written by the tier's thread, read by compactions. */
  private volatile double caughtNow = Double.NaN;

  /** Empty if unknown. */
  private volatile double[] caughtBy = {};

  private volatile double payback = Double.POSITIVE_INFINITY;

  /**
   * @param sharePercent of its bytes that hot files may have
   * @param paybackSeconds the longest payback; 0 for no compaction of the plugin's own accord
   * @param replicas of each of its files in HDFS
   * @param onSsd whether a file has a replica on SSD
   */
  public HotStore(
      HStore store,
      int sharePercent,
      int paybackSeconds,
      int replicas,
      long flushBytes,
      Predicate<HStoreFile> onSsd) {
    this.store = store;
    this.sharePercent = sharePercent;
    this.paybackSeconds = paybackSeconds;
    this.replicas = replicas;
    this.flushBytes = flushBytes;
    this.mostFiles = (int) Math.min(Integer.MAX_VALUE, store.getBlockingFileCount() / 2);
    this.onSsd = onSsd;
    this.reads = new StoreReads(store.getColumnFamilyDescriptor().getBlocksize(), onSsd);
  }

  /**
   * Why compactions of a store cannot be split, for people; empty if they can.
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
    if (StoreFileWriter.shouldEnableHistoricalCompactionFiles(store.getReadOnlyConfiguration())) {
      return "HBase splits its compactions by version";
    }
    return "";
  }

  /** Whether this HBase passes a compaction's cells in lists; 3.0.0-alpha-4 does not. */
  public static boolean isKnown() {
    try {
      return StoreFileWriter.class.getMethod("appendAll", List.class) != null;
    } catch (NoSuchMethodException | LinkageError e) {
      return false;
    }
  }

  /** The reads of a region with these stores. */
  public static RegionHeat regionHeat(List<HotStore> stores) {
    return new RegionHeat(
        stores.stream()
            .map(of -> of.store.getColumnFamilyDescriptor().getName())
            .toArray(byte[][]::new),
        stores.stream().map(HotStore::heat).toArray(RegionHeat.StoreHeat[]::new));
  }

  public HStore store() {
    return store;
  }

  RegionHeat.StoreHeat heat() {
    return heat;
  }

  /** Blocks. */
  public double diskPerSecond() {
    return reads.diskPerSecond;
  }

  /** Blocks. */
  public double ssdPerSecond() {
    return reads.ssdPerSecond;
  }

  /** The share of single-row reads whose row is in a hot file; NaN if unknown. */
  public double caughtNow() {
    return caughtNow;
  }

  /**
   * The shares of single-row reads that files of hot rows with {@link HotMetrics#SHARES} of the
   * bytes would answer, 0 to 1; empty if unknown.
   */
  double[] caughtBy() {
    return caughtBy.clone();
  }

  /** Seconds after which a compaction for hot rows would have paid; infinite if none would. */
  double payback() {
    return payback;
  }

  /** Bytes of hot files, one replica. */
  public long hotBytes() {
    return store.getStorefiles().stream().filter(HotFiles::isOn).mapToLong(HotFiles::length).sum();
  }

  /** No split until the region reopens, and no compaction for hot rows. */
  public void commitFailed() {
    suspect = true;
    LOG.warn(
        "Could not commit the two files of a compaction of {}: no row is lost. Until the region "
            + "reopens, which reads what was renamed, its compactions keep the marks of deleted "
            + "rows and write no file of hot rows: to end that, move the region, or run 'alter' on "
            + "its table.",
        store);
  }

  /**
   * How a compaction is split; empty for one output.
   *
   * @param leavesSsd whether it takes files off SSD: updates of hot rows would follow, and each
   *     read of a hot row would be on DISK again
   * @param room bytes that hot files may take of SSD beside others, all replicas
   */
  public Optional<Split> split(
      CompactionRequestImpl request, boolean leavesSsd, long room, int hotReplicas) {
    Collection<HStoreFile> inputs = request.getFiles();
    Collection<HStoreFile> files = store.getStorefiles();
    long all = bytes(files);
    long size = bytes(inputs);
    // Of the files when HBase selected: a flush may have added one since.
    boolean whole = request.isAllFiles();
    boolean forHotRows = asked && whole;
    if (forHotRows) {
      begins();
    }
    long hotInputs = hotBytes(inputs);
    long others = hotBytes(files) - hotInputs;
    long most = Math.min(share(all) - others, room / Math.max(1, hotReplicas));
    if (suspect
        || most <= 0
        || !whole && !leavesSsd && hotInputs == 0
        || hotInputs == 0 && (whole ? 2 : files.size()) > mostFiles // one more is too many soon
        || HeatDecision.isSmall(all, flushBytes)) {
      return Optional.empty();
    }
    HeatSketch sketch = heat.sketch();
    HotThreshold now =
        sketch == null || !isRipe(sketch, files)
            ? null
            : thresholds(sketch, files).apply(whole ? Math.min(share(all), most) : share(all));
    HotSet filters = HotFiles.rows(files);
    double kept = hotInputs + others + HotFiles.FALSE_ROWS * (all - hotInputs - others);
    double fits = Math.min(1, (most + others) / Math.max(1, kept));
    if (filters != HotFiles.NONE
        && (now == null
            || !forHotRows
                && HeatDecision.keeps(fits * caughtNow, fits * kept / all, now.caught))) {
      HotSet rows = hotInputs > 0 ? HeatSketch.part(filters, fits, System.nanoTime()) : filters;
      return Optional.of(split(rows, whole ? (long) (fits * kept) : Math.min(size, most), most));
    }
    if (now == null || now.rows == 0) {
      return Optional.empty();
    }
    learntReads = hotInputs > 0 || whole ? sketch.reads() : learntReads;
    HotSet rows = sketch.frozen(now.level, now.partBelow);
    return Optional.of(split(rows, whole ? now.bytes : Math.min(size, most), most));
  }

  private static Split split(HotSet hot, long estimate, long most) {
    long within = Math.max(1, Math.min(estimate, most));
    return new Split(hot, within, Math.min((long) (within * SLACK), most));
  }

  private long share(long bytes) {
    return bytes / 100 * sharePercent;
  }

  /** Thresholds by bytes of hot rows, all of one look at the sketch. */
  private static LongFunction<HotThreshold> thresholds(
      HeatSketch sketch, Collection<HStoreFile> files) {
    long rows = rows(files);
    long[] rowsByLevel = sketch.rowsByLevel(rows);
    double[] readsByLevel = sketch.readsByLevel();
    double bytesPerRow = (double) bytes(files) / Math.max(1, rows);
    return most -> HotThreshold.of(rowsByLevel, readsByLevel, rows, bytesPerRow, most);
  }

  /** Rows that are read evenly have their part of the reads. */
  private static double[] caughtBy(HeatSketch sketch, Collection<HStoreFile> files) {
    LongFunction<HotThreshold> thresholds = thresholds(sketch, files);
    long all = bytes(files);
    return IntStream.of(HotMetrics.SHARES)
        .mapToDouble(
            percent -> Math.max(percent / 100.0, thresholds.apply(all / 100 * percent).caught))
        .toArray();
  }

  private boolean isRipe(HeatSketch sketch, Collection<HStoreFile> files) {
    return sketch.reads() >= enough(files);
  }

  /** Reads that choose the first hot rows. */
  private long enough(Collection<HStoreFile> files) {
    long rows = rows(files);
    long admitted = rows / 100 * sharePercent;
    return Math.max(LEAST_READS, Math.min(rows / ROWS_A_READ, READS_A_ROW * admitted));
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

  /** Rows in several files count more than once. */
  long rows() {
    return rows(store.getStorefiles());
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

  /** Bytes of all stores' blocks in the server's block cache. */
  long cacheBytes() {
    return store.getCacheConfig().getBlockCache().map(BlockCache::getCurrentSize).orElse(0L);
  }

  boolean isLarge() {
    return !HeatDecision.isSmall(bytes(store.getStorefiles()), flushBytes);
  }

  /** Reads HDFS's statistics and ages the counts. */
  void turn(long nowNanos) {
    List<HStoreFile> files = new ArrayList<>(store.getStorefiles());
    reads.look(files, nowNanos);
    HeatSketch sketch = heat.sketch();
    countGets(sketch != null, nowNanos);
    if (sketch == null) {
      agedNanos = nowNanos;
      payback = Double.POSITIVE_INFINITY;
      caughtNow = Double.NaN;
      caughtBy = new double[0];
      asked = false;
      forgetSamples();
      return;
    }
    caughtBy = isRipe(sketch, files) ? caughtBy(sketch, files) : new double[0];
    if (begun) {
      begun = false;
      forgetSamples();
    }
    sketch.turn();
    if (sketch.isFull() || nowNanos - agedNanos >= HALF_LIFE) {
      sketch.age();
      agedNanos = nowNanos;
    }
    int[] found = heat.take(HotFiles.rows(files));
    if (samples >= 2 * ENOUGH_SAMPLES) {
      samples /= 2;
      samplesInHot /= 2;
    }
    samples += found[0];
    samplesInHot += found[1];
    caughtNow = samples < LEAST_SAMPLES ? Double.NaN : samplesInHot / samples;
    if (samples >= ENOUGH_SAMPLES) {
      followHotRows();
    }
  }

  /** In the mean of as many turns as {@link StoreReads} counts blocks. */
  private void countGets(boolean counted, long nowNanos) {
    int all = heat.reads();
    if (!counted) {
      getsNanos = 0;
      getsPerSecond = Double.POSITIVE_INFINITY;
      return;
    }
    if (getsNanos > 0 && nowNanos > getsNanos) {
      double now = (all - getsBefore) * 1e9 / (nowNanos - getsNanos);
      getsPerSecond =
          Double.isInfinite(getsPerSecond)
              ? now
              : getsPerSecond + StoreReads.WEIGHT * (now - getsPerSecond);
    }
    getsBefore = all;
    getsNanos = nowNanos;
  }

  /**
   * Forgets the counts if other rows are hot now, since they would ask for the same file again. The
   * hot file's filter remains until enough is counted.
   */
  private void followHotRows() {
    if (caughtBest - caughtNow >= HeatDecision.DRIFT) {
      LOG.info(
          "Other rows of {} are read often now: its file of hot rows catches {} % of reads, {} "
              + "% before. Reads are counted anew, and a later compaction may replace the file. "
              + "Nothing to do.",
          store, Math.round(100 * caughtNow), Math.round(100 * caughtBest));
      heat.sketch(HeatSketch.ofRows(rows()));
      learntReads = 0;
      forgetSamples();
    } else {
      caughtBest = Math.max(caughtBest, caughtNow);
    }
  }

  private void forgetSamples() {
    samples = 0;
    samplesInHot = 0;
    caughtBest = 0;
  }

  /**
   * Whether a compaction of the whole store for its hot rows pays now.
   *
   * @param room bytes that hot files may take of SSD, all replicas
   * @param cacheBytes this store's part of the block cache, which the compaction evicts
   */
  HeatDecision decide(long room, int hotReplicas, long cacheBytes, long nowNanos) {
    Collection<HStoreFile> files = store.getStorefiles();
    long all = bytes(files);
    HeatSketch sketch = heat.sketch();
    Facts facts = new Facts();
    facts.storeBytes = all;
    facts.flushBytes = flushBytes;
    facts.replicas = replicas;
    facts.cachedBlocks =
        Math.min(all, cacheBytes) / Math.max(1, store.getColumnFamilyDescriptor().getBlocksize());
    // Scans read blocks too, which no hot row saves.
    facts.seeksPerSecond = Math.min(reads.diskPerSecond, getsPerSecond * Math.max(1, files.size()));
    facts.hasHotFile = files.stream().anyMatch(file -> HotFiles.isOn(file) && onSsd.test(file));
    if (facts.hasHotFile) {
      facts.caughtNow = Double.isNaN(caughtNow) ? 1 : caughtNow;
    }
    long enough = facts.hasHotFile ? AGAIN * enough(files) : enough(files);
    facts.ripe = sketch != null && !suspect && mostFiles > 1 && sketch.reads() >= enough;
    if (facts.ripe) {
      long known = Math.min(TIMES_LEARNT * learntReads, sketch.mostReads() / 2);
      facts.knowsMuchMore = learntReads > 0 && samples >= ENOUGH_SAMPLES && sketch.reads() >= known;
      long most = Math.min(share(all), room / Math.max(1, hotReplicas));
      facts.caught = thresholds(sketch, files).apply(most).caught;
    }
    double askedSeconds = (nowNanos - askedNanos) / 1e9;
    if (asked && askedSeconds < Math.min(PATIENCE, HeatDecision.PAYBACKS * askedPayback)) {
      facts.sinceLastSeconds = askedSeconds;
      facts.lastPaybackSeconds = askedPayback;
    } else if (compacted) {
      facts.sinceLastSeconds = (nowNanos - compactedNanos) / 1e9;
      facts.lastPaybackSeconds = lastPayback;
    }
    if (compacted && !facts.hasHotFile && files.stream().anyMatch(HotFiles::isOn)) {
      // HDFS wrote it to DISK, as where DataNodes with SSD are busy, and would write the next
      // there.
      facts.lastPaybackSeconds = Math.max(facts.lastPaybackSeconds, PAUSE / HeatDecision.PAYBACKS);
    }
    HeatDecision decision = HeatDecision.of(facts, paybackSeconds);
    if (decision.verdict != Verdict.COMPACT && decision.verdict != Verdict.TOO_SOON) {
      asked = false;
    }
    payback = decision.paybackSeconds;
    return decision;
  }

  /** A compaction for hot rows is requested. It may never begin, e.g. if others take files. */
  void asks(long nowNanos) {
    askedNanos = nowNanos;
    askedPayback = payback;
    asked = true;
  }

  /** The compaction that was requested, or another of all files. */
  private void begins() {
    asked = false;
    lastPayback = askedPayback;
    compactedNanos = System.nanoTime();
    compacted = true;
    begun = true;
  }
}
