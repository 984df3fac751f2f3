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
package io.github.hybridhbase.tier.drain;

import io.github.hybridhbase.hot.HotFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.HDFSBlocksDistribution.HostAndWeight;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A view of one open HStore. All but {@link #rewrite} reads HBase's memory without I/O: HBase reads
 * the storage types of a file's blocks when it opens the file. Thread-safe.
 */
@InterfaceAudience.Private
public class StoreView {
  private final HStore store;
  private final StoreTierConfig config;
  private final Supplier<Set<String>> compacting;

  /** The thread for whose request HBase selects; null if none. */
  private volatile Thread asking;

  private volatile ExitRequest asked;

  /** Bytes on SSD by file name, of replicas reported after HBase opened the file. */
  private final Map<String, Long> foundLater = new ConcurrentHashMap<>();

  private boolean running;

  private boolean userMet;

  /**
   * @param compacting names of the files being compacted, which only the engine gets from HBase
   */
  public StoreView(HStore store, StoreTierConfig config, Supplier<Set<String>> compacting) {
    this.store = store;
    this.config = config;
    this.compacting = compacting;
  }

  public List<TieredFile> onSsd() {
    Collection<HStoreFile> files = store.getStorefiles();
    if (!foundLater.isEmpty()) {
      Set<String> names =
          Stream.concat(files.stream(), store.getCompactedFiles().stream())
              .map(file -> file.getPath().getName())
              .collect(Collectors.toSet());
      foundLater.keySet().retainAll(names);
    }
    return tiered(files);
  }

  /**
   * @param bytes of these replicas
   */
  public void foundOnSsd(String name, long bytes) {
    foundLater.put(name, bytes);
  }

  public long bytesOnSsd(HStoreFile file) {
    return Math.max(
        bytesOnSsd(file, isHot(file) ? config.hotReplicas() : config.replicas()),
        foundLater.getOrDefault(file.getPath().getName(), 0L));
  }

  /** Whether a file of the store has the policy for hot rows if it is on SSD. */
  private boolean isHot(HStoreFile file) {
    return config.hotPolicy().wantsSsd() && HotFiles.isOn(file);
  }

  /**
   * Bytes of a file's replicas on SSD, as HBase saw them when it opened the file. The last replicas
   * of a new file may not have been reported then: if one was on SSD, the missing ones are assumed
   * there too.
   */
  public static long bytesOnSsd(HStoreFile file, int replicas) {
    HDFSBlocksDistribution blocks = file.getFileInfo().getHDFSBlockDistribution();
    long ssd = 0;
    long all = 0;
    if (blocks != null) {
      for (HostAndWeight host : blocks.getHostAndWeights().values()) {
        ssd += host.getWeightForSsd();
        all += host.getWeight();
      }
    }
    boolean tiered = ssd > 0 && !file.isReference();
    return tiered ? ssd + Math.max(0, HotFiles.length(file) * replicas - all) : ssd;
  }

  List<TieredFile> compactedAway() {
    Collection<HStoreFile> files = store.getCompactedFiles();
    return files == null ? List.of() : tiered(files);
  }

  private List<TieredFile> tiered(Collection<HStoreFile> files) {
    List<TieredFile> found = new ArrayList<>();
    for (HStoreFile file : files) {
      Path blocks =
          file.isReference() ? StoreFileInfo.getReferredToFile(file.getPath()) : file.getPath();
      boolean others = file.getFileInfo().isLink() || HFileLink.isHFileLink(blocks);
      long bytes = others ? 0 : bytesOnSsd(file);
      if (bytes > 0) {
        TieredFile one =
            TieredFile.inStore(
                file.getPath(),
                config.table(),
                bytes,
                file.getFileInfo().getCreatedTimestamp(),
                config.maxAgeMillis(),
                ExitRequest.mayRewrite(file));
        found.add(file.isReference() ? one.of(blocks) : isHot(file) ? one.ofHotRows() : one);
      }
    }
    return found;
  }

  /** Names of files compacted into a file off SSD; HBase writes the inputs into the output. */
  public Set<String> compactedToDisk() {
    Set<String> names = new HashSet<>();
    for (HStoreFile file : store.getStorefiles()) {
      byte[] inputs = file.getMetadataValue(HStoreFile.COMPACTION_EVENT_KEY);
      if (inputs != null && bytesOnSsd(file) == 0) {
        try {
          names.addAll(ProtobufUtil.toCompactedStoreFiles(inputs));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return names;
  }

  public Set<String> compacting() {
    return compacting.get();
  }

  /**
   * Lets HBase select files and runs the compaction on this thread.
   *
   * @param large whether this is the thread for large compactions
   */
  public void rewrite(ExitRequest request, CompactionPool pool, boolean large) throws IOException {
    if (!store.getHRegion().getTableDescriptor().isCompactionEnabled()) {
      return;
    }
    synchronized (this) {
      running = true;
    }
    try {
      Optional<CompactionContext> selected = select(request);
      if (selected.isPresent()) {
        run(request, pool, large, selected.get());
      }
    } finally {
      boolean again;
      synchronized (this) {
        running = false;
        again = userMet;
        userMet = false;
      }
      if (again) {
        askForUser();
      }
    }
  }

  private Optional<CompactionContext> select(ExitRequest request) throws IOException {
    asked = request;
    asking = Thread.currentThread();
    try {
      return store.requestCompaction(Store.NO_PRIORITY, CompactionLifeCycleTracker.DUMMY, null);
    } finally {
      asking = null;
    }
  }

  /** INVARIANT: compacts or cancels what was selected. */
  private void run(
      ExitRequest request, CompactionPool pool, boolean large, CompactionContext selected)
      throws IOException {
    if (!large && store.throttleCompaction(selected.getRequest().getSize())) {
      if (request.major) {
        store.triggerMajorCompaction(); // while its files are locked, so that nobody else takes it
      }
      store.cancelRequestedCompaction(selected);
      request.large();
    } else {
      request.begins();
      pool.compact(store, selected); // cancels what it does not begin
    }
  }

  /**
   * A user's compaction selects. The files of a running exit are not eligible, so a major
   * compaction would be a minor one or none; it is requested again after the exit.
   */
  public synchronized void userSelects() {
    userMet |= running;
  }

  private void askForUser() throws IOException {
    store
        .getHRegion()
        .requestCompaction(
            store.getColumnFamilyDescriptor().getName(),
            "a user's compaction met files that were leaving SSD",
            Store.PRIORITY_USER,
            false,
            CompactionLifeCycleTracker.DUMMY);
  }

  /** This thread's request; empty if HBase selects for reasons of its own. */
  public Optional<ExitRequest> asked() {
    return asking == Thread.currentThread() ? Optional.of(asked) : Optional.empty();
  }
}
