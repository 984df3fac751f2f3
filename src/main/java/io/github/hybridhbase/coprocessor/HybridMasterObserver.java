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

import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.page.WebUi;
import io.github.hybridhbase.placement.ClusterLook;
import io.github.hybridhbase.placement.ClusterWatch;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.PluginChecks;
import io.github.hybridhbase.placement.PluginFinder;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.placement.SsdNodesPublisher;
import io.github.hybridhbase.placement.StartCheck;
import io.github.hybridhbase.placement.TierController;
import io.github.hybridhbase.report.Report;
import io.github.hybridhbase.runtime.Action;
import io.github.hybridhbase.runtime.Backoff.Jitter;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.scan.ScanChore;
import io.github.hybridhbase.scan.ScanPace;
import io.github.hybridhbase.tier.CommitForm;
import io.github.hybridhbase.wal.fallback.HybridServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link MasterObserver} with the work that only one server does, on daemon threads: {@code
 * hybrid-space} reads the space on SSD ({@link ClusterWatch}); {@code hybrid-tier} grants the tier
 * its part; {@code hybrid-ssd-publisher} publishes the DataNodes with SSD; {@code hybrid-scan}
 * locates every replica ({@link ScanChore}); {@code hybrid-declarations} asks the servers what they
 * run.
 *
 * <p>Append to {@code hbase.coprocessor.master.classes}.
 */
