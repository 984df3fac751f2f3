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
package io.github.hybridhbase.hot;

import io.github.hybridhbase.runtime.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.regionserver.AbstractMultiFileWriter;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.TimeRangeTracker;
import org.apache.hadoop.hbase.regionserver.compactions.AbstractMultiOutputCompactor;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionProgress;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's compactor with two outputs for a compaction that has a {@link Split}.
 *
 * <p>INVARIANT: it deletes no file of the store's directory: a server that has lost the region
 * unnoticed would delete another's file ({@code HStore.compact} has no fence).
 */
@InterfaceAudience.Private
public final class SplitCompactor extends DefaultCompactor {
  private static final Logger LOG = LoggerFactory.getLogger(SplitCompactor.class);

  /** HBase's commit of finished store files. */
  public interface Commit {
    List<HStoreFile> of(List<Path> files) throws IOException;
  }

  private final Supplier<Optional<Split>> splits;
  private final TwoOutputs twoOutputs;

  /** Outputs that may be in the directory, unknown to the store. */
  private final Set<Path> unread = new HashSet<>();

  /** Those that are committed now. */
  private final Set<Path> renaming = new HashSet<>();

  /**
   * @param splits of the calling thread's compaction; empty for one output
   */
  public SplitCompactor(Configuration conf, HStore store, Supplier<Optional<Split>> splits) {
    super(conf, store);
    this.splits = splits;
    this.twoOutputs = new TwoOutputs(conf, store);
  }

  @Override
  public List<Path> compact(
      CompactionRequestImpl request, ThroughputController throughputController, User user)
      throws IOException {
    if (!request.isAllFiles() || isAllRead()) {
      return compactNow(request, throughputController, user);
    }
    // The region reads a failed compaction's files when it reopens: delete markers of their rows
    // have to stay. HRegion reads the request's flag before and after.
    LOG.warn(
        "A compaction of all files of {} keeps delete markers: another one has renamed files that "
            + "the store has not read. If that one failed, they are read when the region reopens: "
            + "to end that, move the region.",
        store);
    boolean major = request.isMajor();
    request.setIsMajor(false, false);
    try {
      return compactNow(request, throughputController, user);
    } finally {
      request.setIsMajor(major, true);
    }
  }

  private List<Path> compactNow(
      CompactionRequestImpl request, ThroughputController throughputController, User user)
      throws IOException {
    Split split = splits.get().orElseGet(Split::none);
    return twoOutputs.compact(split, request, throughputController, user);
  }

  /**
   * Commits each file by itself: if HBase commits two and cannot open the second after its rename,
   * it deletes the first and leaves the second, which names the inputs. A region that opens
   * archives these, and the hot rows are lost.
   */
  public List<HStoreFile> commit(List<Path> files, Commit commit) throws IOException {
    if (files.size() < 2) {
      return commit.of(files);
    }
    Path directory = store.getRegionFileSystem().getStoreDir(store.getColumnFamilyName());
    List<Path> named =
        files.stream()
            .map(file -> new Path(directory, file.getName()))
            .collect(Collectors.toList());
    synchronized (unread) {
      unread.removeIf(this::isInStore);
      unread.addAll(named);
      renaming.addAll(named);
    }
    List<HStoreFile> committed = new ArrayList<>();
    boolean done = false;
    try {
      for (Path file : files) {
        committed.addAll(commit.of(List.of(file)));
      }
      done = true;
    } finally {
      synchronized (unread) {
        named.forEach(renaming::remove);
      }
      if (!done) {
        Failures.guarded(
            "A file of a failed compaction was not closed; it is when the server ends.",
            () -> close(committed));
      }
    }
    return committed;
  }

  private static void close(List<HStoreFile> committed) {
    for (HStoreFile file : committed) {
      try {
        file.closeStoreFile(true);
      } catch (IOException e) {
        LOG.debug("{} could not be closed", file, e);
      }
    }
  }

  /**
   * Whether the store knows every output of compactions with two, but for one that is committed.
   */
  public boolean isAllRead() {
    List<Path> settled;
    synchronized (unread) {
      settled = new ArrayList<>(unread);
      settled.removeAll(renaming);
    }
    settled.removeIf(file -> !isInStore(file) && mayExist(file)); // asks the NameNode
    synchronized (unread) {
      settled.forEach(unread::remove);
      return unread.isEmpty();
    }
  }

  private boolean isInStore(Path file) {
    return Stream.concat(store.getStorefiles().stream(), store.getCompactedFiles().stream())
        .anyMatch(known -> known.getPath().getName().equals(file.getName()));
  }

  private boolean mayExist(Path file) {
    try {
      return store.getFileSystem().exists(file);
    } catch (IOException | RuntimeException e) {
      LOG.debug("Could not look for {}", file, e);
      return true;
    }
  }

  @Override
  public CompactionProgress getProgress() {
    return twoOutputs.getProgress();
  }

  @Override
  public boolean isCompacting() {
    return twoOutputs.isCompacting();
  }

  /** HBase's compactors with two outputs are another class branch. */
  private static final class TwoOutputs extends AbstractMultiOutputCompactor<SplitWriter> {
    TwoOutputs(Configuration conf, HStore store) {
      super(conf, store);
    }

