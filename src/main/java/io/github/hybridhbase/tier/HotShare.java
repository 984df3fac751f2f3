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
package io.github.hybridhbase.tier;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A choice of the stores whose files of hot rows must leave SSD: all if the tier is closed, else as
 * many as exceed their share of the server's, the least read per byte first. A chosen store stays
 * chosen until it has none.
 */
@InterfaceAudience.Private
final class HotShare {
  private HotShare() {}

  /**
   * @param excess bytes above the share, all replicas
   */
  static void leave(Collection<TrackedStore> stores, boolean closed, long excess) {
    List<TrackedStore> staying = new ArrayList<>();
    for (TrackedStore store : stores) {
      long bytes = hotBytes(store);
      if (bytes == 0 && store.known().stream().noneMatch(TieredFile::hasToLeave)) {
        store.hotLeaves = false;
      } else if (closed) {
        store.hotLeaves = true;
      } else if (!store.hotLeaves) {
        staying.add(store);
      }
    }
    staying.sort(Comparator.comparingDouble(HotShare::readsPerByte));
    long over = excess;
    for (TrackedStore store : staying) {
      if (over <= 0) {
        return;
      }
      store.hotLeaves = true;
      over -= hotBytes(store);
    }
  }

  private static double readsPerByte(TrackedStore store) {
    return store.hot == null ? 0 : store.hot.ssdPerSecond() / Math.max(1, hotBytes(store));
  }

  private static long hotBytes(TrackedStore store) {
    return store.known().stream().filter(TieredFile::hot).mapToLong(TieredFile::bytes).sum();
  }
}
