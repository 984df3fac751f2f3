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
package io.github.hybridhbase.wal.sync;

import io.github.hybridhbase.wal.failover.Scheduler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.util.CancelableProgressable;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An {@link AsyncFSOutput} whose flushes go through a {@link GroupCommit} and whose bytes are
 * staged until then. {@code write}, {@code buffered} and {@code flush} belong to one thread at a
 * time, other methods to any.
 */
@InterfaceAudience.Private
public final class GroupCommitOutput implements AsyncFSOutput {
  private final AsyncFSOutput output;
  private final GroupCommit groupCommit;
  private final StagingBuffer staged = new StagingBuffer();
  private final boolean alwaysForce;
  private int stagedEdits;

  /**
   * @param alwaysForce makes every flush an hsync, also of the trailer: if a power cut loses that
   *     of a closed file, the file is shorter than the NameNode records, and all its replicas count
   *     as corrupt
   */
  public GroupCommitOutput(
      AsyncFSOutput output, boolean alwaysForce, GatherPolicy policy, Scheduler timer) {
    this.output = output;
    this.alwaysForce = alwaysForce;
    this.groupCommit = new GroupCommit(output, staged, policy, timer, System::nanoTime);
  }

  public StagingBuffer stream() {
    return staged;
  }

  public void entryEnds() {
    stagedEdits++;
  }

  @Override
  public void write(byte[] b) {
    staged.write(b, 0, b.length);
  }

  @Override
  public void write(byte[] b, int off, int len) {
    staged.write(b, off, len);
  }

  @Override
  public void writeInt(int i) {
    staged.writeInt(i);
  }

  @Override
  public void write(ByteBuffer bb) {
    int len = bb.remaining();
    staged.write(bb, bb.position(), len);
    bb.position(bb.position() + len);
  }

  /** Since the last {@link #flush}; the writer computes its length from them. */
  @Override
  public int buffered() {
    return staged.size();
  }

  @Override
  public boolean isBroken() {
    return output.isBroken();
  }

  @Override
  public DatanodeInfo[] getPipeline() {
    return output.getPipeline();
  }

  @Override
  public CompletableFuture<Long> flush(boolean sync) {
    int edits = stagedEdits;
    stagedEdits = 0;
    return groupCommit.sync(sync || alwaysForce, edits);
  }

  @Override
  public void recoverAndClose(CancelableProgressable reporter) throws IOException {
    groupCommit.close();
    output.recoverAndClose(reporter);
  }

  @Override
  public void close() throws IOException {
    groupCommit.close();
    output.close();
  }

  @Override
  public long getSyncedLength() {
    return output.getSyncedLength();
  }
}
