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
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store's counts in its region's directory, which HBase deletes with the region. After a split or
 * a merge a store begins with the other regions' counts. A missing or unreadable file costs only
 * learning.
 */
@InterfaceAudience.Private
final class HeatFile {
  private static final Logger LOG = LoggerFactory.getLogger(HeatFile.class);

  /** HBase ignores hidden files. The number is the format's. */
  private static final String NAME = ".hybrid-heat-1-";

  private HeatFile() {}

  private static Path in(Path region, HStore store) {
    return new Path(region, NAME + store.getColumnFamilyName());
  }

  /** Makes no directory: HBase may have deleted the region. */
  static void write(HStore store, HeatSketch counts) {
    Path file = in(store.getRegionFileSystem().getRegionDir(), store);
    try (DataOutputStream to = store.getFileSystem().createFile(file).overwrite(true).build()) {
      counts.write(to);
    } catch (IOException e) {
      LOG.debug("{} is not written now", file, e);
    } catch (RuntimeException e) {
      Failures.swallowed("Counts of reads by row could not be written; they are tried later.", e);
    }
  }

  static void read(HStore store, HeatSketch into) {
    try {
      Set<Path> regions = new HashSet<>();
      regions.add(store.getRegionFileSystem().getRegionDir());
      for (HStoreFile file : store.getStorefiles()) {
        if (file.isReference()) {
          regions.add(StoreFileInfo.getReferredToFile(file.getPath()).getParent().getParent());
        }
      }
      for (Path region : regions) {
        Path file = in(region, store);
        if (store.getFileSystem().exists(file)) {
          try (DataInputStream from =
              new DataInputStream(new BufferedInputStream(store.getFileSystem().open(file)))) {
            into.read(from);
          }
        }
      }
    } catch (IOException e) {
      LOG.debug("The counts of {} are not read", store, e);
    } catch (RuntimeException e) {
      Failures.swallowed("Counts of reads by row could not be read; they are learnt anew.", e);
    }
  }
}
