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

import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bound on the total time of all probes of one server start (or the last attempt of a flush) and
 * of reads made {@link #beside} them. HDFS waits over a minute for a hanging DataNode, which a
 * master's activation must not. Thread-safe.
 *
 * <p>Each medium (root, policy, block size) is probed once, unless it refuses or the directory has
 * its own SSD quota. At most {@value #THREADS} daemon threads, {@code hybrid-start-probe-N}; a
 * hanging one outlives {@link #close} until HDFS gives up.
 */
@InterfaceAudience.Private
public final class ProbeBudget implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProbeBudget.class);

  private static final int THREADS = 5;
  private static final int UNLIMITED = -1;

  private final int millis;
  private final Map<String, Future<Probe>> asked = new ConcurrentHashMap<>();
  private final Map<Path, String> scopes = new ConcurrentHashMap<>();
  private final Map<Path, Optional<Long>> quotas = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads =
      DaemonThreads.pool("hybrid-start-probe-%d", THREADS, 0, new ThreadPoolExecutor.AbortPolicy());

  private long deadline;
  private boolean running;

  /**
   * @param millis for all probes together, from the first one on
   */
  public ProbeBudget(int millis) {
    this.millis = millis;
  }

  /** Probes anew each time, and blocks the calling thread for as long as HDFS takes. */
  public static ProbeBudget unlimited() {
    return new ProbeBudget(UNLIMITED);
  }

  /**
   * @param attempt 0, or 1 to repeat a probe whose result is in doubt
   * @return unknown if there is no result in time
   * @throws IOException as {@link StorageNamespace#probe}
   */
  public Probe probe(
      DirectoryRule rule,
      StorageNamespace namespace,
      StoragePolicy policy,
      long blockSize,
      int attempt)
      throws IOException {
    if (millis == UNLIMITED) {
      HybridMetrics.get().count(Metric.PROBES);
      return namespace.probe(rule.path(), policy, blockSize);
    }
    String medium =
        scopes.computeIfAbsent(rule.path(), path -> scope(rule, namespace))
            + (" " + policy + " " + blockSize + " " + attempt);
    long left = left();
    Future<Probe> answer = asked.get(medium);
    try {
      if (answer == null) {
        if (left <= 0) {
          return unknown(policy);
        }
        answer =
            asked.computeIfAbsent(
                medium, key -> threads.submit(() -> ask(rule, namespace, policy, blockSize)));
      }
      Probe probe = answer.get(Math.max(0, left), TimeUnit.NANOSECONDS);
      if (!probe.complete()) {
        asked.remove(medium, answer);
      }
      return probe;
    } catch (TimeoutException | RejectedExecutionException e) {
      return unknown(policy);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The start was told to stop while it probed " + rule);
    } catch (ExecutionException e) {
      asked.remove(medium, answer);
      throw e.getCause() instanceof IOException
          ? (IOException) e.getCause()
          : new IOException(e.getCause());
    }
  }

  /**
   * One result holds per root, since a router may mount roots apart, or per directory with a quota.
   */
  private String scope(DirectoryRule rule, StorageNamespace namespace) {
    // Not for user data: without a quota the NameNode sums up the whole tree.
    boolean shares = !RootPolicy.follows(rule.component());
    if (shares && rule.policy().wantsSsd()) {
      try {
        shares = ssdQuota(rule, namespace).isEmpty();
      } catch (IOException | RuntimeException e) {
        LOG.debug("The quota of {} cannot be read, it is probed on its own", rule, e);
        shares = false;
      }
    }
    return (shares ? rule.base() : rule.path()).toString();
  }

  /**
   * A directory's own SSD quota in bytes, read once; empty if none.
   *
   * @throws IOException if HDFS fails; the next call repeats
   */
  public Optional<Long> ssdQuota(DirectoryRule rule, StorageNamespace namespace)
      throws IOException {
    Optional<Long> known = quotas.get(rule.path());
    if (known == null) {
      known = namespace.ssdQuota(rule.path());
      quotas.put(rule.path(), known);
    }
    return known;
  }

  public <T> Future<Optional<T>> beside(Callable<Optional<T>> look) {
    return threads.submit(look);
  }

  /** Awaits a read; empty if it fails or the start's time is up. */
  public <T> Optional<T> answer(Future<Optional<T>> look) {
    try {
      return look.get(Math.max(0, left()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.info(
          "HDFS did not answer within {} ms how much space SSD has for this start "
              + "(hbase.hybrid.ssd.fallback.timeout). The start continues without that check, and "
              + "the space monitor repeats it later. Nothing to do.",
          millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      LOG.debug("A look failed", e);
    }
    return Optional.empty();
  }

  private Probe ask(
      DirectoryRule rule, StorageNamespace namespace, StoragePolicy policy, long blockSize)
      throws IOException {
    HybridMetrics.get().count(Metric.PROBES);
    return namespace.probeBriefly(rule.path(), policy, blockSize, millis);
  }

  private synchronized long left() {
    if (!running) {
      running = true;
      deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }
    return deadline - System.nanoTime();
  }

  private Probe unknown(StoragePolicy policy) {
    return Probe.unknown(
        policy,
        "Whether HDFS takes a block there was not known within "
            + millis
            + " ms: a DataNode hangs, or HDFS is slow.");
  }

  /** Rejects further probes; those in flight end by themselves. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
