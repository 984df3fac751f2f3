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

import io.github.hybridhbase.config.Layout;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** The file systems of one HBase, and the lookup of its hold. */
@InterfaceAudience.Private
public final class HBaseNamespaces implements Namespaces {
  private final Configuration conf;
  private final Layout layout;

  /**
   * @param layout of HBase, or of its {@code MasterData}, the roots of the master's local store
   */
  public HBaseNamespaces(Configuration conf, Layout layout) {
    this.conf = conf;
    this.layout = new Layout(outside(layout.root()), outside(layout.walRoot()));
  }

  private static Path outside(Path root) {
    return root.getName().equals(Layout.MASTER_DATA) ? root.getParent() : root;
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