    List<Path> compact(
        Split split,
        CompactionRequestImpl request,
        ThroughputController throughputController,
        User user)
        throws IOException {
      return compact(
          request,
          defaultScannerFactory,
          (scanner, details, dropBehind, major, tracker) -> {
            SplitWriter writer = new SplitWriter(split, store.getFileSystem());
            initMultiWriter(writer, scanner, details, dropBehind, major, tracker);
            writer.begin();
            return writer;
          },
          throughputController,
          user);
    }

    @Override
    protected List<Path> commitWriter(
        SplitWriter writer, FileDetails details, CompactionRequestImpl request) throws IOException {
      boolean done = false;
      try {
        List<Path> files =
            writer.commit(details.maxSeqId, request.isAllFiles(), request.getFiles());
        done = true;
        return files;
      } finally {
        if (!done) {
          abortWriter(writer); // HBase does not: the other file's stream would stay open
        }
      }
    }
  }

  /**
   * Writes one compaction's output to two files. One thread.
   *
   * <p>INVARIANT: only the file renamed last, the cold one, names the inputs. A region that opens
   * archives every file that an output names: if the first named them, a server that dies between
   * the renames would lose the second's rows.
   *
   * <p>INVARIANT: the cold file's time range ends no earlier than its inputs'. HBase drops a file
   * whose newest cell has expired; no file would name inputs that a scan holds then, and the next
   * opening of the region would read them again, with rows deleted since.
   *
   * <p>INVARIANT: the cold file exists even if empty, or the store forgets its highest sequence id.
   *
   * <p>Implementation note: keeps no cell: HBase reuses their memory after {@code shipped()}.
   */
  private static final class SplitWriter extends AbstractMultiFileWriter {
    private final Split split;
    private final FileSystem fileSystem;
    private StoreFileWriter cold;
    private StoreFileWriter hot;

    /** Of the cold file's cells. */
    private long first = Long.MAX_VALUE;

    private long last = -1;

    private byte[] row = {};

    private boolean rowIsHot;

    SplitWriter(Split split, FileSystem fileSystem) {
      this.split = split;
      this.fileSystem = fileSystem;
    }

    void begin() throws IOException {
      cold = writerFactory.createWriter();
    }

    @Override
    public void appendAll(List<Cell> cells) throws IOException {
      int begin = 0;
      for (int i = 0; i < cells.size(); i++) {
        boolean was = rowIsHot;
        if (turnsTo(cells.get(i)) && was != rowIsHot) {
          append(cells.subList(begin, i), was);
          begin = i;
        }
      }
      append(cells.subList(begin, cells.size()), rowIsHot);
    }

    private void append(List<Cell> cells, boolean toHot) throws IOException {
      if (!cells.isEmpty()) {
        (toHot ? hot : cold).appendAll(cells);
      }
      if (!toHot) {
        cells.forEach(this::track);
      }
    }

    /** As HBase's TimeRangeTracker, whose method has other parameters in HBase 3. */
    private void track(Cell cell) {
      Cell.Type type = cell.getType();
      boolean toBegin = type == Cell.Type.DeleteColumn || type == Cell.Type.DeleteFamily;
      first = Math.min(first, toBegin ? 0 : cell.getTimestamp());
      last = Math.max(last, cell.getTimestamp());
    }

    /** HBase 2's; HBase calls {@link #appendAll} only. */
    @Override
    public void append(Cell cell) throws IOException {
      appendAll(List.of(cell));
    }

    /** HBase 3's. */
    public void append(ExtendedCell cell) throws IOException {
      appendAll(List.of(cell));
    }

    private boolean turnsTo(Cell cell) throws IOException {
      byte[] next = CellUtil.cloneRow(cell);
      if (Arrays.equals(next, row)) {
        return false;
      }
      row = next;
      rowIsHot = isHot();
      return true;
    }

    private boolean isHot() throws IOException {
      return split.takes(hot == null ? 0 : hot.getPos())
          && split.hot.test(row)
          && (hot != null || createHot());
    }

    private boolean createHot() throws IOException {
      split.makesHot(true);
      StoreFileWriter created;
      try {
        created = writerFactory.createWriter();
      } finally {
        split.makesHot(false);
      }
      if (split.placed) {
        hot = created;
      } else {
        created.close();
        boolean unused = fileSystem.delete(created.getPath(), false);
      }
      return hot != null;
    }

    /** The files in the order of their renames. */
    List<Path> commit(long maxSequenceId, boolean allFiles, Collection<HStoreFile> inputs)
        throws IOException {
      List<Path> paths = new ArrayList<>();
      if (hot != null) {
        hot.appendMetadata(maxSequenceId, allFiles, Set.of());
        HotFiles.put(hot);
        paths.add(hot.getPath());
        hot.close();
      }
      cold.appendMetadata(maxSequenceId, allFiles, inputs);
      cold.appendFileInfo(HStoreFile.TIMERANGE_KEY, times(inputs));
      paths.add(cold.getPath());
      cold.close();
      return paths;
    }

    private byte[] times(Collection<HStoreFile> inputs) throws IOException {
      long end = last;
      for (HStoreFile input : inputs) {
        StoreFileReader reader = input.getReader();
        end = Math.max(end, reader == null ? Long.MAX_VALUE : reader.getMaxTimestamp());
      }
      return TimeRangeTracker.toByteArray(
          TimeRangeTracker.create(TimeRangeTracker.Type.NON_SYNC, Math.min(first, end), end));
    }

    @Override
    protected Collection<StoreFileWriter> writers() {
      return Arrays.asList(hot, cold);
    }
  }
}