@CoreCoprocessor // for the web UI, see MasterUi
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridMasterObserver implements MasterCoprocessor, MasterObserver {
  private static final Logger LOG = LoggerFactory.getLogger(HybridMasterObserver.class);

  private static final long FIRST_SCAN_SECONDS = 120;

  /**
   * Looks at the space for each at servers and at DataNodes with SSD, which are due less often yet:
   * {@link MasterPicture#mustAskServers}, {@link SsdNodesPublisher}.
   */
  private static final int LOOKS = 6;

  /** HBase's, without the wrapper of a coprocessor's environment. */
  private Configuration conf;

  private HybridSettings settings;
  private Layout layout;
  private MasterPicture picture;
  private volatile Supplier<ClusterLook> looks = () -> ClusterLook.NONE;
  private Connection connection;
  private final MasterChores chores =
      new MasterChores(() -> connection != null && connection.isClosed());

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  /**
   * @throws IOException only in {@code hbase.hybrid.mode=require}; prevents the master's start
   */
  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void start(CoprocessorEnvironment env) throws IOException {
    try {
      settings = HybridSettings.read(env.getConfiguration());
      if (settings.mode() == Mode.OFF) {
        return;
      }
      MasterCoprocessorEnvironment master = (MasterCoprocessorEnvironment) env;
      String name = String.valueOf(master.getServerName());
      connection = master.getConnection();
      // 'new Configuration' would lose the wrapper's values. The WAL provider has logged some
      // conditions already.
      LogOnChange logged =
          HybridServer.of(name).map(server -> server.logged).orElseGet(LogOnChange::new);
      conf = HBaseConfiguration.create(env.getConfiguration());
      layout = new Layout(CommonFSUtils.getRootDir(conf), CommonFSUtils.getWALRootDir(conf));
      StartCheck.log(settings, logged);
      if (settings.mode() == Mode.REQUIRE) {
        new StartCheck(conf, settings)
            .require(Component.META, layout.root().getFileSystem(conf), layout.root());
      }
      picture = new MasterPicture(settings, layout, name, () -> looks.get());
      Failures.inHook("space.start", this::watchCluster);
      Failures.inHook("page.start", () -> MasterUi.show(master, picture::report));
    } catch (IOException | RuntimeException | Error e) {
      if (settings != null && settings.mode() == Mode.REQUIRE) {
        throw e;
      }
      Failures.inHook(
          "MasterObserver.start",
          () -> {
            throw e;
          });
    }
  }

  private void watchCluster() throws IOException {
    ClusterWatch watch = ClusterWatch.of(conf, layout);
    looks = watch::last;
    chores.every("hybrid-space", 0, settings.periodSeconds(), watch::doWork, watch::close);
    SsdNodesPublisher nodes = SsdNodesPublisher.of(conf, layout);
    chores.every("hybrid-ssd-publisher", 0, rareSeconds(), nodes::doWork, () -> {});
  }

  private long rareSeconds() {
    return LOOKS * settings.periodSeconds();
  }

  /** HBase's directories exist now. */
  @Override
  public void postStartMaster(ObserverContext<MasterCoprocessorEnvironment> ctx) {
    Failures.inHook(
        "postStartMaster",
        () -> {
          if (picture != null) {
            chores.every(
                "hybrid-declarations", rareSeconds(), rareSeconds(), this::lookAtServers, () -> {});
            startTier();
            startScan();
          }
        });
  }

  private void lookAtServers() throws IOException, InterruptedException {
    picture.notice(System.currentTimeMillis());
    if (picture.mustAskServers(System.currentTimeMillis())) {
      try {
        List<ServerPlugin> plugins = new PluginFinder(conf).find(connection);
        Diagnosis said = PluginChecks.examine(conf, CommitForm.isKnown(), plugins);
        picture.servers(said, plugins, System.currentTimeMillis());
      } catch (IOException e) {
        LOG.debug("What other servers run and declare is not known now", e);
      }
    }
  }

  private void startTier() throws IOException {
    Optional<TierController> controller =
        TierController.of(conf, settings, layout.root(), () -> looks.get());
    if (controller.isPresent()) {
      picture.tier(controller.get());
      chores.every("hybrid-tier", 0, settings.periodSeconds(), controller.get()::doWork, () -> {});
    }
  }

  /** On its own thread: a large namespace takes minutes. */
  private void startScan() {
    long period = settings.get(HybridKeys.SCAN_PERIOD).toSeconds();
    if (period == 0) {
      return;
    }
    ScanPace pace = ScanPace.of(ScanPace.READS_PER_SECOND);
    ScanChore chore =
        ScanChore.of(conf, layout, settings, Namespaces.of(conf), chores::isStopped, pace);
    picture.scan(chore);
    chores.every(
        "hybrid-scan", Math.min(FIRST_SCAN_SECONDS, period), period, chore::turn, chore::close);
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void stop(CoprocessorEnvironment env) {
    Failures.inHook("MasterObserver.stop", chores::stop);
  }

  /**
   * A bridge to the web UI and the only user of HBase's private classes, so that the observer loads
   * without them.
   */
  @InterfaceAudience.Private
  private static final class MasterUi {
    private MasterUi() {}

    /** Logs if this HBase does not allow the page. Never throws. */
    static void show(MasterCoprocessorEnvironment env, Supplier<Report> snapshots) {
      try {
        InfoServer ui = of(env);
        if (ui != null) {
          WebUi.show(ui, snapshots);
          LOG.info("The placement page is available at {} of this master's web UI", WebUi.PATH);
        }
      } catch (Exception | LinkageError e) {
        LOG.info(
            "The placement page is not available at {} of the master's web UI, since"
                + " this HBase does not allow it. 'hbase-hybrid check --blocks' finds the same."
                + " ({})",
            WebUi.PATH,
            e.toString());
        LOG.debug("Why", e);
      }
    }

    private static InfoServer of(MasterCoprocessorEnvironment env) {
      if (!(env instanceof HasMasterServices)) {
        throw new IllegalStateException("the coprocessor may not see the master");
      }
      MasterServices master = ((HasMasterServices) env).getMasterServices();
      return ((HMaster) master).getInfoServer();
    }
  }

  /**
   * Daemon threads, each for one periodic work until the master ends. HBase notifies a coprocessor
   * of a stop but not of an abort, so each run checks first. Thread-safe.
   */
  static final class MasterChores {
    private final BooleanSupplier ended;
    private final List<Runnable> stops = new ArrayList<>();
    private volatile boolean stopped;

    MasterChores(BooleanSupplier ended) {
      this.ended = ended;
    }

    /**
     * {@link Jitter} spreads masters that share an HDFS.
     *
     * @param last done once at the end, after the work
     */
    synchronized void every(
        String name, long delaySeconds, long periodSeconds, Action<?> work, Action<?> last) {
      ScheduledThreadPoolExecutor thread = DaemonThreads.timer(name);
      Runnable end =
          () -> {
            if (!thread.isShutdown()) {
              thread.shutdown();
              Failures.inHook(name, last);
            }
          };
      // Does not interrupt, so that HDFS's answers are awaited.
      stops.add(() -> thread.execute(end));
      ScheduledFuture<?> unused =
          thread.scheduleWithFixedDelay(
              () -> {
                if (isStopped()) {
                  end.run();
                } else {
                  Failures.inHook(name, work);
                }
              },
              TimeUnit.SECONDS.toMillis(delaySeconds),
              Jitter.random().cut(TimeUnit.SECONDS.toMillis(periodSeconds)),
              TimeUnit.MILLISECONDS);
    }

    boolean isStopped() {
      return stopped || ended.getAsBoolean();
    }

    synchronized void stop() {
      stopped = true;
      stops.forEach(Runnable::run);
    }
  }
}
