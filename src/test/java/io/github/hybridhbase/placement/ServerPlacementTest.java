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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerPlacementTest {
  private final List<String> said = new ArrayList<>();
  private final AppenderSkeleton ear =
      new AppenderSkeleton() {
        @Override
        protected void append(LoggingEvent event) {
          said.add(event.getLevel() + " " + event.getRenderedMessage());
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
          return false;
        }
      };

  @TempDir private Path root;

  @BeforeEach
  void listen() {
    Logger.getLogger(ServerPlacement.class).addAppender(ear);
  }

  @AfterEach
  void stopListening() {
    Logger.getLogger(ServerPlacement.class).removeAppender(ear);
  }

  private Configuration conf(String... more) {
    Configuration conf = new Configuration(false);
    conf.set("hbase.rootdir", root.toUri().toString());
    for (int i = 0; i < more.length; i += 2) {
      conf.set(more[i], more[i + 1]);
    }
    return conf;
  }

  @Test
  void aStandingTroubleIsSaidOnceWhoeverLooks() throws Exception {
    LogOnChange ofTheServer = new LogOnChange();
    for (int look = 0; look < 3; look++) {
      Configuration conf = conf();
      HybridSettings settings = HybridSettings.read(conf);
      ServerPlacement placement = ServerPlacement.of(conf, settings, ofTheServer);
      placement.start(placement.layout().walRules(settings));
      placement.place(placement.layout().walRules(settings));
    }
    assertEquals(1, said.size(), said.toString());
    assertTrue(said.get(0).contains("no storage policies"), said.get(0));
  }

  @Test
  void aConfigurationProblemIsOneErrorThoughAMasterOpensTwoDoors() throws Exception {
    Configuration conf = conf("hbase.hybrid.enforcertest.key", "1");
    HybridSettings settings = HybridSettings.read(conf);
    LogOnChange ofTheServer = new LogOnChange();
    ServerPlacement.of(conf, settings, ofTheServer).start(List.of());
    ServerPlacement.of(conf, settings, ofTheServer).start(List.of());
    assertEquals(1, said.size(), said.toString());
    assertTrue(said.get(0).startsWith("ERROR hbase.hybrid.enforcertest.key=1"), said.get(0));
  }

  @Test
  void aThreadThatIsToldToStopSaysNothing() throws Exception {
    Configuration conf = conf();
    HybridSettings settings = HybridSettings.read(conf);
    ServerPlacement placement = ServerPlacement.of(conf, settings);
    Thread.currentThread().interrupt();
    placement.place(placement.layout().walRules(settings));
    assertTrue(Thread.interrupted());
    assertEquals(List.of(), said);
  }

  /** One that went and came back is news. */
  @Test
  void anAdminsPolicyAboveIsSaidOnceEachTimeItComes() throws Exception {
    FakeNamespace hdfs = new FakeNamespace().with("/enforcertest", StoragePolicy.UNSPECIFIED);
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/enforcertest");
    for (String made : new String[] {"data", "oldWALs", "archive"}) {
      hdfs.with("/enforcertest/" + made, StoragePolicy.UNSPECIFIED);
    }
    Configuration conf = conf();
    HybridSettings settings = HybridSettings.read(conf);
    Layout layout = new Layout(root, root);
    ServerPlacement placement =
        new ServerPlacement(settings, layout, rule -> Optional.of(hdfs), conf, new LogOnChange());
    for (int time = 1; time <= 2; time++) {
      hdfs.with("/enforcertest", StoragePolicy.COLD.id());
      for (int look = 0; look < 3; look++) {
        placement.place(layout.rules(settings));
      }
      assertEquals(2L * time, above(), said::toString);
      hdfs.with("/enforcertest", StoragePolicy.UNSPECIFIED);
      for (int look = 0; look < 3; look++) {
        placement.place(layout.rules(settings));
      }
      assertEquals(2L * time, above(), said::toString);
    }
  }

  /** What is right only by inheritance is decided about when its turn comes. */
  @Test
  void anAdminsPolicyAboveIsSaidOnceWhereTheDecisionWaits() throws Exception {
    FakeNamespace hdfs = new FakeNamespace().with("/enforcertest", StoragePolicy.COLD.id());
    hdfs.refusesProbes("full");
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/enforcertest");
    for (String made : new String[] {"MasterData", "MasterData/oldWALs", "MasterData/archive"}) {
      hdfs.with("/enforcertest/" + made, StoragePolicy.UNSPECIFIED);
    }
    Configuration conf = conf();
    HybridSettings settings = HybridSettings.read(conf);
    Layout layout = new Layout(root, root);
    ServerPlacement placement =
        new ServerPlacement(settings, layout, rule -> Optional.of(hdfs), conf, new LogOnChange());
    for (int look = 0; look < 3; look++) {
      placement.place(layout.masterRules(settings));
    }
    assertEquals(1, above(), said::toString);
  }

  /**
   * With {@code hbase.hybrid.ssd.period=0}, where a start or a failing flush demotes all the same.
   */
  @Test
  void withoutSpaceMonitor_thePlacementCheckEndsADemotion() throws Exception {
    FakeNamespace hdfs =
        new FakeNamespace()
            .with("/enforcertest", StoragePolicy.UNSPECIFIED)
            .with("/enforcertest/WALs", StoragePolicy.HOT.id())
            .withProvenance(
                "/enforcertest/WALs",
                PolicyProvenance.first(StoragePolicy.UNSPECIFIED, StoragePolicy.ALL_SSD)
                    .settled()
                    .change(StoragePolicy.HOT)
                    .asDemoted());
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/enforcertest");
    Layout layout = new Layout(root, root);
    for (String period : new String[] {"10s", "0"}) {
      Configuration conf = conf("hbase.hybrid.ssd.period", period);
      HybridSettings settings = HybridSettings.read(conf);
      ServerPlacement placement =
          new ServerPlacement(settings, layout, rule -> Optional.of(hdfs), conf, new LogOnChange());
      hdfs.refusesProbes("full");
      placement.place(layout.walRules(settings));
      assertEquals(StoragePolicy.HOT.id(), hdfs.own("/enforcertest/WALs"), period);
      hdfs.refusesProbes(null);
      placement.ofRegionServer().place(layout.walRules(settings));
      assertEquals(StoragePolicy.HOT.id(), hdfs.own("/enforcertest/WALs"), period);
      placement.place(layout.walRules(settings));
      StoragePolicy then = period.equals("0") ? StoragePolicy.ALL_SSD : StoragePolicy.HOT;
      assertEquals(then.id(), hdfs.own("/enforcertest/WALs"), period);
    }
  }

  private long above() {
    return said.stream().filter(one -> one.contains("COLD is in force on /enforcertest")).count();
  }
}
