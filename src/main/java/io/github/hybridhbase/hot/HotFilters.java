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
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.util.BloomFilter;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The rows of a store's hot files, by the files' own Bloom filters: what is known of heat after a
 * restart, a move or a split, while the sketch has seen little. Some microseconds a row; one row in
 * a hundred is taken for a hot one. A filter that cannot be read holds no row.
 */
@InterfaceAudience.Private
final class HotFilters implements HotSet {
  private final List<BloomFilter> filters;

  private HotFilters(List<BloomFilter> filters) {
    this.filters = filters;
  }

  /** Those of the hot ones among these open files, and of those that these refer to. */
  static HotFilters of(Collection<HStoreFile> files) {
    List<BloomFilter> found = new ArrayList<>();
    for (HStoreFile file : files) {
      StoreFileReader reader = HotMark.isIn(file) ? file.getReader() : null;
      try {
        BloomFilter filter = reader == null ? null : read(reader.getHFileReader());
        if (filter != null) {
          found.add(filter);
        }
      } catch (IOException | RuntimeException e) {
        Failures.swallowed("A hot file's filter could not be read; its rows count as cold.", e);
      }
    }
    return new HotFilters(found);
  }

  private static BloomFilter read(HFile.Reader reader) throws IOException {
    DataInput filter = reader.getGeneralBloomFilterMetadata();
    return filter == null ? null : BloomFilterFactory.createFromMeta(filter, reader);
  }

  /** Whether there is none. */
  boolean isEmpty() {
    return filters.isEmpty();
  }

  @Override
  public boolean contains(byte[] row, int offset, int length) {
    for (BloomFilter filter : filters) {
      try {
        if (filter.contains(row, offset, length, null)) {
          return true;
        }
      } catch (RuntimeException e) {
        Failures.swallowed("A hot file's filter could not be read; its rows count as cold.", e);
      }
    }
    return false;
  }
}
