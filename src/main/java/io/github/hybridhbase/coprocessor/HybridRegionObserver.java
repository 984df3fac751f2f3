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
package io.github.hybridhbase.coprocessor;

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.Mode;
import io.github.hybridhbase.directory.FlushFallback;
import io.github.hybridhbase.directory.ServerPlacement;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.placement.Layout;
import io.github.hybridhbase.scan.NewFileVerifier;
import io.github.hybridhbase.tier.TierService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Looks after what only a region knows: which store files were just written. Each is handed to the
 * server's {@link NewFileVerifier}, which reads its blocks back on a thread of its own.
 *
 * <p>Append to {@code hbase.coprocessor.region.classes}; never replace what stands there.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridRegionObserver implements RegionCoprocessor, RegionObserver {
  private static final String VERIFIER = "verifier";
  private static final String FLUSH_FALLBACK = "rescue";
  private static final String TIER = "tier";

  /** Of the ten tries that HBase makes; from then on a probe is not trusted any more. */
  private static final int TRUSTED_TRIES = 4;

  /** Of system tables only; empty elsewhere and where the plugin is off or did not start. */
  private volatile Optional<?> flushFallback = Optional.empty();

  /** Tries of the flush that is under way, by family. */
  private final Map<String, Integer> flushing = new ConcurrentHashMap<>();

  /** Of user tables only; empty where the plugin is off or did not start. */
  private volatile Optional<?> tierService = Optional.empty();

  /** Empty where the plugin is off, checks nothing, or did not start. */
  private volatile Optional<?> verifier = Optional.empty();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void start(CoprocessorEnvironment env) {
    Hooks.guarded(
        "RegionObserver.start",
        () -> {
          // One of each for all regions of the server.
          ConcurrentMap<String, Object> shared =
              ((RegionCoprocessorEnvironment) env).getSharedData();
          verifier =
              (Optional<?>)
                  shared.computeIfAbsent(VERIFIER, name -> verifier(env.getConfiguration()));
          startTier((RegionCoprocessorEnvironment) env, shared);
          RegionInfo region = ((RegionCoprocessorEnvironment) env).getRegionInfo();
          if (region != null && region.getTable().isSystemTable()) {
            // HBase shares among all servers of a JVM, which in a test are of several clusters.
            String here = FLUSH_FALLBACK + env.getConfiguration().get(HConstants.HBASE_DIR);
            flushFallback =
                (Optional<?>)
                    shared.computeIfAbsent(here, name -> flushFallback(env.getConfiguration()));
          }
        });
  }

  private void startTier(RegionCoprocessorEnvironment env, ConcurrentMap<String, Object> all) {
    RegionInfo region = env.getRegionInfo();
    if (region == null || region.getTable().isSystemTable() || env.getServerName() == null) {
      return;
    }
    String here = TIER + env.getServerName() + env.getConfiguration().get(HConstants.HBASE_DIR);
    tierService = (Optional<?>) all.computeIfAbsent(here, name -> tierService(env));
  }

  private static Optional<TierService> tierService(RegionCoprocessorEnvironment env) {
    try {
      return TierService.of(
          HBaseConfiguration.create(env.getConfiguration()),
          env.getServerName().getServerName(),
          env.getOnlineRegions(),
          env.getConnection()::isClosed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
    Hooks.guarded(
        "postOpen",
        () ->
            tierService.ifPresent(at -> ((TierService) at).opened(c.getEnvironment().getRegion())));
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> c, boolean abortRequested) {
    Hooks.guarded(
        "postClose",
        () ->
            tierService.ifPresent(at -> ((TierService) at).closed(c.getEnvironment().getRegion())));
  }

  private static Optional<NewFileVerifier> verifier(Configuration conf) {
    HybridSettings settings = HybridSettings.read(conf);
    return settings.mode() == Mode.OFF || settings.verifyRate() == 0
        ? Optional.empty()
        : Optional.of(new NewFileVerifier(settings));
  }

  private static Optional<FlushFallback> flushFallback(Configuration conf) {
    HybridSettings settings = HybridSettings.read(conf);
    if (settings.mode() == Mode.OFF || !settings.policy(Component.META).wantsSsd()) {
      return Optional.empty();
    }
    try {
      ServerPlacement placement = ServerPlacement.of(HBaseConfiguration.create(conf), settings);
      return Optional.of(
          new FlushFallback(
              placement,
              placement.layout().rules(settings).stream()
                  .filter(rule -> rule.component() == Component.META)
                  .collect(Collectors.toList())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * HBase calls this at every try of a store's flush and says nothing of one that failed. A second
   * try without an end of the first is one that failed.
   */
  @Override
  public InternalScanner preFlush(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      InternalScanner scanner,
      FlushLifeCycleTracker tracker) {
    Hooks.guarded(
        "preFlush",
        () -> {
          if (flushFallback.isPresent()) {
            int tries = flushing.merge(store.getColumnFamilyName(), 1, Integer::sum);
            if (tries > 1) {
              ((FlushFallback) flushFallback.get()).call(tries > TRUSTED_TRIES);
            }
          }
        });
    return scanner;
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      StoreFile resultFile,
      FlushLifeCycleTracker tracker) {
    Hooks.guarded(
        "postFlush",
        () -> {
          if (flushFallback.isPresent()) {
            flushing.remove(store.getColumnFamilyName());
          }
          written(store, resultFile);
        });
  }

  @Override
  public void postCompact(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      StoreFile resultFile,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    Hooks.guarded("postCompact", () -> written(store, resultFile));
  }

  private void written(Store store, StoreFile file) {
    if (verifier.isEmpty() || file == null) {
      return;
    }
    NewFileVerifier to = (NewFileVerifier) verifier.get();
    RegionInfo region = store.getRegionInfo();
    ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
    Component component =
        Layout.componentOfTable(
            region.getTable().getNamespaceAsString(), region.getTable().getQualifierAsString());
    HdfsNamespace.of(store.getFileSystem())
        .ifPresent(
            namespace ->
                to.submit(
                    namespace,
                    file.getPath(),
                    component,
                    region.getTable() + ":" + family.getNameAsString(),
                    family.getStoragePolicy()));
  }
}
