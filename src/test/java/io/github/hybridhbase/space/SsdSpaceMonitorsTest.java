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
package io.github.hybridhbase.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.Watermarks;
import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.placement.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;

class SsdSpaceMonitorsTest {
  private final List<String> said = new ArrayList<>();
  private String trouble;
  private RuntimeException bug;
  private int looked;

  private SsdSpaceMonitor monitor(boolean fails) {
    Configuration conf = new Configuration(false);
    FakeNamespace hdfs = new FakeNamespace().with("/hbase", 0).with("/hbase/WALs", 0);
    return new SsdSpaceMonitor(
        new Watermarks(10, 20, 60),
        new Layout(new Path("/hbase"), new Path("/hbase")).rules(HybridSettings.read(conf)),
        3,
        new SsdDemoter(rule -> Optional.of(hdfs), 0),
        new SpaceWatch() {
          @Override
          public Optional<SsdSpace> space() {
            return Optional.empty();
          }

          @Override
          public String trouble() {
            return "planted";
          }

          @Override
          public WalServers servers() throws IOException {
            if (fails && bug != null) {
              throw bug;
            }
            looked += fails ? 0 : 1;
            if (fails && trouble != null) {
              throw new IOException(trouble);
            }
            return new WalServers(3, List.of());
          }
        },
        new HeadroomEstimate(conf, 256 << 20, 3, false),
        Settling.within(0),
        System::nanoTime);
  }

  @Test
  void whatBreaksOnOneOfTwoHdfsKeepsTheOtherFromNothing() throws IOException {
    SsdSpaceMonitors monitors = new SsdSpaceMonitors(List.of(monitor(true), monitor(false)));
    bug = new IllegalStateException("planted");
    monitors.doWork();
    monitors.doWork();
    assertEquals(2, looked);
  }

  @Test
  void whatOneOfTwoHdfsRefusesIsSaidOnce() {
    AppenderSkeleton ear =
        new AppenderSkeleton() {
          @Override
          protected void append(LoggingEvent event) {
            said.add(event.getRenderedMessage());
          }

          @Override
          public void close() {}

          @Override
          public boolean requiresLayout() {
            return false;
          }
        };
    Logger.getLogger(SsdSpaceMonitors.class).addAppender(ear);
    try {
      SsdSpaceMonitors monitors = new SsdSpaceMonitors(List.of(monitor(true), monitor(false)));
      trouble = "no permission";
      for (int look = 0; look < 10; look++) {
        monitors.doWork();
      }
      assertEquals(1, said.size(), said::toString);
      assertTrue(said.get(0).contains("no permission"), said.get(0));
      trouble = null;
      monitors.doWork();
      trouble = "no permission";
      monitors.doWork();
      assertEquals(2, said.size(), said::toString);
    } finally {
      Logger.getLogger(SsdSpaceMonitors.class).removeAppender(ear);
    }
  }
}
