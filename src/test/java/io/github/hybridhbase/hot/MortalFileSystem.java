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
package io.github.hybridhbase.hot;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The local file system of a server that dies at a step that a test names: from then on every
 * change fails, deleting included, as if there were no server any more.
 */
@InterfaceAudience.Private
public class MortalFileSystem extends LocalRegion.Files {
  /** What a server does with the files of a compaction. */
  enum Step {
    CLOSE,
    RENAME,
    /** Of a file that was renamed since. */
    OPEN
  }

  /** When the server dies. */
  static final class Life {
    private volatile boolean dead;
    private volatile Step last;
    private final AtomicInteger left = new AtomicInteger();
    private final Set<String> renamed = ConcurrentHashMap.newKeySet();
    private volatile String newest = "";
    private volatile int unreadable;
    final AtomicInteger closed = new AtomicInteger();
    private final AtomicReference<Callable<?>> before = new AtomicReference<>();

    /** It dies after this step, the so many-eth from now on. */
    void endAfter(Step step, int count) {
      renamed.clear();
      left.set(count);
      last = step;
    }

    /** It dies now. */
    void end() {
      dead = true;
    }

    boolean isOver() {
      return dead;
    }

    /** It was not dead: HDFS took no change for a while, in safe mode say, and does again. */
    void goesOn() {
      last = null;
      dead = false;
    }

    /** It lives, but cannot open the file that it renames as the so many-eth from now on. */
    void cannotOpen(int count) {
      renamed.clear();
      unreadable = count;
    }

    /** Runs before the next file is renamed into its store. */
    void beforeRename(Callable<?> step) {
      before.set(step);
    }

    private void beforeRename() throws IOException {
      Callable<?> step = before.getAndSet(null);
      if (step != null) {
        try {
          step.call();
        } catch (Exception e) {
          throw new IOException(e);
        }
      }
    }

    private void checkOpen(String name) throws IOException {
      if (unreadable > 0 && renamed.size() == unreadable && name.equals(newest)) {
        throw new IOException("no DataNode has " + name);
      }
    }

    private void check() throws IOException {
      if (dead) {
        throw new IOException("this server is dead");
      }
    }

    private void did(Step step) throws IOException {
      if (step == last && left.decrementAndGet() == 0) {
        dead = true;
        throw new IOException("this server dies after " + step);
      }
    }
  }

  /** The server that runs, of one test at a time. */
  static volatile Life life = new Life();

  private Life mine;

  @Override
  public void initialize(java.net.URI uri, Configuration conf) throws IOException {
    super.initialize(uri, conf);
    mine = life;
  }

  private static boolean isStoreFile(Path file) {
    return file.getName().matches("[0-9a-f]{32}");
  }

  /** Whether it is in its store, no more in {@code .tmp}. */
  private static boolean isCommitted(Path file) {
    return isStoreFile(file) && !file.toString().contains("/.tmp/");
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    mine.check();
    if (isCommitted(to)) {
      mine.beforeRename();
    }
    boolean renamed = super.rename(from, to);
    if (isCommitted(to)) {
      mine.renamed.add(to.getName());
      mine.newest = to.getName();
      mine.did(Step.RENAME);
    }
    return renamed;
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    mine.check();
    return super.delete(path, recursive);
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    mine.check();
    return super.mkdirs(path, permission);
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    mine.checkOpen(file.getName());
    FSDataInputStream opened = super.open(file, bufferSize);
    if (mine.last == Step.OPEN && mine.renamed.contains(file.getName())) {
      mine.did(Step.OPEN);
    }
    return opened;
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    mine.check();
    FSDataOutputStream to =
        super.create(file, permission, overwrite, bufferSize, replication, blockSize, progress);
    return isStoreFile(file) ? new Counted(to) : to;
  }

  /** Tells when it is closed. */
  private final class Counted extends FSDataOutputStream {
    private boolean closed;

    Counted(OutputStream to) throws IOException {
      super(to, null);
    }

    @Override
    public void close() throws IOException {
      super.close();
      if (!closed) {
        closed = true;
        mine.closed.incrementAndGet();
        mine.did(Step.CLOSE);
      }
    }
  }
}
