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
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Who may take hbase:meta off SSD for the whole cluster, and who may not. */
@InterfaceAudience.Private
class FlushFallbackTest {
  private static final String META = "/hbase/data/hbase";
  private static final byte ALL_SSD = StoragePolicy.ALL_SSD.id();
  private static final Layout LAYOUT = new Layout(new Path("/hbase"), new Path("/hbase"));

  private final FakeNamespace hdfs =
      new FakeNamespace().with("/hbase", 0).with("/hbase/data", 0).with(META, ALL_SSD);
  private boolean away;
  private long answersAfter;
  private long seconds = 100;
  private final FlushFallback fallback = fallback();

  private FlushFallback fallback() {
    return new FlushFallback(
        placement(5_000), rules(), Runnable::run, () -> TimeUnit.SECONDS.toNanos(seconds));
  }

  private static List<DirectoryRule> rules() {
    return LAYOUT.rules(HybridSettings.read(new Configuration(false))).stream()
        .filter(rule -> rule.component() == Component.META)
        .collect(Collectors.toList());
  }

  private ServerPlacement placement(int fallbackMillis) {
    Configuration conf = new Configuration(false);
    conf.set("hbase.hybrid.ssd.fallback.timeout", fallbackMillis + "ms");
    return new ServerPlacement(
        HybridSettings.read(conf),
        LAYOUT,
        path -> {
          seconds += answersAfter;
          answersAfter = 0;
          if (away) {
            throw new ConnectException("planted");
          }
          return Optional.of(hdfs);
        },
        conf,
        new LogOnChange());
  }

  private void calls(int times, boolean last) {
    for (int i = 0; i < times; i++) {
      fallback.call(last);
      seconds += 2;
    }
  }

  @Test
  void aFlushThatMayBeSsdsFaultEndsOnDiskWhateverAProbeTells() throws IOException {
    calls(3, false);
    assertEquals(ALL_SSD, hdfs.own(META), "SSD takes a probe");
    calls(1, true);
    assertNotEquals(ALL_SSD, hdfs.own(META));
  }

  @Test
  void aNameNodeThatIsAwayForTenSecondsDemotesNothing() throws IOException {
    calls(1, false);
    away = true;
    calls(5, true);
    away = false;
    calls(5, true); // HDFS's client sleeps up to fifteen seconds more
    assertEquals(ALL_SSD, hdfs.own(META));
    seconds += 15;
    calls(1, true);
    assertNotEquals(ALL_SSD, hdfs.own(META), "its flush still fails");
  }

  @Test
  void aNameNodeThatAnswersLateBecauseItFailedOverDemotesNothing() throws IOException {
    answersAfter = 10;
    calls(4, true);
    assertEquals(ALL_SSD, hdfs.own(META));
  }

  @Test
  void anSsdThatRefusesAProbeIsLeftWhoeverIsToBlame() throws IOException {
    hdfs.refusesProbes("full");
    calls(1, false);
    assertNotEquals(ALL_SSD, hdfs.own(META));
  }

  /** Five tries that a coprocessor failed, and nobody else. */
  @Test
  void triesThatSsdDidNotFailCallNobody() throws IOException {
    FlushFallback.Tries tries = new FlushFallback.Tries(fallback);
    for (int i = 0; i < 10; i++) {
      tries.tried("info", Optional.of(HdfsError.Kind.OTHER));
    }
    assertEquals(ALL_SSD, hdfs.own(META));
    for (int i = 0; i < 10; i++) {
      tries.tried("info", Optional.of(HdfsError.Kind.NODE_REFUSED));
    }
    assertNotEquals(ALL_SSD, hdfs.own(META));
  }

  /** A probe waits for a DataNode that hangs, for longer than the flush has tries left. */
  @Test
  void theLastCallIsHeardBesideAProbeThatHangs() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    hdfs.hangsProbes(hangs);
    FlushFallback real = new FlushFallback(placement(500), rules());
    try {
      real.call(false);
      real.call(false);
      real.call(true);
      for (int i = 0; i < 1_000 && hdfs.own(META) == ALL_SSD; i++) {
        Thread.sleep(10);
      }
      assertNotEquals(ALL_SSD, hdfs.own(META));
    } finally {
      hangs.countDown();
    }
  }
}
