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

import io.github.hybridhbase.guard.Jitter;
import io.github.hybridhbase.landing.LandingWarden;
import io.github.hybridhbase.landing.LandingWatch;
import io.github.hybridhbase.placement.HybridSettings;
import io.github.hybridhbase.placement.Mode;
import io.github.hybridhbase.repair.CensusChore;
import io.github.hybridhbase.repair.Enforcer;
import io.github.hybridhbase.repair.HBaseNamespaces;
import io.github.hybridhbase.repair.LandedFiles;
import io.github.hybridhbase.repair.SsdWardens;
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
 * and keeps them right: one daemon thread, {@code hybrid-keeper}, looks at them every {@code
 * hbase.hybrid.repair.period} seconds and at the room on SSD every {@code hbase.hybrid.ssd.period}
 * seconds ({@link SsdWardens}); another, {@code hybrid-census}, has misplaced files moved every
 * {@code hbase.hybrid.repair.census.period} seconds ({@link CensusChore}). Both end with the
 * master.
 *
 * <p>Append to {@code hbase.coprocessor.master.classes}; never replace what stands there.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridMasterObserver implements MasterCoprocessor, MasterObserver {
  /** Seconds after the start of the master, when regions are being opened, without a census. */
  private static final long FIRST_CENSUS_SECONDS = 120;

  /** How often, and from which age on, probe files that were left behind are deleted. */
  private static final long SWEEP_SECONDS = TimeUnit.HOURS.toSeconds(1);

  private HybridSettings settings;
  private Enforcer enforcer;
  private SsdWardens guard;
  private Connection connection;
  private ScheduledThreadPoolExecutor keeper;
  private ScheduledThreadPoolExecutor census;
  private ScheduledThreadPoolExecutor landing;

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
      enforcer = Enforcer.of(HBaseConfiguration.create(env.getConfiguration()), settings);
      enforcer.startMaster(enforcer.layout().rules(settings));
      startGuard(env.getConfiguration());
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

  private void startGuard(Configuration conf) {
    Hooks.guarded(
        "guard.start",
        () -> {
          if (settings.ssdPeriodSeconds() > 0) {
            guard = SsdWardens.of(HBaseConfiguration.create(conf), settings, enforcer.layout());
            every(thread(), 0, settings.ssdPeriodSeconds(), "guard", guard::doWork);
          }
        });
  }

  /** One thread for keeper and guard, so that the two never work at the same time. */
  private synchronized ScheduledThreadPoolExecutor thread() {
    if (keeper == null) {
      keeper = daemon("hybrid-keeper");
    }
    return keeper;
  }

  /** By now HBase has made the directories that were missing at {@link #start}. */
  @Override
  public void postStartMaster(ObserverContext<MasterCoprocessorEnvironment> ctx) {
    Hooks.guarded(
        "postStartMaster",
        () -> {
          if (enforcer != null && settings.repairPeriodSeconds() > 0) {
            every(
                thread(),
                0,
                settings.repairPeriodSeconds(),
                "keeper",
                () -> enforcer.keep(enforcer.layout().rules(settings)));
            every(thread(), 0, SWEEP_SECONDS, "sweep", this::sweep);
          }
          startLanding(ctx.getEnvironment().getConfiguration());
          startCensus(ctx.getEnvironment().getConfiguration());
        });
  }

  /** A probe takes seconds, or as long as HDFS waits for a DataNode; an hour is never reached. */
  private void sweep() {
    long before = System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(SWEEP_SECONDS);
    enforcer.sweep(enforcer.layout().rules(settings), before);
  }

  /** On a thread of its own: it asks HBase for its servers, which may take longer than SSD has. */
  private synchronized void startLanding(Configuration wrapped) throws IOException {
    if (enforcer == null) {
      return;
    }
    Configuration conf = HBaseConfiguration.create(wrapped);
    Optional<LandingWarden> warden =
        LandingWatch.warden(conf, settings, enforcer.layout().root(), connection);
    if (warden.isPresent()) {
      landing = daemon("hybrid-landing-warden");
      every(landing, 0, settings.landing().periodSeconds(), "landing", warden.get()::doWork);
    }
  }

  /** On a thread of its own: a census of a large namespace takes minutes. */
  private synchronized void startCensus(Configuration wrapped) {
    if (enforcer == null || settings.censusPeriodSeconds() == 0) {
      return;
    }
    Configuration conf = HBaseConfiguration.create(wrapped);
    HBaseNamespaces namespaces = new HBaseNamespaces(conf, enforcer.layout().root());
    ScheduledThreadPoolExecutor thread = daemon("hybrid-census");
    CensusChore chore =
        new CensusChore(
            enforcer.layout(),
            settings,
            namespaces,
            namespaces::of,
            () -> LandedFiles.now(namespaces::of, enforcer.layout(), settings, conf),
            thread::isShutdown);
    every(
        thread,
        Math.min(FIRST_CENSUS_SECONDS, settings.censusPeriodSeconds()),
        settings.censusPeriodSeconds(),
        "census",
        chore::doWork);
    census = thread;
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
            if (keeper != null) {
              // Not interrupted: what HDFS is about to answer is awaited, nothing new begins.
              keeper.shutdown();
            }
            if (census != null) {
              census.shutdown();
            }
            if (landing != null) {
              landing.shutdown();
            }
          }
        });
  }
}
