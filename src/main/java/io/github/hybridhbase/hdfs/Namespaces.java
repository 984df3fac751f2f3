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
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

@InterfaceAudience.Private
public interface Namespaces {
  /** Empty if the file system has no storage policies. */
  Optional<StorageNamespace> of(Path path) throws IOException;

  default Optional<StorageNamespace> of(DirectoryRule rule) throws IOException {
    return of(rule.path());
  }

  /**
   * The root that stores the hold and the consent to moves: {@code hbase.rootdir}, or {@code
   * hbase.wal.dir} if only that is on HDFS.
   */
  default Path keeper(Layout layout) throws IOException {
    return of(layout.root()).isPresent() ? layout.root() : layout.walRoot();
  }

  default boolean held() throws IOException {
    return false;
  }

  /** The file systems of one HBase, and the lookup of its hold. */
  @InterfaceAudience.Private
  final class OfHBase implements Namespaces {
    private final Configuration conf;
    private final Layout layout;

    /**
     * @param layout of HBase, or of its {@code MasterData}, the roots of the master's local store
     */
    public OfHBase(Configuration conf, Layout layout) {
      this.conf = conf;
      this.layout = new Layout(outside(layout.root()), outside(layout.walRoot()));
    }

    private static Path outside(Path root) {
      return Layout.isMasters(root) ? root.getParent() : root;
    }

    @Override
    public Optional<StorageNamespace> of(Path path) throws IOException {
      return HdfsNamespace.of(path.getFileSystem(conf));
    }

    @Override
    public boolean held() throws IOException {
      Path keeper = keeper(layout);
      Optional<StorageNamespace> namespace = of(keeper);
      return namespace.isPresent() && !namespace.get().read(Hold.RECORD, keeper).isAbsent();
    }
  }
}
