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
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Text;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The active master's publisher of the {@link TierState}: one NameNode read a period, one write on
 * a change or renewal. One thread; {@link #last} is for any.
 *
 * <p>While the space on SSD is unreadable, nothing is published: servers trust a grant for 15
 * minutes and then add nothing, so that no data is rewritten only because a web server does not
 * answer.
 */
@InterfaceAudience.Private
public final class TierController {
  private static final Logger LOG = LoggerFactory.getLogger(TierController.class);

  /** Periods for which a capacity must stand, and after which a lost server is believed. */
  private static final int SETTLING = 6;

  /** A capacity may change by this part unnoticed. */
  private static final int NEAR = 10;

  private final HybridSettings settings;
  private final StorageNamespace namespace;
  private final Path root;
  private final Supplier<Optional<SsdSpace>> space;
  private final IntSupplier servers;
  private final LongSupplier clock;
  private final long settleMillis;
  private final TierGrant grant;
  private long capacity = -1;
  private long capacitySince;
  private int divisor;
  private long divisorSeen;
  private final LogOnChange logged = new LogOnChange();
  private volatile Optional<TierState> last = Optional.empty();

  /**
   * @param space empty while unreadable
   * @param servers live
   * @param clock milliseconds since 1970
   */
  public TierController(
      HybridSettings settings,
      StorageNamespace namespace,
      Path root,
      Supplier<Optional<SsdSpace>> space,
      IntSupplier servers,
      LongSupplier clock) {
    this.settings = settings;
    this.namespace = namespace;
    this.root = root;
    this.space = space;
    this.servers = servers;
    this.clock = clock;
    this.settleMillis = TimeUnit.SECONDS.toMillis(SETTLING * settings.periodSeconds());
    this.grant =
        new TierGrant(
            settings.get(HybridKeys.TIER_BUDGET), ManagementFactory.getRuntimeMXBean().getName());
  }

  /** Empty if the HDFS of the store files has no storage policies. */
  public static Optional<TierController> of(
      Configuration conf, HybridSettings settings, Path root, Supplier<ClusterLook> looks)
      throws IOException {
    FileSystem fs = root.getFileSystem(conf);
    URI hdfs = fs.getUri();
    int period = settings.periodSeconds();
    return StorageNamespace.of(fs)
        .map(
            namespace ->
                new TierController(
                    settings,
                    namespace,
                    root,
                    () ->
                        looks
                            .get()
                            .space(hdfs)
                            .filter(look -> !look.isStale(System.currentTimeMillis(), period))
                            .flatMap(SpaceLook::read),
                    () -> looks.get().servers().size(),
                    System::currentTimeMillis));
  }

  /** Empty before the first grant. Any thread. */
  public Optional<TierState> last() {
    return last;
  }

  /** Failures are logged once; the next turn retries. */
  public void doWork() {
    String trouble;
    try {
      trouble = work();
    } catch (IOException e) {
      trouble = HdfsError.of(e).explain();
    }
    if (logged.changed("trouble", trouble)) {
      LOG.warn(
          "The active master could not renew the grant of the SSD tier and retries: the tier "
              + "keeps its last state, and closes after 15 minutes without a grant. {}",
          trouble);
    }
  }

  /** Returns what keeps it from its work; "" if nothing. */
  private String work() throws IOException {
    Optional<TierState> before = TierState.on(namespace, root);
    boolean foreign = before.filter(TierState::isForeign).isPresent();
    if (!settings.tierDeclared()) {
      if (before.isPresent() && !foreign) {
        namespace.removeXattr(root, TierState.XATTR);
      }
      last = Optional.empty();
      return "";
    }
    if (foreign) {
      last = before;
      return before.get().why()
          + ". It is left alone. If no server runs that version, remove it: hdfs dfs -setfattr -x "
          + TierState.XATTR
          + " "
          + Text.quote(root.toUri().getPath());
    }
    TierState next = next(before);
    last = Optional.of(next);
    if (!before.equals(last)) {
      next.writeTo(namespace, root);
    }
    String news = next.open() ? "open" : "closed: " + next.why();
    if (logged.changed("state", news)) {
      LOG.info("The SSD tier is {}", next.open() ? "open: " + next : news);
    }
    return "";
  }

  private TierState next(Optional<TierState> before) {
    long now = clock.getAsLong();
    Optional<SsdSpace> read = space.get().filter(found -> isSettled(found.capacity, now));
    return read.map(found -> grant.next(before, found, divisor(now), now))
        .or(() -> before)
        .orElse(TierState.paused("the space on SSD is not known yet"));
  }

  /** After safe mode a NameNode learns its DataNodes one by one. */
  private boolean isSettled(long found, long now) {
    if (Math.abs(found - capacity) > capacity / NEAR) {
      capacity = found;
      capacitySince = now;
    }
    return now - capacitySince >= settleMillis;
  }

  /**
   * Grows at once but falls after a minute: successors charge a dead server's files only once they
   * opened its regions.
   */
  private int divisor(long now) {
    int live = Math.max(1, servers.getAsInt());
    if (live >= divisor || now - divisorSeen >= settleMillis) {
      divisor = live;
      divisorSeen = now;
    }
    return divisor;
  }
}
