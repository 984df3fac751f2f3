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
package io.github.hybridhbase.tool;

import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.tool.cli.ProgressLine;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A count of the files below some directories, by one {@code getContentSummary} call each, on a
 * thread of its own. 0 if it fails.
 */
@InterfaceAudience.Private
final class FileCount implements ProgressLine.Total {
  private final Configuration conf;
  private final List<Path> directories;

  FileCount(Configuration conf, List<Path> directories) {
    this.conf = conf;
    this.directories = List.copyOf(directories);
  }

  @Override
  public void ask(AtomicLong answer) {
    ThreadPoolExecutor thread =
        DaemonThreads.pool("hybrid-count", 1, 1, new ThreadPoolExecutor.DiscardPolicy());
    thread.execute(() -> answer.set(count()));
    thread.shutdown();
  }

  private long count() {
    long sum = 0;
    try {
      for (Path directory : directories) {
        sum += directory.getFileSystem(conf).getContentSummary(directory).getFileCount();
      }
      return sum;
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }
}
