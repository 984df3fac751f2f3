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

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hot.HotStore;
import io.github.hybridhbase.hot.RegionHeat;
import io.github.hybridhbase.runtime.Backoff.Jitter;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.LogOnChange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.CompactSplit;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The SSD tier of one RegionServer, with its daemon {@code hybrid-tier}. Thread-safe. */
@InterfaceAudience.Private
public final class TierService {
  private static final Logger LOG = LoggerFactory.getLogger(TierService.class);

  private static final String ENGINE = StoreEngine.STORE_ENGINE_CLASS_KEY;

  private final String server;
  private final HybridSettings settings;
  private final SsdTier tier;
  private final BooleanSupplier ended;
  private final WriteCalls calls;
  private final ScheduledThreadPoolExecutor thread = DaemonThreads.timer("hybrid-tier");
  private final LogOnChange troubles = new LogOnChange();

  private TierService(
      String server,
      HybridSettings settings,
      SsdTier tier,
      WriteCalls calls,
      BooleanSupplier ended) {
    this.server = server;
    this.settings = settings;
    this.tier = tier;
    this.calls = calls;
    this.ended = ended;
    // Jitter: other servers start at the same moment.
    long periodMillis = TimeUnit.SECONDS.toMillis(settings.periodSeconds());
    long cut = periodMillis - Jitter.random().cut(periodMillis);
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(this::work, cut, periodMillis + cut, TimeUnit.MILLISECONDS);
  }

  /**
   * Empty if the tier is not declared, or HDFS or this HBase cannot.
   *
   * @param regions of a region observer's environment
   */
  public static Optional<TierService> of(
      Configuration conf, String server, OnlineRegions regions, BooleanSupplier ended)
      throws IOException {
    HybridSettings settings = HybridSettings.read(conf);
    Path root = CommonFSUtils.getRootDir(conf);
    FileSystem fs = root.getFileSystem(conf);
    Optional<StorageNamespace> namespace = StorageNamespace.of(fs);
    if (!settings.tierDeclared() || namespace.isEmpty()) {
      return Optional.empty();
    }
    if (!CommitForm.isKnown()) {
      LOG.warn(
          "The SSD tier is not in force on {}: this HBase does not notify its store engine of"
              + " finished store files, so all are written as without the plugin. Run an HBase"
              + " line of docs/install.md#versions, or set {}=NONE.",
          server,
          Component.TIER.policyKey());
      return Optional.empty();
    }
    RegionServerServices services = (RegionServerServices) regions;
    SsdTier tier =
        new SsdTier(
            server,
            root,
            namespace.get(),
            new CompactionQueue((CompactSplit) services.getCompactionRequestor()),
            settings,
            HybridSettings.archiveMillis(conf),
            System::nanoTime,
            System::currentTimeMillis);
    WriteCalls calls = new WriteCalls(conf, services);
    return Optional.of(new TierService(server, settings, tier, calls, ended));
  }

  /**
   * Counts one region's reads by row and throttles its writes, if declared. Takes no lock.
   * Immutable.
   */
  public static final class Traffic {
    public static final Traffic NONE = new Traffic(HotStore.regionHeat(List.of()), null);

    private final RegionHeat heat;

    /** Null if its writes are not throttled. */
    private final WriteDelay delay;

    private Traffic(RegionHeat heat, WriteDelay delay) {
      this.heat = heat;
      this.delay = delay;
    }

    public void reads(Get get) {
      heat.read(get);
    }

    public void writes(Mutation change) {
      if (delay != null) {
        delay.before(change);
      }
    }

    public void readsAndWrites(Mutation change) {
      heat.read(change);
      writes(change);
    }

    public void checks(CheckAndMutate check) {
      heat.read(check.getRow(), check.getFamily());
      if (delay != null) {
        delay.before(true);
      }
    }
  }

  public synchronized Traffic opened(Region region) {
    sayWhatIsWrong(region.getTableDescriptor());
    List<HotStore> hot = new ArrayList<>();
    long with = 0;
    long without = 0;
    for (Store store : region.getStores()) {
      Optional<HybridStoreEngine> engine = HybridStoreEngine.of(store);
      engine.ifPresent(one -> opened(store, one, hot));
      with += engine.isPresent() ? 1 : 0;
      without += engine.isPresent() || hasEngineOfItsOwn(region, store) ? 0 : 1;
    }
    HybridMetrics.get().engines.publish(name(region), Map.of("with", with, "without", without));
    return new Traffic(HotStore.regionHeat(hot), writeDelay(region));
  }

  private static String name(Region region) {
    return region.getRegionInfo().getEncodedName();
  }

  private void sayWhatIsWrong(TableDescriptor table) {
    String problems = String.join(" ", TableSettings.problems(settings, table));
    if (troubles.changed(table.getTableName(), problems)) {
      LOG.warn(
          "The SSD tier ignores wrong settings of the table {}: {} Correct them with 'alter' in the"
              + " HBase shell.",
          table.getTableName(),
          problems);
    }
  }

  private void opened(Store store, HybridStoreEngine engine, List<HotStore> hot) {
    engine.attach(tier, settings);
    String why = engine.whyNotSplit();
    if (!why.isEmpty()) {
      LOG.info(
          "hbase.hybrid.hot.policy has no effect on the store {}, whose compactions write no "
              + "file of hot rows: {}",
          store,
          why);
    }
    if (engine.tiered != null && engine.tiered.hot != null) {
      hot.add(engine.tiered.hot);
    }
  }

  /** As check finds it. */
  private static boolean hasEngineOfItsOwn(Region region, Store store) {
    return store.getColumnFamilyDescriptor().isMobEnabled()
        || store.getColumnFamilyDescriptor().getConfigurationValue(ENGINE) != null
        || region.getTableDescriptor().getValue(ENGINE) != null;
  }

  private WriteDelay writeDelay(Region region) {
    int millis = TableSettings.of(settings, region.getTableDescriptor()).writeDelayMillis();
    return millis == 0
        ? null
        : new WriteDelay(
            (HRegion) region, HybridStoreEngine::isServed, millis, calls, System::nanoTime);
  }

  public synchronized void closed(Region region) {
    for (Store store : region.getStores()) {
      HybridStoreEngine.of(store).ifPresent(HybridStoreEngine::detach);
    }
    HybridMetrics.get().engines.forget(name(region));
    calls.closed(region.getRegionInfo().getRegionName());
  }

  private void work() {
    try {
      boolean over = ended.getAsBoolean();
      if (over) {
        thread.shutdown();
      }
      if (over || tier.ledger.stores().isEmpty()) {
        HybridMetrics.get().tier.forget(server);
        HybridMetrics.get().hot.forget(server);
      } else {
        tier.doWork();
        tier.lookAtHotRows(calls.waiting.get() == 0);
        troubles.clear(server);
      }
    } catch (IOException e) {
      String text = String.valueOf(e.getMessage());
      if (troubles.changed(server, text)) {
        LOG.warn(
            "The periodic work of the SSD tier on server {} failed: until it succeeds, no file "
                + "leaves SSD and the tier opens or closes late. It is retried by itself: {}",
            server,
            text);
      }
    } catch (Throwable t) { // or the executor would end in silence
      Failures.swallowed("A turn of the SSD tier failed; the next one goes on.", t);
    }
  }
}
