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
package io.github.hybridhbase.tool.cli;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.cli.Session.UnreachableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.com.google.common.base.Throwables;
import org.apache.yetus.audience.InterfaceAudience;

/** The context of a verb: configuration, cluster and terminal. */
@InterfaceAudience.Private
public final class Session {
  public final Configuration conf;
  public final HybridSettings settings;
  public final Layout layout;
  public final PrintStream out;
  public final PrintStream err;
  public final boolean json;
  public final Stop stop;

  /** Null in an offline session. */
  public final Namespaces namespaces;

  public Terminal terminal = Terminal.NONE;
  public final List<Path> hdfsRoots = new ArrayList<>();
  public final List<String> unseen = new ArrayList<>();

  private Session(
      Configuration conf,
      Layout layout,
      PrintStream out,
      PrintStream err,
      boolean json,
      Stop stop,
      Namespaces namespaces) {
    this.conf = conf;
    this.settings = HybridSettings.read(conf);
    this.layout = layout;
    this.out = out;
    this.err = err;
    this.json = json;
    this.stop = stop;
    this.namespaces = namespaces;
  }

  /**
   * @throws UnreachableException if there is no cluster, or none of its roots is on HDFS
   */
  public static Session open(
      Configuration conf, PrintStream out, PrintStream err, boolean json, Stop stop)
      throws IOException {
    String root = conf.get(HConstants.HBASE_DIR);
    try {
      return FirstAnswer.await(
          () -> reached(conf, out, err, json, stop), "hbase.rootdir=" + root, err, stop);
    } catch (IllegalArgumentException e) {
      // Hadoop's form of an unresolved host name.
      if (e.getCause() instanceof UnknownHostException) {
        throw new UnreachableException(
            "hbase.rootdir="
                + root
                + " names a host that does not resolve ("
                + e.getCause().getMessage()
                + "). Correct it, or the name service's hdfs-site.xml is not on the class path.");
      }
      throw e;
    }
  }

  private static Session reached(
      Configuration conf, PrintStream out, PrintStream err, boolean json, Stop stop)
      throws IOException {
    Layout layout = new Layout(CommonFSUtils.getRootDir(conf), CommonFSUtils.getWALRootDir(conf));
    Session session = new Session(conf, layout, out, err, json, stop, Namespaces.of(conf));
    for (Path root : layout.roots()) {
      session.reach(root);
    }
    if (session.hdfsRoots.isEmpty()) {
      throw new UnreachableException(
          layout.roots().stream().map(Path::toString).collect(Collectors.joining(" and "))
              + (layout.roots().size() == 1 ? " is" : " are")
              + " not on HDFS, so there are no storage policies. Point hbase.rootdir (or"
              + " hbase.wal.dir) to HBase's HDFS: is the configuration directory of HBase on the"
              + " class path (HBASE_CONF_DIR)?");
    }
    return session;
  }

  public static Session offline(
      Configuration conf, PrintStream out, PrintStream err, boolean json, Stop stop) {
    return new Session(conf, null, out, err, json, stop, null);
  }

  public static Session over(
      Namespaces namespaces, Configuration conf, Layout layout, PrintStream out, Stop stop) {
    Session session = new Session(conf, layout, out, out, false, stop, namespaces);
    session.hdfsRoots.addAll(layout.roots());
    return session;
  }

  private void reach(Path root) throws IOException {
    Optional<StorageNamespace> namespace = namespace(root);
    if (namespace.isEmpty()) {
      return;
    }
    hdfsRoots.add(root);
    try {
      if (namespace.get().policy(root).isEmpty()) {
        throw new UnreachableException(
            root + " does not exist. Does hbase.rootdir (or hbase.wal.dir) name this HBase?");
      }
    } catch (AccessControlException e) {
      unseen("May not look at " + root + ": " + HdfsError.of(e).text);
    }
  }

  /** Before first use. */
  public Session at(Terminal place) {
    terminal = place;
    return this;
  }

  public Optional<StorageNamespace> namespace(Path path) throws IOException {
    return namespaces.of(path);
  }

  public List<Path> otherRoots() {
    return layout.roots().stream()
        .filter(root -> !hdfsRoots.contains(root))
        .collect(Collectors.toList());
  }

  public Path keeper() {
    return hdfsRoots.get(0);
  }

  private void unseen(String text) {
    if (!unseen.contains(text)) {
      unseen.add(text);
      err.println(Text.escape(text));
    }
  }

  public static final class UnreachableException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnreachableException(String message) {
      super(message);
    }
  }

  /**
   * A bound on a cluster's first answer: Hadoop waits a minute or more for a NameNode that hangs,
   * and tries again.
   */
  static final class FirstAnswer {
    static final int MOST_SECONDS = 20;
    private static final int SILENT_SECONDS = 3;

    private FirstAnswer() {}

    /**
     * Reports on {@code err} after a few seconds.
     *
     * @param cluster key and value that name it
     * @throws UnreachableException after {@value #MOST_SECONDS} seconds, or on a stop
     */
    static <T> T await(Callable<T> question, String cluster, PrintStream err, Stop stop)
        throws IOException {
      return await(question, cluster, err, stop, MOST_SECONDS);
    }

    static <T> T await(Callable<T> question, String cluster, PrintStream err, Stop stop, int most)
        throws IOException {
      ThreadPoolExecutor thread =
          DaemonThreads.pool("hybrid-first-answer", 1, 0, new ThreadPoolExecutor.AbortPolicy());
      Future<T> answer = thread.submit(question);
      try {
        for (int second = 1; second <= most && !stop.requested(); second++) {
          try {
            return answer.get(1, TimeUnit.SECONDS);
          } catch (TimeoutException e) {
            if (second == SILENT_SECONDS) {
              err.println(
                  "Waiting for an answer of HDFS (" + cluster + "), at most " + most + " s");
            }
          }
        }
        throw new UnreachableException(
            "HDFS did not answer within "
                + most
                + " s ("
                + cluster
                + "). The NameNode accepts connections and hangs, or packets are dropped on the"
                + " way: try 'hdfs dfs -ls /'.");
      } catch (ExecutionException e) {
        Throwables.throwIfInstanceOf(e.getCause(), IOException.class);
        Throwables.throwIfUnchecked(e.getCause());
        throw new IOException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      } finally {
        thread.shutdownNow();
      }
    }
  }
}
