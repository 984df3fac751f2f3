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

import io.github.hybridhbase.directory.FlushFallback;
import io.github.hybridhbase.directory.FlushTries;
import io.github.hybridhbase.scan.NewFileVerifier;
import io.github.hybridhbase.tier.HybridStoreEngine;
import io.github.hybridhbase.tier.TierService;
import io.github.hybridhbase.tier.WriteDelay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Hands on what only a region knows: store files that were just written to the {@link
 * NewFileVerifier}, stores that open and close to the {@link TierService}, tries of a system
 * table's flush to {@link FlushTries}, writes to {@link WriteDelay}. Decides nothing.
 *
 * <p>Append to {@code hbase.coprocessor.region.classes}; never replace what stands there.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridRegionObserver implements RegionCoprocessor, RegionObserver {
  /** Makes what all regions of a server share. */
  private interface Maker<T> {
    Optional<T> make() throws IOException;
  }

  /** Empty where the plugin is off, checks nothing, or did not start. */
  private volatile Optional<NewFileVerifier> verifier = Optional.empty();

  /** Of user tables only; empty where the plugin is off or did not start. */
  private volatile Optional<TierService> tierService = Optional.empty();

  /** Of an open region of a user table; empty where no write waits. */
  private volatile Optional<WriteDelay> delay = Optional.empty();

  /** One for all writes of the region. */
  private final Hooks.ActionOn<Mutation> beforeWrite = this::delay;

  private final Hooks.Action beforeCheck = () -> delay.ifPresent(WriteDelay::beforeCheck);

  /** Of system tables only; empty elsewhere and where the plugin is off or did not start. */
  private volatile Optional<FlushTries> flushes = Optional.empty();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void start(CoprocessorEnvironment env) {
    Hooks.guarded("RegionObserver.start", () -> start((RegionCoprocessorEnvironment) env));
  }

  private void start(RegionCoprocessorEnvironment env) {
    Configuration conf = ofServer(env);
    verifier = shared(env, "verifier", () -> NewFileVerifier.of(conf));
    RegionInfo region = env.getRegionInfo();
    if (region == null) {
      return;
    }
    // HBase shares among all servers of a JVM, which in a test are of several clusters.
    String root = conf.get(HConstants.HBASE_DIR);
    if (region.getTable().isSystemTable()) {
      flushes =
          shared(
                  env,
                  "flush fallback" + root,
                  () -> FlushFallback.ofSystemTables(HBaseConfiguration.create(conf)))
              .map(FlushTries::new);
      flushes.ifPresent(any -> HybridStoreEngine.nameIn(conf)); // it tells what failed a flush
    } else if (env.getServerName() != null) {
      tierService =
          shared(
              env,
              "tier" + env.getServerName() + root,
              () ->
                  TierService.of(
                      HBaseConfiguration.create(conf),
                      env.getServerName().getServerName(),
                      env.getOnlineRegions(),
                      env.getConnection()::isClosed));
      tierService.ifPresent(at -> at.engineInto(conf));
      if (!env.getRegion().getStores().isEmpty()) {
        opened(env.getRegion()); // HBase loads coprocessors anew where their configuration changes
      }
    }
  }

  /**
   * The server's, for what all its regions share. The environment's has the table's values as well,
   * so that the first table to open would decide for all.
   */
  private static Configuration ofServer(RegionCoprocessorEnvironment env) {
    return env.getOnlineRegions() instanceof RegionServerServices
        ? ((RegionServerServices) env.getOnlineRegions()).getConfiguration()
        : env.getConfiguration();
  }

  private void opened(Region region) {
    tierService.ifPresent(at -> at.opened(region));
    delay = tierService.flatMap(at -> at.writeDelay(region));
  }

  /** One for all regions of the server. */
  @SuppressWarnings("unchecked") // what is kept under a name was made under it
  private static <T> Optional<T> shared(
      RegionCoprocessorEnvironment env, String name, Maker<T> maker) {
    return (Optional<T>)
        env.getSharedData()
            .computeIfAbsent(
                name,
                any -> {
                  try {
                    return maker.make();
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
    Hooks.guarded("postOpen", () -> opened(c.getEnvironment().getRegion()));
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> c, boolean abortRequested) {
    Hooks.guarded(
        "postClose", () -> tierService.ifPresent(at -> at.closed(c.getEnvironment().getRegion())));
  }

  @Override
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit) {
    Hooks.guarded("prePut", beforeWrite, put);
  }

  @Override
  public void preDelete(
      ObserverContext<RegionCoprocessorEnvironment> c, Delete delete, WALEdit edit) {
    Hooks.guarded("preDelete", beforeWrite, delete);
  }

  @Override
  public Result preAppend(
      ObserverContext<RegionCoprocessorEnvironment> c, Append append, WALEdit edit) {
    Hooks.guarded("preAppend", beforeWrite, append);
    return null;
  }

  @Override
  public Result preIncrement(
      ObserverContext<RegionCoprocessorEnvironment> c, Increment increment, WALEdit edit) {
    Hooks.guarded("preIncrement", beforeWrite, increment);
    return null;
  }

  /** HBase calls this before it locks the row; the hooks above follow while it is locked. */
  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      CheckAndMutate checkAndMutate,
      CheckAndMutateResult result) {
    Hooks.guarded("preCheckAndMutate", beforeCheck);
    return result;
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> c, List<Pair<byte[], String>> familyPaths) {
    Hooks.guarded("preBulkLoadHFile", () -> delay.ifPresent(WriteDelay::beforeBulkLoad));
  }

  private void delay(Mutation change) {
    Optional<WriteDelay> of = delay;
    if (of.isPresent()) {
      of.get().beforeWrite(change);
    }
  }

  /** HBase calls this at every try of a store's flush. */
  @Override
  public InternalScanner preFlush(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      InternalScanner scanner,
      FlushLifeCycleTracker tracker) {
    Hooks.guarded(
        "preFlush",
        () ->
            flushes.ifPresent(
                all ->
                    all.tried(store.getColumnFamilyName(), HybridStoreEngine.flushFailure(store))));
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
          flushes.ifPresent(all -> all.done(store.getColumnFamilyName()));
          verifier.ifPresent(to -> to.submit(store, resultFile));
        });
  }

  @Override
  public void postCompact(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      StoreFile resultFile,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    Hooks.guarded("postCompact", () -> verifier.ifPresent(to -> to.submit(store, resultFile)));
  }
}
