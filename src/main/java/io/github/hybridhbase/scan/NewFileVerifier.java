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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.Layout;
import io.github.hybridhbase.config.Mode;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.RateLimiter;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A background check of new store files' block locations: it counts bytes by medium and reports
 * misplaced files.
 *
 * <p>One daemon thread per server, {@code hybrid-verify}, ends after ten idle seconds. At most
 * {@value #QUEUE} files are queued; more are counted as unchecked. {@link #submit} never blocks.
 */
@InterfaceAudience.Private
public final class NewFileVerifier {
  private static final Logger LOG = LoggerFactory.getLogger(NewFileVerifier.class);

  static final int QUEUE = 1_000;

  /** Files looked at per second, one NameNode read each. */
  private static final int FILES_PER_SECOND = 10;

  private final HybridSettings settings;
  private final RateLimiter rate;
  private final ThreadPoolExecutor executor;

  private final AtomicInteger underWay = new AtomicInteger();

  private final LogOnChange logged = new LogOnChange();

  /** A server's verifier; empty if the plugin is off. */
  public static Optional<NewFileVerifier> of(Configuration conf) {
    HybridSettings settings = HybridSettings.read(conf);
    return settings.mode() == Mode.OFF
        ? Optional.empty()
        : Optional.of(new NewFileVerifier(settings));
  }

  /** Creates a verifier with a rate of {@value #FILES_PER_SECOND} files per second. */
  public NewFileVerifier(HybridSettings settings) {
    this(settings, FILES_PER_SECOND);
  }

  NewFileVerifier(HybridSettings settings, int filesPerSecond) {
    this.settings = settings;
    this.rate = RateLimiter.create(filesPerSecond);
    this.executor =
        DaemonThreads.pool(
            "hybrid-verify",
            1,
            QUEUE,
            (task, pool) -> {
              underWay.decrementAndGet();
              HybridMetrics.get().count(Metric.NEW_FILES_UNCHECKED);
            });
  }

  /**
   * Queues a check.
   *
   * @param family table and family, for log lines
   * @param familyPolicy STORAGE_POLICY, or null
   */
  public void submit(
      StorageNamespace namespace,
      Path file,
      Component component,
      String family,
      String familyPolicy) {
    underWay.incrementAndGet();
    executor.execute(() -> verify(namespace, file, component, family, familyPolicy));
  }

  /** Queues a check of a store file just written, if not null. */
  public void submit(Store store, StoreFile file) {
    if (file == null) {
      return;
    }
    RegionInfo region = store.getRegionInfo();
    ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
    Component component =
        Layout.componentOfTable(
            region.getTable().getNamespaceAsString(), region.getTable().getQualifierAsString());
    HdfsNamespace.of(store.getFileSystem())
        .ifPresent(
            namespace ->
                submit(
                    namespace,
                    file.getPath(),
                    component,
                    region.getTable() + ":" + family.getNameAsString(),
                    family.getStoragePolicy()));
  }

  boolean idle() {
    return underWay.get() == 0;
  }

  private void verify(
      StorageNamespace namespace,
      Path file,
      Component component,
      String family,
      String familyPolicy) {
    try {
      rate.acquire();
      Optional<FileBlocks> found = namespace.blocks(file);
      if (found.isEmpty()) {
        // Compacted away or moved by a split.
        HybridMetrics.get().count(Metric.NEW_FILES_UNCHECKED);
        return;
      }
      judge(
          found.get(),
          Expectation.ofNewFile(
              settings, namespace.defaultPolicy(file), component, familyPolicy, found.get()),
          family);
    } catch (IOException | RuntimeException | LinkageError e) {
      HybridMetrics.get().count(Metric.NEW_FILES_UNCHECKED);
      LOG.debug("Could not read back {}", file, e);
    } finally {
      underWay.decrementAndGet();
    }
  }

  private void judge(FileBlocks file, StoragePolicy expected, String family) {
    HybridMetrics metrics = HybridMetrics.get();
    metrics.count(Metric.NEW_FILES);
    for (StorageType type : StorageType.values()) {
      metrics.count(bytesOn(type), file.bytes(type));
    }
    if (expected == StoragePolicy.NONE || file.misplaced(expected) == 0) {
      return;
    }
    metrics.count(Metric.NEW_FILES_MISPLACED);
    if (logged.changed(family + ' ' + expected, "misplaced")) {
      LOG.warn(
          "A store file of {} was written to the wrong medium: expected {}, found"
              + " {}. Check space and tags of the DataNodes' volumes; 'hdfs mover' or the"
              + " storage policy satisfier moves the file. Logged once per family; the"
              + " metric {} counts further ones.",
          family,
          expected,
          file,
          Metric.NEW_FILES_MISPLACED.label());
    }
  }

  private static Metric bytesOn(StorageType type) {
    switch (type) {
      case SSD:
        return Metric.NEW_BYTES_SSD;
      case DISK:
        return Metric.NEW_BYTES_DISK;
      default:
        return Metric.NEW_BYTES_OTHER;
    }
  }
}
