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
package io.github.hybridhbase.foreign;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** Sets the plugin's delegate where a test of HBase's names a provider by its class. */
@InterfaceAudience.Private
public final class Delegates {
  static final String KEY = "hbase.hybrid.wal.delegate";

  private static final Map<String, String> BY_CLASS =
      Map.of(
          "RegionGroupingProvider", "multiwal",
          "FSHLogProvider", "filesystem",
          "AsyncFSWALProvider", "asyncfs");

  private Delegates() {}

  /** As {@link Configuration#setClass}, but for {@link #KEY}, which wants a word. */
  public static void setClass(Configuration conf, String key, Class<?> named, Class<?> base) {
    String word = key.equals(KEY) ? BY_CLASS.get(named.getSimpleName()) : null;
    if (word == null) {
      conf.setClass(key, named, base);
    } else {
      conf.set(key, word);
    }
  }
}
