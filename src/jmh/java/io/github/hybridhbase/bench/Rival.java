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
package io.github.hybridhbase.bench;

import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** The write-ahead logs that are compared: HBase's own, and each with the plugin's writer. */
@InterfaceAudience.Private
public enum Rival {
  ASYNCFS("asyncfs", false),
  HYBRID_ASYNCFS("asyncfs", true),
  FILESYSTEM("filesystem", false),
  HYBRID_FILESYSTEM("filesystem", true),
  MULTIWAL("multiwal", false),
  HYBRID_MULTIWAL("multiwal", true);

  private final String provider;
  private final boolean hybrid;

  Rival(String provider, boolean hybrid) {
    this.provider = provider;
    this.hybrid = hybrid;
  }

  /** The settings that choose it, as HybridWALProvider makes them. */
  void configure(Configuration conf) {
    conf.set("hbase.wal.provider", provider);
    if (hybrid) {
      String writers = "io.github.hybridhbase.wal.";
      conf.set("hbase.regionserver.wal.async.writer.impl", writers + "HybridAsyncWriter");
      conf.set("hbase.regionserver.wal.writer.impl", writers + "HybridLogWriter");
    }
  }
}
