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
package io.github.hybridhbase.wal;

import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** The plugin's writers, where HBase looks for its own. */
@InterfaceAudience.Private
final class PluginWriters {
  private PluginWriters() {}

  /** Names them under the keys of every line of HBase: javac copies HBase's constants. */
  static void into(Configuration conf) {
    for (String name : new String[] {"wal", "hlog"}) {
      String prefix = "hbase.regionserver." + name;
      conf.set(prefix + ".async.writer.impl", HybridAsyncWriter.class.getName());
      conf.set(prefix + ".writer.impl", HybridLogWriter.class.getName());
    }
    // Nobody rolls these logs, so that one that leaves a DataNode would wait for ever.
    conf.set("hbase.hybrid.wal.stall", "0");
  }
}
