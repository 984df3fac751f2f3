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

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.io.hfile.HFileWriterImpl;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A layer over a store's configuration that gives files of hot rows blocks of 8 KB. With 64 KB, hot
 * rows would evict blocks of others, whose reads cost a seek on HDD.
 *
 * <p>Implementation note: HBase's ratio for encoded blocks is the only part of the block size with
 * a key, which HBase reads on the thread that creates the writer.
 */
@InterfaceAudience.Private
public final class HotBlocks extends AbstractMap<String, String> {
  private static final int BYTES = 8 << 10;

  private final BooleanSupplier createsHot;
  private final String ratio;

  private HotBlocks(BooleanSupplier createsHot, int familyBytes) {
    this.createsHot = createsHot;
    this.ratio = Float.toString((float) BYTES / familyBytes);
  }

  /**
   * @param familyBytes of the family's blocks; smaller ones stay
   * @param createsHot whether the calling thread creates a file of hot rows
   */
  public static void over(Configuration store, int familyBytes, BooleanSupplier createsHot) {
    if (familyBytes > BYTES && store instanceof CompoundConfiguration) {
      ((CompoundConfiguration) store).addStringMap(new HotBlocks(createsHot, familyBytes));
    }
  }

  static int bytes(int familyBytes) {
    return Math.min(BYTES, familyBytes);
  }

  @Override
  public String get(Object key) {
    return HFileWriterImpl.UNIFIED_ENCODED_BLOCKSIZE_RATIO.equals(key) && createsHot.getAsBoolean()
        ? ratio
        : null;
  }

  /** Lists the store's own keys. */
  @Override
  public Set<Map.Entry<String, String>> entrySet() {
    return Set.of();
  }
}
