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
package io.github.hybridhbase.placement;

import io.github.hybridhbase.hdfs.DataNodeReader;
import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.SsdNodes;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.IoSupplier;
import io.github.hybridhbase.runtime.Layout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The active master's publication of {@link SsdNodes} on HBase's roots. One thread, which may wait
 * seconds for DataNodes' web servers.
 *
 * <p>It looks every ten minutes; above 100 DataNodes every minute per ten. A look is repeated at
 * the next call if it fails, if there are more or fewer DataNodes than at the last look or none, if
 * it learns media but not all, and if the NameNode cannot write now.
 */
@InterfaceAudience.Private
public final class SsdNodesPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(SsdNodesPublisher.class);

  static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int MANY = 100;

  static final class Root {
    private final Path path;
    private final StorageNamespace namespace;
    private final IoSupplier<List<DataNodeState>> live;
    private String published;
    private int dataNodes;

    /** When the next look is due; null for the next call. */
    private Long due;

    /** DataNodes whose media were unknown at the last look. */
    private int unknown = Integer.MAX_VALUE;

    Root(Path path, StorageNamespace namespace, IoSupplier<List<DataNodeState>> live) {
      this.path = path;
      this.namespace = namespace;
      this.live = live;
    }

    private boolean isDue(long now) {
      return due == null || now - due >= 0;
    }

    private void publish(long now) throws IOException {
      if (published == null) {
        byte[] before = namespace.xattrs(path).get(SsdNodes.XATTR);
        published = before == null ? "" : new String(before, StandardCharsets.UTF_8);
      }
      List<DataNodeState> nodes = live.get();
      int before = unknown;
      unknown = (int) nodes.stream().filter(node -> node.types.isEmpty()).count();
      boolean learns = unknown > 0 && unknown < before;
      boolean settled = !learns && !nodes.isEmpty() && nodes.size() == dataNodes;
      dataNodes = nodes.size();
      due = settled ? now + PERIOD_NANOS / MANY * Math.max(MANY, dataNodes) : null;
      String next = SsdNodes.of(nodes).toString();
      if (!nodes.isEmpty() && !next.equals(published)) {
        namespace.setXattr(path, SsdNodes.XATTR, next.getBytes(StandardCharsets.UTF_8));
        published = next;
      }
    }

    private void failed(Exception why) {
      published = null;
      if (HdfsError.of(why).kind.isNameNodes()) {
        due = null;
      }
    }
  }

  private final List<Root> roots;
  private final LongSupplier clock;

  SsdNodesPublisher(List<Root> roots, LongSupplier clock) {
    this.roots = roots;
    this.clock = clock;
  }

  public static SsdNodesPublisher of(Configuration conf, Layout layout) throws IOException {
    List<Root> roots = new ArrayList<>();
    for (Path root : layout.roots()) {
      FileSystem fs = root.getFileSystem(conf);
      Optional<StorageNamespace> hdfs = StorageNamespace.of(fs);
      if (hdfs.isPresent()) {
        roots.add(new Root(root, hdfs.get(), new DataNodeReader(fs, conf)::read));
      }
    }
    return new SsdNodesPublisher(roots, System::nanoTime);
  }

  /** Publishes if due. Never throws. */
  public void doWork() {
    for (Root root : roots) {
      long now = clock.getAsLong();
      if (root.isDue(now)) {
        try {
          root.publish(now);
        } catch (IOException | RuntimeException e) {
          root.failed(e);
          LOG.debug("No DataNodes with SSD are published on {}", root.path, e);
        }
      }
    }
  }
}
