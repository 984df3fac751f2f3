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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableSnapshotScanner;
import org.apache.yetus.audience.InterfaceAudience;

/** Counts the rows of a snapshot as MapReduce, Spark and Hive do. Uses nothing of the plugin. */
@InterfaceAudience.Private
public final class SnapshotReader {
  private SnapshotReader() {}

  /** Prints the count; the arguments are the snapshot and a directory to restore it into. */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    try (TableSnapshotScanner scanner =
        new TableSnapshotScanner(conf, new Path(arguments[1]), arguments[0], new Scan())) {
      int count = 0;
      while (scanner.next() != null) {
        count++;
      }
      System.out.println(count + " rows");
    }
  }
}
