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
package io.github.hybridhbase.runtime;

import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** Block size and name of WAL files. Pure. */
@InterfaceAudience.Private
public final class WalFiles {
  private static final String KEY = "hbase.regionserver.hlog.blocksize";
  private static final Pattern NUMBER = Pattern.compile("\\.\\d+(?=(\\.meta)?$)");

  private WalFiles() {}

  /** 0 if not configured. */
  public static long configuredBlockSize(Configuration conf) {
    return conf.getLong(KEY, 0);
  }

  /**
   * As HBase's {@code WALUtil.getWALBlockSize}.
   *
   * @param standard the file system's default in bytes
   */
  public static long blockSize(long configured, long standard) {
    return configured > 0 ? configured : 2 * standard;
  }

  public static int replication(Configuration conf) {
    return conf.getInt("hbase.regionserver.hlog.replication", conf.getInt("dfs.replication", 3));
  }

  /**
   * The name without the roll's number: {@code server.1700000000000.meta} becomes {@code
   * server.meta}.
   */
  public static String log(Path file) {
    return NUMBER.matcher(file.getName()).replaceFirst("");
  }
}
