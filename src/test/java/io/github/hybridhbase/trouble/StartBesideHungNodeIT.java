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
package io.github.hybridhbase.trouble;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.hybridhbase.placement.StartCheck;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.testing.HungSsd;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** A start that requires the placement while a DataNode hangs: it is no reason to refuse. */
@InterfaceAudience.Private
class StartBesideHungNodeIT {
  private static List<Thread> probing() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("hybrid-start-probe"))
        .collect(Collectors.toList());
  }

  @Test
  void waitsForNoProbe() throws Exception {
    try (TypedCluster cluster = TypedCluster.spec().plugin().startHdfs()) {
      cluster.fs().mkdirs(cluster.rootDir());
      Configuration conf = new Configuration(cluster.conf());
      conf.set("hbase.hybrid.ssd.fallback.timeout", "1000ms");
      StartCheck check = new StartCheck(conf, HybridSettings.read(conf));
      check.require(Component.WAL, cluster.fs(), cluster.rootDir());
      try (HungSsd hung = HungSsd.forNewFiles(cluster.hdfs().getDataNodes().get(0))) {
        check.require(Component.WAL, cluster.fs(), cluster.rootDir());
        // HDFS itself waits for a DataNode for 16 s.
        assertFalse(probing().isEmpty(), () -> "the start has waited for its probe; " + hung);
      }
      for (Thread thread : probing()) {
        thread.join();
      }
    }
  }
}
