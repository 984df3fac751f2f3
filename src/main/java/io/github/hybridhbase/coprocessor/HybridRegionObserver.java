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

import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.landing.ServerLanding;
import io.github.hybridhbase.placement.Component;
import io.github.hybridhbase.placement.HybridSettings;
import io.github.hybridhbase.placement.Layout;
import io.github.hybridhbase.placement.Mode;
import io.github.hybridhbase.repair.BirthVerifier;
import io.github.hybridhbase.repair.Enforcer;
import io.github.hybridhbase.repair.FlushRescue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
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
import org.apache.hadoop.hbase.util.Pair;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Looks after what only a region knows: which store files were just born. Each is handed to the
 * server's {@link BirthVerifier}, which reads its blocks back on a thread of its own.
 *
 * <p>Append to {@code hbase.coprocessor.region.classes}; never replace what stands there.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridRegionObserver implements RegionCoprocessor, RegionObserver {
  private static final String VERIFIER = "verifier";
  private static final String RESCUE = "rescue";
  private static final String LANDING = "landing";

  /** Of the ten tries that HBase makes; from then on a probe is not trusted any more. */
  private static final int TRUSTED_TRIES = 4;

  /** Of system tables only; empty elsewhere and where the plugin is off or did not start. */
  private volatile Optional<?> rescue = Optional.empty();

  /** Tries of the flush that is under way, by family. */
  private final Map<String, Integer> flushing = new ConcurrentHashMap<>();

  /** Of user tables only; empty where the plugin is off or did not start. */
  private volatile Optional<?> landing = Optional.empty();

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
          startLanding((RegionCoprocessorEnvironment) env, shared);
          RegionInfo region = ((RegionCoprocessorEnvironment) env).getRegionInfo();
          if (region != null && region.getTable().isSystemTable()) {
            // HBase shares among all servers of a JVM, which in a test are of several clusters.
            String here = RESCUE + env.getConfiguration().get(HConstants.HBASE_DIR);
            rescue =
                (Optional<?>) shared.computeIfAbsent(here, name -> rescue(env.getConfiguration()));
          }
        });
  }

  private void startLanding(RegionCoprocessorEnvironment env, ConcurrentMap<String, Object> all) {
    RegionInfo region = env.getRegionInfo();
    if (region == null || region.getTable().isSystemTable() || env.getServerName() == null) {
      return;
    }
    String here = LANDING + env.getServerName() + env.getConfiguration().get(HConstants.HBASE_DIR);
    landing = (Optional<?>) all.computeIfAbsent(here, name -> landing(env));
  }

  private static Optional<ServerLanding> landing(RegionCoprocessorEnvironment env) {
    try {
      return ServerLanding.of(
          HBaseConfiguration.create(env.getConfiguration()),
          env.getServerName().getServerName(),
          env.getConnection()::isClosed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
    Hooks.guarded(
        "postOpen",
        () -> landing.ifPresent(at -> ((ServerLanding) at).opened(c.getEnvironment().getRegion())));
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> c, boolean abortRequested) {
    Hooks.guarded(
        "postClose",
        () -> landing.ifPresent(at -> ((ServerLanding) at).closed(c.getEnvironment().getRegion())));
  }

  @Override
  public void postBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> c,
      List<Pair<byte[], String>> stagingFamilyPaths,
      Map<byte[], List<Path>> finalPaths) {
    Hooks.guarded(
        "postBulkLoadHFile",
        () -> landing.ifPresent(at -> ((ServerLanding) at).loaded(c.getEnvironment().getRegion())));
  }

  private static Optional<BirthVerifier> verifier(Configuration conf) {
    HybridSettings settings = HybridSettings.read(conf);
    return settings.mode() == Mode.OFF || settings.verifyRate() == 0
        ? Optional.empty()
        : Optional.of(new BirthVerifier(settings));
  }

  private static Optional<FlushRescue> rescue(Configuration conf) {
    HybridSettings settings = HybridSettings.read(conf);
    if (settings.mode() == Mode.OFF || !settings.policy(Component.META).wantsSsd()) {
      return Optional.empty();
    }
    try {
      Enforcer enforcer = Enforcer.of(HBaseConfiguration.create(conf), settings);
      return Optional.of(
          new FlushRescue(
              enforcer,
              enforcer.layout().rules(settings).stream()
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
          if (rescue.isPresent()) {
            int tries = flushing.merge(store.getColumnFamilyName(), 1, Integer::sum);
            if (tries > 1) {
              ((FlushRescue) rescue.get()).call(tries > TRUSTED_TRIES);
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
          if (rescue.isPresent()) {
            flushing.remove(store.getColumnFamilyName());
          }
          born(store, resultFile);
        });
  }

  @Override
  public void postCompact(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      StoreFile resultFile,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    Hooks.guarded("postCompact", () -> born(store, resultFile));
  }

  private void born(Store store, StoreFile file) {
    if (verifier.isEmpty() || file == null) {
      return;
    }
    BirthVerifier to = (BirthVerifier) verifier.get();
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
