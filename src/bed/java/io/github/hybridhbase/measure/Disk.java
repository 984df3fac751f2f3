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
package io.github.hybridhbase.measure;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** A device on which set-ups have files. For one thread. */
@InterfaceAudience.Private
public abstract class Disk {
  /** What went through. */
  @InterfaceAudience.Private
  public static final class Traffic {
    public final long reads;
    public final long writes;
    public final long bytesRead;
    public final long bytesWritten;

    /** Nanoseconds in which it had something to do, 0 where nobody counts them. */
    final long busy;

    Traffic(long reads, long writes, long bytesRead, long bytesWritten, long busy) {
      this.reads = reads;
      this.writes = writes;
      this.bytesRead = bytesRead;
      this.bytesWritten = bytesWritten;
      this.busy = busy;
    }

    private Traffic since(Traffic before) {
      return new Traffic(
          reads - before.reads,
          writes - before.writes,
          bytesRead - before.bytesRead,
          bytesWritten - before.bytesWritten,
          busy - before.busy);
    }
  }

  /** What it is, alike in each run that may be compared. */
  final String label;

  /** Where files on it go. */
  public final Path directory;

  private Traffic before;

  Disk(String label, Path directory) {
    this.label = label;
    this.directory = directory.toAbsolutePath();
  }

  /** Makes it that many times slower than it is said to be; 0 for as fast as it can be. */
  abstract void limit(int slower) throws IOException;

  /** What went through ever; null where nobody counts. */
  abstract Traffic all() throws IOException;

  /** Requests a second that are let through, 0 where nobody limits them. */
  abstract long ios();

  /**
   * It counts from now on, and is as slow as it is to be.
   *
   * @param slower 1 or more
   */
  public final void start(int slower) throws IOException {
    limit(slower);
    count();
  }

  /** Counts from now on; it stays as slow as it is: a limit that is set anew lets a burst by. */
  final void count() throws IOException {
    before = all();
  }

  /** It is as fast as it can be; it still counts. */
  final void release() throws IOException {
    limit(0);
  }

  /** What went through since {@link #count}; null where nobody counts. */
  public final Traffic traffic() throws IOException {
    Traffic now = all();
    return now == null || before == null ? null : now.since(before);
  }

  /** The share of what it can do that was used, 1 at the limit: of the time, or of limits. */
  double use(Traffic traffic, double seconds) {
    return traffic.busy / 1e9 / seconds;
  }
}
