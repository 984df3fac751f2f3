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

import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.IoSupplier;
import io.github.hybridhbase.tier.HybridStoreEngine;
import io.github.hybridhbase.tier.TierService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A {@link RegionObserver} that only delegates to {@link TierService}. Append to {@code
 * hbase.coprocessor.region.classes}.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridRegionObserver implements RegionCoprocessor, RegionObserver {
  private volatile Optional<TierService> tierService = Optional.empty();

  private volatile TierService.Traffic traffic = TierService.Traffic.NONE;

  // Shared, to avoid an allocation per call.
  private final Consumer<Get> beforeGet = get -> traffic.reads(get);
  private final Consumer<Mutation> beforeWrite = change -> traffic.writes(change);
  private final Consumer<Mutation> beforeReadAndWrite = change -> traffic.readsAndWrites(change);
  private final Consumer<CheckAndMutate> beforeCheck = check -> traffic.checks(check);

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void start(CoprocessorEnvironment env) {
    Failures.inHook("RegionObserver.start", () -> start((RegionCoprocessorEnvironment) env));
  }

  private void start(RegionCoprocessorEnvironment env) {
    Configuration conf = ofServer(env);
    RegionInfo region = env.getRegionInfo();
    if (region == null) {
      return;
    }
    // HBase shares data among all servers of a JVM.
    String root = conf.get(HConstants.HBASE_DIR);
    if (!region.getTable().isSystemTable() && env.getServerName() != null) {
      tierService =
          shared(
              env,
              "tier" + env.getServerName() + root,
              () ->
                  TierService.of(
                      copy(conf),
                      env.getServerName().getServerName(),
                      env.getOnlineRegions(),
                      env.getConnection()::isClosed));
      tierService.ifPresent(at -> HybridStoreEngine.nameIn(conf));
      if (!env.getRegion().getStores().isEmpty()) {
        opened(env.getRegion()); // HBase reloads coprocessors if their configuration changes
      }
    }
  }

  /**
   * The environment's includes the table's values, so the first table to open would decide for all.
   */
  private static Configuration ofServer(RegionCoprocessorEnvironment env) {
    return env.getOnlineRegions() instanceof RegionServerServices
        ? ((RegionServerServices) env.getOnlineRegions()).getConfiguration()
        : env.getConfiguration();
  }

  /** Microseconds: HBaseConfiguration.create reads all defaults again. */
  private static Configuration copy(Configuration conf) {
    // The copy of a wrapper would lose the wrapper's values.
    return conf.getClass() == Configuration.class
        ? new Configuration(conf)
        : HBaseConfiguration.create(conf);
  }

  private void opened(Region region) {
    tierService.ifPresent(at -> traffic = at.opened(region));
  }

  @SuppressWarnings("unchecked")
  private static <T> Optional<T> shared(
      RegionCoprocessorEnvironment env, String name, IoSupplier<Optional<T>> maker) {
    return (Optional<T>)
        env.getSharedData()
            .computeIfAbsent(
                name,
                any -> {
                  try {
                    return maker.get();
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
    Failures.inHook("postOpen", () -> opened(c.getEnvironment().getRegion()));
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> c, boolean abortRequested) {
    Failures.inHook(
        "postClose", () -> tierService.ifPresent(at -> at.closed(c.getEnvironment().getRegion())));
  }

  /** Also for each Get of a batch and each test of existence. */
  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> results) {
    Failures.inHook("preGetOp", beforeGet, get);
  }

  @Override
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit) {
    Failures.inHook("prePut", beforeWrite, put);
  }

  @Override
  public void preDelete(
      ObserverContext<RegionCoprocessorEnvironment> c, Delete delete, WALEdit edit) {
    Failures.inHook("preDelete", beforeWrite, delete);
  }

  @Override
  public Result preAppend(
      ObserverContext<RegionCoprocessorEnvironment> c, Append append, WALEdit edit) {
    Failures.inHook("preAppend", beforeReadAndWrite, append);
    return null;
  }

  @Override
  public Result preIncrement(
      ObserverContext<RegionCoprocessorEnvironment> c, Increment increment, WALEdit edit) {
    Failures.inHook("preIncrement", beforeReadAndWrite, increment);
    return null;
  }

  /** Before the row lock; the hooks above run under it. */
  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      CheckAndMutate checkAndMutate,
      CheckAndMutateResult result) {
    Failures.inHook("preCheckAndMutate", beforeCheck, checkAndMutate);
    return result;
  }
}
