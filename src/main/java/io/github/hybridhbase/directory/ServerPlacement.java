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
package io.github.hybridhbase.directory;

import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.Mode;
import io.github.hybridhbase.hdfs.HBaseNamespaces;
import io.github.hybridhbase.hdfs.HdfsRefusal;
import io.github.hybridhbase.hdfs.PlacementNamespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.placement.Layout;
import io.github.hybridhbase.space.SpaceSnapshot.ProbeResult;
import io.github.hybridhbase.space.SsdDemoter;
import io.github.hybridhbase.space.StartProbes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enforces the declared placement on behalf of one server: keeps directories, says each thing once,
 * and in {@link Mode#REQUIRE} refuses the start. Safe to call from any thread.
 */
@InterfaceAudience.Private
public final class ServerPlacement {
  private static final Logger LOG = LoggerFactory.getLogger(ServerPlacement.class);

  /** What was said of the configuration in this process. */
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  /** What was last said of a directory in this process, so that a standing trouble is said once. */
  private static final Map<Path, String> SAID_OF = new ConcurrentHashMap<>();

  /** The kinds of a directory that follows its declaration. */
  private static final Set<DirectoryResult.Kind> PLACED =
      EnumSet.of(DirectoryResult.Kind.RIGHT, DirectoryResult.Kind.SET);

  private final HybridSettings settings;
  private final Layout layout;
  private final PlacementNamespaces namespaces;
  private final DirectoryPlacer placer;
  private final SsdDemoter demoter;
  private final Configuration conf;
  private final long walBlockSize;

  public ServerPlacement(
      HybridSettings settings, Layout layout, PlacementNamespaces namespaces, Configuration conf) {
    this.settings = settings;
    this.layout = layout;
    this.namespaces = namespaces;
    this.walBlockSize = conf.getLong("hbase.regionserver.hlog.blocksize", 0);
    this.placer = new DirectoryPlacer(namespaces, walBlockSize, false);
    this.demoter = new SsdDemoter(namespaces, walBlockSize);
    this.conf = conf;
  }

  /**
   * Makes the enforcer of a server.
   *
   * @param conf the server's configuration, with {@code hbase.rootdir} set
   * @throws IOException where the root directory cannot be named
   */
  public static ServerPlacement of(Configuration conf, HybridSettings settings) throws IOException {
    Layout layout = new Layout(CommonFSUtils.getRootDir(conf), CommonFSUtils.getWALRootDir(conf));
    return new ServerPlacement(settings, layout, new HBaseNamespaces(conf, layout.root()), conf);
  }

  /** Where this server's HBase keeps its components. */
  public Layout layout() {
    return layout;
  }

  /**
   * Keeps directories as a server starts.
   *
   * @throws IOException in {@link Mode#REQUIRE} only, where the configuration is wrong or the
   *     placement cannot hold; its message names everything that is missing and what remedies it.
   *     What the space monitor keeps away from SSD refuses no start, or a server that crashes
   *     meanwhile would be missing too; nor does a probe of a directory that has its policy and is
   *     not answered in time
   */
  public void start(List<DirectoryRule> rules) throws IOException {
    try (StartProbes probes = probes()) {
      start(rules, probes);
    }
  }

  /** HDFS waits a minute and more for a DataNode that hangs; a start does not. */
  private StartProbes probes() {
    return new StartProbes(settings.fallbackMillis());
  }

  private void start(List<DirectoryRule> rules, StartProbes probes) throws IOException {
    // A master opens two doors, the WAL provider and the observer: each thing is said at one.
    settings.summary().filter(SAID::add).ifPresent(LOG::info);
    settings.warnings().stream().filter(SAID::add).forEach(LOG::warn);
    settings.problems().stream().filter(SAID::add).forEach(LOG::error);
    List<DirectoryResult> results =
        new DirectoryPlacer(namespaces, walBlockSize, settings.mode() == Mode.REQUIRE, probes)
            .place(rules);
    report(results);
    if (settings.mode() != Mode.REQUIRE) {
      return;
    }
    List<String> missing = new ArrayList<>(settings.problems());
    for (DirectoryResult result : results) {
      if (result.kind() == DirectoryResult.Kind.DEMOTED) {
        // The cluster runs like this already; one server less would not help.
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
   * Keeps directories as a master starts: as {@link #start}, and what stands on SSD from an earlier
   * run is probed and demoted where SSD refuses, because a master writes into it before any writer
   * of the plugin runs. (Not in {@link Mode#REQUIRE}, in which such a master does not start: its
   * message must name what repairs SSD.) Also explains what in the configuration works against the
   * plugin. All probes, and the look at the space on SSD beside them, together take no longer than
   * {@code hbase.hybrid.ssd.fallback.timeout}.
   *
   * @throws IOException in {@link Mode#REQUIRE} only
   */
  public void startMaster(List<DirectoryRule> rules) throws IOException {
    startMaster(rules, () -> StartChecks.room(conf, settings, rules));
  }

  /** As the other one, with what tells that SSD is too small. */
  public void startMaster(List<DirectoryRule> rules, Callable<Optional<String>> look)
      throws IOException {
    List<String> findings;
    try (StartProbes probes = probes()) {
      Future<Optional<String>> room = probes.beside(look);
      if (settings.mode() != Mode.REQUIRE) {
        SsdDemoter start = new SsdDemoter(namespaces, walBlockSize, probes);
        for (DirectoryRule rule : rules) {
          demote(start, rule, false);
        }
      }
      findings = StartChecks.findings(conf, rules);
      findings.forEach(finding -> log(finding));
      try {
        start(rules, probes);
      } finally {
        Optional<String> small = probes.answer(room);
        small.ifPresent(finding -> log(finding));
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

  /**
   * Demotes a directory from SSD.
   *
   * @param surely also where SSD takes a probe block: HBase is about to give up, so DISK is not
   *     waited for longer than {@code hbase.hybrid.ssd.fallback.timeout}
   */
  public boolean demote(DirectoryRule rule, boolean surely) {
    if (!surely) {
      return demote(demoter, rule, false);
    }
    try (StartProbes probes = probes()) {
      return demote(new SsdDemoter(namespaces, walBlockSize, probes), rule, true);
    }
  }

  private boolean demote(SsdDemoter through, DirectoryRule rule, boolean surely) {
    try {
      if (rule.policy().wantsSsd()
          && settings.mode() != Mode.OFF
          && through.wantsSsdNow(rule)
          && (surely || through.probe(rule) == ProbeResult.REFUSED)
          && through.demote(rule)) {
        LOG.warn(
            "SSD refuses blocks or flushes do not end: {} is turned to HOT until the space monitor restores it",
            rule);
        return true;
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Could not look whether SSD takes blocks for {}: {}", rule, HdfsRefusal.explain(e));
    }
    return false;
  }

  /** Keeps directories while the server runs, in every mode as {@link Mode#PREFER}. */
  public List<DirectoryResult> place(List<DirectoryRule> rules) {
    List<DirectoryResult> results = placer.place(rules);
    report(results);
    return results;
  }

  /**
   * Deletes the probe files that servers left when they died. Never throws.
   *
   * @param before milliseconds since 1970; younger ones may be in use
   */
  public void sweep(List<DirectoryRule> rules, long before) {
    for (DirectoryRule rule : rules) {
      try {
        Optional<StorageNamespace> namespace = namespaces.of(rule);
        int swept = namespace.isEmpty() ? 0 : namespace.get().sweepProbes(rule.path(), before);
        if (swept > 0) {
          LOG.info("Deleted {} old probe files in {}", swept, rule.path());
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("Could not look for old probe files in {}", rule, e);
      }
    }
  }

  private void report(List<DirectoryResult> results) {
    if (Thread.currentThread().isInterrupted()) {
      return; // the server stops, and HDFS was not asked to the end
    }
    Set<Path> following = new HashSet<>();
    results.stream().filter(ServerPlacement::follows).forEach(one -> following.add(component(one)));
    for (DirectoryResult result : results) {
      DirectoryResult.Kind kind = result.kind();
      if (follows(result)) {
        followed(result);
        continue;
      }
      if (PLACED.contains(kind) && !following.contains(component(result))) {
        // If an admin's policy returns above it, that is said again.
        SAID_OF.remove(component(result));
      }
      String text = result.toString();
      boolean news = !text.equals(SAID_OF.put(result.rule().path(), text));
      if (kind == DirectoryResult.Kind.SET && result.detail().isEmpty()) {
        LOG.info("Placed {}", text);
      } else if (kind == DirectoryResult.Kind.SET || (news && !result.detail().isEmpty())) {
        if (kind == DirectoryResult.Kind.NO_POLICIES || kind == DirectoryResult.Kind.HELD) {
          LOG.info("Not placed: {}", text);
        } else if (kind != DirectoryResult.Kind.DEMOTED) {
          log(text);
        }
      }
    }
  }

  /** Once for all directories of a component. */
  private static void followed(DirectoryResult result) {
    DirectoryRule rule = result.rule();
    if (result.kind() == DirectoryResult.Kind.YIELDED) {
      LOG.info("The plugin's own policy was taken away: {}", rule.path());
    }
    SAID_OF.remove(rule.path());
    if (!result.detail().equals(SAID_OF.put(component(result), result.detail()))) {
      LOG.warn("Placement: {}", result.detail());
    }
  }

  private static boolean follows(DirectoryResult result) {
    return result.kind() == DirectoryResult.Kind.FOLLOWED
        || result.kind() == DirectoryResult.Kind.YIELDED;
  }

  /** What is said of all directories of a component is said of this one, which need not exist. */
  private static Path component(DirectoryResult result) {
    return new Path(result.rule().base(), "component " + result.rule().component().label());
  }

  private void log(String text) {
    if (settings.mode() == Mode.REQUIRE) {
      LOG.error("Placement: {}", text);
    } else {
      LOG.warn("Placement: {}", text);
    }
  }
}
