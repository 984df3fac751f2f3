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

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An open store of HBase's, as far as the SSD tier needs it. All but {@link #rewrite} is read from
 * HBase's memory and costs HDFS nothing: HBase asks for the storage types of a file's blocks when
 * it opens the file. Thread-safe.
 */
@InterfaceAudience.Private
interface OpenStore {
  /** The store's files that have replicas on SSD; references to a split parent's among them. */
  List<TieredFile> onSsd();

  /**
   * HDFS has replicas of a file on SSD that were reported after HBase opened it.
   *
   * @param bytes of these replicas
   */
  void foundOnSsd(String name, long bytes);

  /** Those that were compacted away and that HBase has not archived yet. */
  List<TieredFile> compactedAway();

  /** Names of the files that a compaction put into a file of the store that is not on SSD. */
  Set<String> compactedToDisk();

  /** Names of the files that are being compacted, or are selected for it. */
  Set<String> compacting();

  /**
   * Has HBase select files for a compaction and run it, on this thread and to its end.
   *
   * @param large whether this is the thread for compactions that HBase calls large; on the other
   *     one these do not begin
   */
  void rewrite(ExitRequest request, CompactionPool pool, boolean large) throws IOException;
}
