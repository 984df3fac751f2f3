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
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The mark of a file of hot rows, in the file's own metadata: HBase ignores the key, and whichever
 * server opens the file finds the mark again.
 */
@InterfaceAudience.Private
public final class HotMark {
  private static final String KEY = "HYBRID_HOT_ROWS";

  private HotMark() {}

  /** Marks a file that is still open. */
  static void put(StoreFileWriter writer) throws IOException {
    writer.appendFileInfo(key(), new byte[] {1});
  }

  private static byte[] key() {
    return KEY.getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether a file holds hot rows; false for a reference to half of one. */
  public static boolean isOn(HStoreFile file) {
    return !file.isReference() && file.getMetadataValue(key()) != null;
  }

  /** As {@link #isOn}, and for references to parts of such files too. */
  static boolean isIn(HStoreFile file) {
    return file.getMetadataValue(key()) != null;
  }

  /** How many of these files hold hot rows. */
  static int count(Collection<HStoreFile> files) {
    return (int) files.stream().filter(HotMark::isOn).count();
  }
}
