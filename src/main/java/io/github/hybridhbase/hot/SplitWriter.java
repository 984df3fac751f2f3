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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.regionserver.AbstractMultiFileWriter;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Writes the output of one compaction to two files: hot rows to the one, all others to the other.
 * One thread.
 *
 * <p>INVARIANT: only the file that is renamed last names the compaction's inputs, and that is the
 * cold one. HBase commits outputs one after the other, and a region that opens archives every file
 * that an output names; were the inputs named in the first output, a server that dies between the
 * two renames would lose all rows of the second.
 *
 * <p>INVARIANT: the cold file exists even if it is empty, since the store forgets its highest
 * sequence id without an output.
 *
 * <p>Implementation note: keeps no cell, since HBase reuses their memory after {@code shipped()}.
 */
@InterfaceAudience.Private
final class SplitWriter extends AbstractMultiFileWriter {
  private final Split split;
  private final FileSystem fileSystem;
  private StoreFileWriter cold;
  private StoreFileWriter hot;

  /** The row of the last cell, and where it goes. */
  private byte[] row = new byte[64];

  private byte[] next = new byte[64];
  private int length = -1;
  private boolean rowIsHot;

  SplitWriter(Split split, FileSystem fileSystem) {
    this.split = split;
    this.fileSystem = fileSystem;
  }

  /** Creates the cold file. */
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
  }

  /** HBase 2's; HBase calls {@link #appendAll} only. */
  @Override
  public void append(Cell cell) throws IOException {
    appendAll(List.of(cell));
  }

  /** HBase 3's, as the one above. */
  public void append(ExtendedCell cell) throws IOException {
    appendAll(List.of(cell));
  }

  /** Whether a cell begins another row; decides where that goes. */
  private boolean turnsTo(Cell cell) throws IOException {
    int size = cell.getRowLength();
    if (next.length < size) {
      next = new byte[2 * size];
    }
    int unused = CellUtil.copyRowTo(cell, next, 0);
    if (size == length && Arrays.equals(next, 0, size, row, 0, size)) {
      return false;
    }
    byte[] old = row;
    row = next;
    next = old;
    length = size;
    rowIsHot = isHot();
    return true;
  }

  private boolean isHot() throws IOException {
    return split.takes(hot == null ? 0 : hot.getPos())
        && split.hot().contains(row, 0, length)
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
    if (split.isPlaced()) {
      hot = created;
    } else {
      created.close();
      boolean unused = fileSystem.delete(created.getPath(), false);
    }
    return hot != null;
  }

  /**
   * Closes the files.
   *
   * @return the files in the order in which they have to be renamed
   */
  List<Path> commit(long maxSequenceId, boolean allFiles, Collection<HStoreFile> inputs)
      throws IOException {
    List<Path> paths = new ArrayList<>();
    if (hot != null) {
      hot.appendMetadata(maxSequenceId, allFiles, Set.of());
      HotMark.put(hot);
      paths.add(hot.getPath());
      hot.close();
      split.closed(hot.getPath());
    }
    cold.appendMetadata(maxSequenceId, allFiles, inputs);
    paths.add(cold.getPath());
    cold.close();
    return paths;
  }

  @Override
  protected Collection<StoreFileWriter> writers() {
    return Arrays.asList(hot, cold);
  }
}
