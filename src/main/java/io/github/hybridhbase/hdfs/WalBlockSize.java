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

import io.github.hybridhbase.config.Component;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** The block size of WAL files, as in HBase's {@code WALUtil.getWALBlockSize}. */
@InterfaceAudience.Private
public final class WalBlockSize {
  private static final String KEY = "hbase.regionserver.hlog.blocksize";

  private WalBlockSize() {}

  /** 0 if not configured. */
  public static long configured(Configuration conf) {
    return conf.getLong(KEY, 0);
  }

  /**
   * @param configured from {@link #configured}
   * @param standard the file system's default in bytes
   */
  public static long of(long configured, long standard) {
    return configured > 0 ? configured : 2 * standard;
  }

  /** The largest block of a component in bytes, by which HDFS judges space. */
  public static long of(Component component, long configured, long standard) {
    return component == Component.WAL || component == Component.MASTER
        ? of(configured, standard)
        : standard;
  }
}
