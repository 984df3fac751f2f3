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

import io.github.hybridhbase.runtime.Layout;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

@InterfaceAudience.Private
public interface Namespaces {
  /** Empty if the file system has no storage policies. */
  Optional<StorageNamespace> of(Path path) throws IOException;

  /** {@code hbase.rootdir}, or {@code hbase.wal.dir} if only that is on HDFS. */
  default Path keeper(Layout layout) throws IOException {
    return of(layout.root()).isPresent() ? layout.root() : layout.walRoot();
  }

  static Namespaces of(Configuration conf) {
    return path -> StorageNamespace.of(path.getFileSystem(conf));
  }
}
