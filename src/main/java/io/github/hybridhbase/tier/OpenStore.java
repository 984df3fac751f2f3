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
 * A view of one open HStore for the SSD tier. All but {@link #rewrite} reads HBase's memory without
 * I/O, as HBase reads the storage types of a file's blocks when it opens the file. Thread-safe.
 */
@InterfaceAudience.Private
interface OpenStore {
  /** References to a split parent's files included. */
  List<TieredFile> onSsd();

  /**
   * Records replicas on SSD that were reported after HBase opened the file.
   *
   * @param bytes of these replicas
   */
  void foundOnSsd(String name, long bytes);

  /** Compacted away but not yet archived. */
  List<TieredFile> compactedAway();

  /** Names of files compacted into a file off SSD. */
  Set<String> compactedToDisk();

  /** Being compacted or selected for it, by name. */
  Set<String> compacting();

  /**
   * Lets HBase select files and runs the compaction on this thread.
   *
   * @param large whether this is the thread for large compactions, which do not begin on the other
   *     one
   */
  void rewrite(ExitRequest request, CompactionPool pool, boolean large) throws IOException;
}
