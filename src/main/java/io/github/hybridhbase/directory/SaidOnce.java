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
package io.github.hybridhbase.directory;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What was said of one server's configuration and directories, so that a standing trouble is said
 * once, whoever meets it: a master looks as its local store opens and once more as its coprocessor
 * starts. Thread-safe.
 */
@InterfaceAudience.Private
public final class SaidOnce {
  private final Set<String> texts = ConcurrentHashMap.newKeySet();
  private final Map<Path, String> lastOf = new ConcurrentHashMap<>();

  /** Whether this was not said yet; from now on it was. */
  boolean isNews(String text) {
    return texts.add(text);
  }

  /** Whether something else, or nothing, was last said of a directory; from now on it is this. */
  boolean isNews(Path directory, String text) {
    return !text.equals(lastOf.put(directory, text));
  }

  /** Whatever comes next of this directory is news. */
  void forget(Path directory) {
    lastOf.remove(directory);
  }
}
