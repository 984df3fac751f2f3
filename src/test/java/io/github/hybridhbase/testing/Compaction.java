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
package io.github.hybridhbase.testing;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.yetus.audience.InterfaceAudience;

/** A compaction in the caller's thread. */
@InterfaceAudience.Private
final class Compaction {
  private Compaction() {}

  /** Compacts regions and archives what was compacted away. */
  static void of(List<HRegion> regions, boolean major) throws IOException {
    for (HRegion region : regions) {
      region.compact(major);
      if (major) {
        Await.until(
            "major compaction of " + region.getRegionInfo().getEncodedName(),
            () -> isCompact(region) || compactsAgain(region));
      }
      for (HStore store : region.getStores()) {
        store.closeAndArchiveCompactedFiles();
      }
    }
  }

  private static boolean isCompact(HRegion region) {
    return region.getStores().stream().allMatch(store -> store.getStorefilesCount() <= 1);
  }

  /** Takes the files that another compaction held. */
  private static boolean compactsAgain(HRegion region) {
    try {
      region.compact(true);
      return isCompact(region);
    } catch (IOException e) {
      throw new IllegalStateException("compaction of " + region, e);
    }
  }
}
