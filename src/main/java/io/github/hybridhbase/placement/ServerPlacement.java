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
package io.github.hybridhbase.placement;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.DirectoryAction.Kind;
import io.github.hybridhbase.placement.DirectoryEnforcer.By;
import io.github.hybridhbase.placement.SpaceSnapshot.ProbeResult;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.WalFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The declared placement on behalf of one server: it places directories, logs each observation
 * once, and in {@link Mode#REQUIRE} refuses the start. Thread-safe.
 */
@InterfaceAudience.Private
public final class ServerPlacement {
  private static final Logger LOG = LoggerFactory.getLogger(ServerPlacement.class);

  private final HybridSettings settings;
  private final Layout layout;
  private final Namespaces namespaces;
  private final By by;
  private final Configuration conf;
  private final long walBlockSize;
  private final LogOnChange logged;

  /** For a master. */
  public ServerPlacement(
      HybridSettings settings,
      Layout layout,
      Namespaces namespaces,
      Configuration conf,
      LogOnChange logged) {
    this(settings, layout, namespaces, conf, logged, By.MASTER);
  }

  private ServerPlacement(
      HybridSettings settings,
      Layout layout,
      Namespaces namespaces,
      Configuration conf,
      LogOnChange logged,
      By by) {
    this.settings = settings;
    this.layout = layout;
    this.namespaces = namespaces;
    this.walBlockSize = WalFiles.configuredBlockSize(conf);
    this.by = by;
    this.conf = conf;
    this.logged = logged;
  }

  /**
   * For a server other than the active master, which changes nothing that a record declares
   * otherwise.
   */
  public ServerPlacement ofRegionServer() {
    return new ServerPlacement(settings, layout, namespaces, conf, logged, By.SERVER);
  }

  private DirectoryEnforcer enforcer(boolean proveAlways, ProbeBudget probes) {
    return new DirectoryEnforcer(namespaces, walBlockSize, proveAlways, probes, by);
  }

  /**
   * @param conf with {@code hbase.rootdir} set
   * @throws IOException if the root directory cannot be resolved
   */
  public static ServerPlacement of(Configuration conf, HybridSettings settings) throws IOException {
    return of(conf, settings, new LogOnChange());
  }

  public static ServerPlacement of(Configuration conf, HybridSettings settings, LogOnChange logged)
      throws IOException {
    Layout layout = new Layout(CommonFSUtils.getRootDir(conf), CommonFSUtils.getWALRootDir(conf));
    return new ServerPlacement(
        settings, layout, new Namespaces.OfHBase(conf, layout), conf, logged);
  }

  public Layout layout() {
    return layout;
  }

  /**
   * Places directories at a server's start.
   *
   * @throws IOException in {@link Mode#REQUIRE} only, if the configuration is wrong or the
   *     placement cannot hold; the message names all causes and remedies. Neither a demotion
   *     refuses a start, nor an unknown probe if the policy is in force
   */
  public void start(List<DirectoryRule> rules) throws IOException {
    try (ProbeBudget probes = probes()) {
      start(rules, probes);
    }
  }

  /** HDFS waits over a minute for a hanging DataNode, which a start must not. */
  private ProbeBudget probes() {
    return new ProbeBudget(settings.fallbackMillis());
  }

  /** For a master that places nothing. */
  public void observe() {
    logSettings();
    LOG.info(
        "hbase.hybrid.mode={}: this master compares the cluster with the declaration and places"
            + " nothing. The page /hybrid and 'hbase-hybrid audit' show what would be placed.",
        settings.mode().label());
  }

  public void logSettings() {
    logSettings(settings, logged);
  }

  /**
   * Like {@link #logSettings()}, on a server that places nothing.
   *
   * @param logged shared by the WAL provider and the observer of a master
   */
  public static void logSettings(HybridSettings settings, LogOnChange logged) {
    settings.summary().filter(text -> logged.changed(text, text)).ifPresent(LOG::info);
    settings.warnings().stream().filter(text -> logged.changed(text, text)).forEach(LOG::warn);
    settings.problems().stream().filter(text -> logged.changed(text, text)).forEach(LOG::error);
  }

  private void start(List<DirectoryRule> rules, ProbeBudget probes) throws IOException {
    logSettings();
    restore(rules, probes);
    List<DirectoryAction.Result> results =
        enforcer(settings.mode() == Mode.REQUIRE, probes).place(rules);
    report(results);
    if (settings.mode() != Mode.REQUIRE) {
      return;
    }
    List<String> missing = new ArrayList<>(settings.problems());
    for (DirectoryAction.Result result : results) {
      if (result.kind() == Kind.DEMOTED) {
        // One server less would not help.
        LOG.error("Placement: {}", result);
      } else if (!result.kind().holds()) {
        missing.add(result.toString());
      }
    }
    if (!missing.isEmpty()) {
      throw new IOException(
          "hbase.hybrid.mode=require: the placement cannot hold, so this server does not start."
              + " Fix what follows, or set hbase.hybrid.mode=prefer. "
              + String.join(" ", missing));
    }
  }

  /**
   * Like {@link #start}, for a master. Outside {@link Mode#REQUIRE} it first demotes directories
   * that SSD refuses, since a master writes there before any writer of the plugin runs. It also
   * reports settings that work against the placement. Probes and the reading of SSD's space
   * together take at most {@code hbase.hybrid.ssd.fallback.timeout}.
   *
   * @throws IOException in {@link Mode#REQUIRE} only
   */
  public void startMaster(List<DirectoryRule> rules) throws IOException {
    startMaster(rules, () -> StartChecks.room(conf, settings, rules));
  }

  public void startMaster(List<DirectoryRule> rules, Callable<Optional<String>> look)
      throws IOException {
    List<String> findings = new ArrayList<>();
    try (ProbeBudget probes = probes()) {
      Future<Optional<String>> room = probes.beside(look);
      if (settings.mode() != Mode.REQUIRE) {
        SsdDemoter start = new SsdDemoter(namespaces, walBlockSize, probes);
        for (DirectoryRule rule : rules) {
          if (isMonitored(rule)) {
            demote(start, rule, false);
          }
        }
      }
      for (Finding finding : StartChecks.findings(conf, rules)) {
        String text = finding.line();
        boolean news = logged.changed(text, text);
        if (StartChecks.refusesStart(finding)) {
          findings.add(text);
          if (news) {
            log(text);
          }
        } else if (news) {
          LOG.warn("Placement: {}", text);
        }
      }
      try {
        start(rules, probes);
      } finally {
        Optional<String> small = probes.answer(room);
        small.ifPresent(text -> log(text));
        small.ifPresent(findings::add);
      }
    }
    if (settings.mode() == Mode.REQUIRE && !findings.isEmpty()) {
      throw new IOException(
          "hbase.hybrid.mode=require: what follows works against the placement, so this server does"
              + " not start. Fix it, or set hbase.hybrid.mode=prefer. "
              + String.join(" ", findings));
    }
  }

  boolean takesWrites(DirectoryRule rule) {
    try {
      Optional<StorageNamespace> namespace = namespaces.of(rule);
      return namespace.isEmpty() || namespace.get().takesWrites();
    } catch (IOException | RuntimeException e) {
      LOG.debug("The NameNode of {} is unavailable", rule, e);
      return false;
    }
  }

  /**
   * Demotes a directory from SSD; probes take at most {@code hbase.hybrid.ssd.fallback.timeout}.
   *
   * @param surely whether to demote even if SSD accepts a probe block: HBase is about to give up
   */
  public boolean demote(DirectoryRule rule, boolean surely) {
    try (ProbeBudget probes = probes()) {
      return demote(new SsdDemoter(namespaces, walBlockSize, probes), rule, surely);
    }
  }

  private boolean demote(SsdDemoter through, DirectoryRule rule, boolean surely) {
    try {
      if (rule.policy().wantsSsd()
          && settings.mode().places()
          && through.wantsSsdNow(rule)
          && (surely || through.probe(rule) == ProbeResult.REFUSED)
          && through.demote(rule)) {
        LOG.warn(
            "SSD refuses blocks, or flushes to it do not end: new files of {} in {} go to DISK "
                + "(policy HOT) until the active master restores {} by itself; "
                + "existing files stay. Look for full or failed SSD volumes: hdfs dfsadmin -report",
            rule.component().label(),
            rule.path(),
            rule.policy());
        return true;
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Could not probe whether SSD takes blocks for {}; the policy stays as it is. {}",
          rule,
          HdfsError.of(e).explain());
    }
    return false;
  }

  /**
   * Whether the space monitor demotes and restores the directory: user data and archive it leaves
   * alone.
   */
  private static boolean isMonitored(DirectoryRule rule) {
    return SpacePolicy.ORDER.contains(rule.component());
  }

  /**
   * Restores what no space monitor does: all with {@code hbase.hybrid.ssd.period=0}, and user data,
   * which older versions demoted at a master's start.
   */
  private void restore(List<DirectoryRule> rules, ProbeBudget probes) {
    if (by != By.MASTER) {
      return;
    }
    boolean monitored = settings.ssdPeriodSeconds() > 0;
    SsdDemoter through = new SsdDemoter(namespaces, walBlockSize, probes);
    for (DirectoryRule rule : rules) {
      try {
        if (rule.policy().wantsSsd()
            && !(monitored && isMonitored(rule))
            && through.isDemoted(rule)
            && through.probe(rule) == ProbeResult.GOOD
            && through.restore(rule)) {
          LOG.info(
              "SSD takes blocks again: new files of {} in {} go to SSD (policy {}). Nothing to do.",
              rule.component().label(),
              rule.path(),
              rule.policy());
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("{} could not be restored", rule, e);
      }
    }
  }

  /** Places directories while the server runs, in every mode as {@link Mode#PREFER}. */
  public List<DirectoryAction.Result> place(List<DirectoryRule> rules) {
    restore(rules, ProbeBudget.unlimited());
    List<DirectoryAction.Result> results = enforcer(false, ProbeBudget.unlimited()).place(rules);
    report(results);
    return results;
  }

  /**
   * Deletes probe files of dead servers. Never throws.
   *
   * @param before milliseconds since 1970; younger ones may be in use
   */
  public void sweep(List<DirectoryRule> rules, long before) {
    for (DirectoryRule rule : rules) {
      try {
        Optional<StorageNamespace> namespace = namespaces.of(rule);
        int swept = namespace.isEmpty() ? 0 : namespace.get().sweepProbes(rule.path(), before);
        if (swept > 0) {
          LOG.info(
              "Deleted {} old probe files in {}, which servers left that ended meanwhile. Nothing "
                  + "to do.",
              swept,
              rule.path());
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("Could not look for old probe files in {}", rule, e);
      }
    }
  }

  private void report(List<DirectoryAction.Result> results) {
    if (Thread.currentThread().isInterrupted()) {
      return; // the server stops, so not all was read
    }
    Set<Path> following = new HashSet<>();
    results.stream()
        .filter(DirectoryAction.Result::follows)
        .forEach(one -> following.add(one.component()));
    for (DirectoryAction.Result result : results) {
      Kind kind = result.kind();
      if (result.follows()) {
        followed(result);
        continue;
      }
      if ((kind == Kind.RIGHT || kind == Kind.SET) && !following.contains(result.component())) {
        // An admin's policy above is then logged again.
        logged.clear(result.component());
      }
      String text = result.toString();
      boolean news = logged.changed(result.rule().path(), text);
      if (kind == Kind.SET && result.detail().isEmpty()) {
        LOG.info("Placed {}", text);
      } else if (kind == Kind.SET || (news && !result.detail().isEmpty())) {
        if (kind == Kind.NO_XATTRS) {
          LOG.warn("Not placed: {}", text);
        } else if (kind == Kind.NO_POLICIES || kind == Kind.HELD) {
          LOG.info("Not placed: {}", text);
        } else if (kind != Kind.DEMOTED) {
          log(text);
        }
      }
    }
  }

  private void followed(DirectoryAction.Result result) {
    DirectoryRule rule = result.rule();
    if (result.kind() == Kind.RESTORE) {
      LOG.info(
          "The plugin removed the policy that it had set on {}: an admin's policy above "
              + "HBase's root applies there instead, see the finding policy-above",
          rule.path());
    }
    logged.clear(rule.path());
    String why = result.reason();
    if (logged.changed(result.component(), why)) {
      LOG.warn("Placement: {}", why);
    }
  }

  private void log(String text) {
    if (settings.mode() == Mode.REQUIRE) {
      LOG.error("Placement: {}", text);
    } else {
      LOG.warn("Placement: {}", text);
    }
  }
}
