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
package io.github.hybridhbase.hdfs;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.yetus.audience.InterfaceAudience;

/** What HDFS's client counts of an open file. */
@InterfaceAudience.Private
public final class StreamReads {
  private StreamReads() {}

  /** Since HBase opened it; 0 if it is not HDFS's. */
  public static long bytes(ReaderContext file) {
    FSDataInputStreamWrapper streams = file.getInputStreamWrapper();
    FSDataInputStream checked = streams.getStream(false);
    FSDataInputStream unchecked = streams.getStream(true);
    return bytes(checked) + (unchecked == checked ? 0 : bytes(unchecked));
  }

  private static long bytes(FSDataInputStream stream) {
    return stream instanceof HdfsDataInputStream
        ? ((HdfsDataInputStream) stream).getReadStatistics().getTotalBytesRead()
        : 0;
  }
}
