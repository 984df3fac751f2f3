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

import io.github.hybridhbase.hdfs.DirectoryPolicy;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.NewFiles;
import io.github.hybridhbase.hdfs.ProbeFile;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.WalFiles;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's log of its settings at its start, and with {@code hbase.hybrid.mode=require} the check
 * whether the placement can hold.
 */
@InterfaceAudience.Private
public final class StartCheck {
  private static final Logger LOG = LoggerFactory.getLogger(StartCheck.class);

  private static final String LOOK =
      ". Look for full or failed SSD volumes: hdfs dfsadmin -report.";

  private final Configuration conf;
  private final HybridSettings settings;

  public StartCheck(Configuration conf, HybridSettings settings) {
    this.conf = conf;
    this.settings = settings;
  }

  /**
   * @param logged shared by the WAL provider and the observer of a master
   */
  public static void log(HybridSettings settings, LogOnChange logged) {
    settings.summary().filter(text -> logged.changed(text, text)).ifPresent(LOG::info);
    settings.warnings().stream().filter(text -> logged.changed(text, text)).forEach(LOG::warn);
    settings.problems().stream().filter(text -> logged.changed(text, text)).forEach(LOG::error);
  }

  /**
   * Refuses the start if the placement cannot hold. Takes at most {@code
   * hbase.hybrid.ssd.fallback.timeout}; what is unknown by then refuses nothing.
   *
   * @throws IOException names all causes and remedies
   */
  public void require(Component component, FileSystem fs, Path root) throws IOException {
    List<String> missing = new ArrayList<>(settings.problems());
    StoragePolicy policy = settings.policy(component);
    if (policy.wantsSsd()) {
      missing.addAll(placement(component, policy, fs, root));
    }
    if (!missing.isEmpty()) {
      throw new IOException(
          "hbase.hybrid.mode=require: the placement cannot hold, so this server does not start."
              + " Fix what follows, or set hbase.hybrid.mode=prefer. "
              + String.join(" ", missing));
    }
  }

  private List<String> placement(
      Component component, StoragePolicy policy, FileSystem fs, Path root) throws IOException {
    Optional<StorageNamespace> namespace = StorageNamespace.of(fs);
    if (namespace.isEmpty()) {
      return List.of(root + " is not on HDFS, so there are no storage policies.");
    }
    Optional<NewFiles> files = NewFiles.of(fs);
    if (files.isEmpty()) {
      return List.of(
          "This Hadoop's HDFS client has no field for its NameNode, by which new files get their"
              + " storage policy. Run a Hadoop of docs/install.md#versions.");
    }
    if (files.get().disabled()) {
      return List.of("HDFS has dfs.storage.policy.enabled=false. Set it to true on the NameNodes.");
    }
    DirectoryPolicy directory = new DirectoryPolicy(namespace.get(), root, Clock.SYSTEM);
    if (directory.forFile(policy) == StoragePolicy.NONE) {
      return List.of(
          root
              + " has or inherits a storage policy, or is erasure coded, which wins over "
              + component.policyKey()
              + "="
              + policy
              + ". Take it away, there or above: hdfs storagepolicies -unsetStoragePolicy -path "
              + root.toUri().getPath());
    }
    return probe(component, fs, policy, root);
  }

  /** On its own thread, since HDFS waits minutes for a DataNode that hangs. */
  private List<String> probe(Component component, FileSystem fs, StoragePolicy policy, Path root)
      throws IOException {
    int millis = Math.max(1, (int) settings.get(HybridKeys.SSD_FALLBACK_TIMEOUT).toMillis());
    ThreadPoolExecutor thread =
        DaemonThreads.pool("hybrid-start-probe", 1, 0, new ThreadPoolExecutor.AbortPolicy());
    String refused = "SSD takes no block for " + component.label() + ": ";
    try {
      Future<List<StorageType>> answer =
          thread.submit(
              () -> {
                long block =
                    WalFiles.blockSize(
                        WalFiles.configuredBlockSize(conf), fs.getDefaultBlockSize(root));
                return ProbeFile.media(fs, root, policy, block, millis);
              });
      List<StorageType> media = answer.get(millis, TimeUnit.MILLISECONDS);
      return media.contains(StorageType.SSD)
          ? List.of()
          : List.of(refused + policy + " gave " + media + LOOK);
    } catch (TimeoutException e) {
      LOG.warn("Whether SSD takes a block was not known within {} ms; the start goes on.", millis);
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The start was told to stop while it probed SSD");
    } catch (ExecutionException e) {
      LOG.debug("SSD was not probed", e);
      HdfsError error = HdfsError.of(e.getCause());
      return List.of(error.kind.mayBeSsds() ? refused + error.text + LOOK : error.explain());
    } finally {
      thread.shutdown();
    }
  }
}
