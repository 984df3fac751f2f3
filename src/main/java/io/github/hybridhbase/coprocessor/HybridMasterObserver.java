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

import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.Mode;
import io.github.hybridhbase.directory.ServerPlacement;
import io.github.hybridhbase.hdfs.HBaseNamespaces;
import io.github.hybridhbase.metrics.LogOnChange;
import io.github.hybridhbase.scan.ScanChore;
import io.github.hybridhbase.scan.TierFiles;
import io.github.hybridhbase.space.Jitter;
import io.github.hybridhbase.space.SsdSpaceMonitors;
import io.github.hybridhbase.tier.TierClusterView;
import io.github.hybridhbase.tier.TierController;
import io.github.hybridhbase.wal.HybridServer;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Declares the directory policies when a master becomes active, before RegionServers may report,
 * and keeps them right: one daemon thread, {@code hybrid-placer}, looks at them every {@code
 * hbase.hybrid.repair.period} seconds and at the space on SSD every {@code hbase.hybrid.ssd.period}
 * seconds ({@link SsdSpaceMonitors}); another, {@code hybrid-scan}, has misplaced files moved every
 * {@code hbase.hybrid.repair.census.period} seconds ({@link ScanChore}). Both end with the master.
 *
 * <p>Append to {@code hbase.coprocessor.master.classes}; never replace what stands there.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridMasterObserver implements MasterCoprocessor, MasterObserver {
  /** Seconds after the start of the master, when regions are being opened, without a scan. */
  private static final long FIRST_SCAN_SECONDS = 120;

  /** How often, and from which age on, probe files that were left behind are deleted. */
  private static final long SWEEP_SECONDS = TimeUnit.HOURS.toSeconds(1);

  private HybridSettings settings;
  private ServerPlacement placement;
  private SsdSpaceMonitors spaceMonitors;
  private Connection connection;
  private ScheduledThreadPoolExecutor placer;
  private ScheduledThreadPoolExecutor scan;
  private ScheduledThreadPoolExecutor tier;

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  /**
   * Declares the policies.
   *
   * @throws IOException in {@code hbase.hybrid.mode=require} only: the master then does not start
   */
  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void start(CoprocessorEnvironment env) throws IOException {
    try {
      settings = HybridSettings.read(env.getConfiguration());
      if (settings.mode() == Mode.OFF) {
        return;
      }
      connection = ((MasterCoprocessorEnvironment) env).getConnection();
      // A copy by 'new Configuration' would lose what the environment's wrapper holds.
      // The provider of the master's local store has said part of it.
      LogOnChange said =
          HybridServer.of(String.valueOf(((MasterCoprocessorEnvironment) env).getServerName()))
              .map(HybridServer::said)
              .orElseGet(LogOnChange::new);
      placement =
          ServerPlacement.of(HBaseConfiguration.create(env.getConfiguration()), settings, said);
      placement.startMaster(placement.layout().rules(settings));
      startSpaceMonitors(env.getConfiguration());
    } catch (IOException | RuntimeException | LinkageError e) {
      if (settings != null && settings.mode() == Mode.REQUIRE) {
        throw e;
      }
      Hooks.guarded(
          "MasterObserver.start",
          () -> {
            throw e;
          });
    }
  }

  private void startSpaceMonitors(Configuration conf) {
    Hooks.guarded(
        "space.start",
        () -> {
          if (settings.ssdPeriodSeconds() > 0) {
            spaceMonitors =
                SsdSpaceMonitors.of(HBaseConfiguration.create(conf), settings, placement.layout());
            every(thread(), 0, settings.ssdPeriodSeconds(), "space", spaceMonitors::doWork);
          }
        });
  }

  /** One thread for placement and space monitor, so that the two never work at the same time. */
  private synchronized ScheduledThreadPoolExecutor thread() {
    if (placer == null) {
      placer = daemon("hybrid-placement");
    }
    return placer;
  }

  /** By now HBase has made the directories that were missing at {@link #start}. */
  @Override
  public void postStartMaster(ObserverContext<MasterCoprocessorEnvironment> ctx) {
    Hooks.guarded(
        "postStartMaster",
        () -> {
          if (placement != null && settings.repairPeriodSeconds() > 0) {
            every(
                thread(),
                0,
                settings.repairPeriodSeconds(),
                "placement",
                () -> placement.place(placement.layout().rules(settings)));
            every(thread(), 0, SWEEP_SECONDS, "sweep", this::sweep);
          }
          startTier(ctx.getEnvironment().getConfiguration());
          startScan(ctx.getEnvironment().getConfiguration());
        });
  }

  /** A probe takes seconds, or as long as HDFS waits for a DataNode; an hour is never reached. */
  private void sweep() {
    long before = System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(SWEEP_SECONDS);
    placement.sweep(placement.layout().rules(settings), before);
  }

  /** On a thread of its own: it asks HBase for its servers, which may take longer than SSD has. */
  private synchronized void startTier(Configuration wrapped) throws IOException {
    if (placement == null) {
      return;
    }
    Configuration conf = HBaseConfiguration.create(wrapped);
    Optional<TierController> controller =
        TierClusterView.controller(conf, settings, placement.layout().root(), connection);
    if (controller.isPresent()) {
      tier = daemon("hybrid-tier-controller");
      every(tier, 0, settings.tier().periodSeconds(), "tier", controller.get()::doWork);
    }
  }

  /** On a thread of its own: a scan of a large namespace takes minutes. */
  private synchronized void startScan(Configuration wrapped) {
    if (placement == null || settings.scanPeriodSeconds() == 0) {
      return;
    }
    Configuration conf = HBaseConfiguration.create(wrapped);
    HBaseNamespaces namespaces = new HBaseNamespaces(conf, placement.layout().root());
    ScheduledThreadPoolExecutor thread = daemon("hybrid-scan");
    ScanChore chore =
        new ScanChore(
            placement.layout(),
            settings,
            namespaces,
            namespaces::of,
            () -> TierFiles.now(namespaces::of, placement.layout(), settings, conf),
            thread::isShutdown);
    every(
        thread,
        Math.min(FIRST_SCAN_SECONDS, settings.scanPeriodSeconds()),
        settings.scanPeriodSeconds(),
        "scan",
        chore::doWork);
    scan = thread;
  }

  private static ScheduledThreadPoolExecutor daemon(String name) {
    return new ScheduledThreadPoolExecutor(
        1, new ThreadFactoryBuilder().setNameFormat(name).setDaemon(true).build());
  }

  /**
   * Does the work again and again until the master ends. HBase calls {@link #stop} for a master
   * that is told to stop but not for one that aborts; either closes its connection. The pauses are
   * cut a little, so that masters on one HDFS do not go on together.
   */
  private void every(
      ScheduledThreadPoolExecutor thread,
      long delaySeconds,
      long periodSeconds,
      String what,
      Hooks.Action work) {
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(
            () -> {
              if (connection != null && connection.isClosed()) {
                thread.shutdown();
              } else {
                Hooks.guarded(what, work);
              }
            },
            TimeUnit.SECONDS.toMillis(delaySeconds),
            Jitter.random().cut(TimeUnit.SECONDS.toMillis(periodSeconds)),
            TimeUnit.MILLISECONDS);
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void stop(CoprocessorEnvironment env) {
    Hooks.guarded(
        "MasterObserver.stop",
        () -> {
          synchronized (this) {
            if (placer != null) {
              // Not interrupted: what HDFS is about to answer is awaited, nothing new begins.
              placer.shutdown();
            }
            if (scan != null) {
              scan.shutdown();
            }
            if (tier != null) {
              tier.shutdown();
            }
          }
        });
  }
}
