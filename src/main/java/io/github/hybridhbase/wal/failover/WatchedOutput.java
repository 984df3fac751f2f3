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
package io.github.hybridhbase.wal.failover;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.util.CancelableProgressable;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An output that can be given up from outside: then its flushes fail as if a DataNode had died, and
 * HBase appends again what was not acknowledged, in the next file.
 *
 * <p>It fails the newest flush only: AsyncFSWAL takes one failure for that of all that it has not
 * seen acknowledged, and whatever is acknowledged after all was so by every replica. Nothing is
 * allocated for a flush. Threads: as every {@code AsyncFSOutput}; {@link #giveUp} on any.
 */
@InterfaceAudience.Private
public final class WatchedOutput implements AsyncFSOutput {
  private final AsyncFSOutput output;
  private final Connections connections;
  private final Runnable onFlush;
  private volatile CompletableFuture<Long> newest = CompletableFuture.completedFuture(0L);
  private volatile IOException failure;

  /** HBase's output gives each packet to an event loop in three pieces. */
  private final Object sending = new Object();

  private boolean closing;

  /** Whether the newest flush is an hsync; whoever reads it may be one flush behind. */
  private boolean durable;

  /**
   * @param onFlush told of each flush once it has left; neither blocks nor throws
   */
  public WatchedOutput(AsyncFSOutput output, Runnable onFlush) {
    this.output = output;
    this.connections = Connections.of(output);
    this.onFlush = onFlush;
  }

  /**
   * From now on every flush fails, the one under way included. Never throws.
   *
   * @return whether that failed one: not where it was given up before, nor where all that had left
   *     was acknowledged just now
   */
  public boolean giveUp(IOException why) {
    synchronized (this) {
      if (failure != null) {
        return false;
      }
      failure = why;
    }
    return newest.completeExceptionally(why);
  }

  boolean isGivenUp() {
    return failure != null;
  }

  /** The output of HBase's own that an output is, or is in front of. */
  public static AsyncFSOutput unwrap(AsyncFSOutput output) {
    return output instanceof WatchedOutput ? ((WatchedOutput) output).output : output;
  }

  /**
   * Whether no flush succeeds any more, because the output is broken or closed; then the one in
   * flight fails too. HBase's output answers none of several packets that it broke between ({@code
   * FanOutOneBlockAsyncDFSOutput.flush0}).
   */
  boolean failIfBroken() {
    boolean broken = output.isBroken() || connections.isOneClosed();
    if (broken && !newest.isDone()) {
      newest.completeExceptionally(new IOException("The output broke while a flush was in flight"));
    }
    return broken;
  }

  /** Whether the newest flush is an hsync. */
  boolean isDurable() {
    return durable;
  }

  /** Whether a flush is under way. */
  boolean isWaiting() {
    return !newest.isDone();
  }

  /**
   * Between two flushes: what is given to the channels' event loops now gets into the middle of no
   * packet, and is not behind the file's last one.
   *
   * @param task must not block
   * @return whether it ran: not where the file is being closed
   */
  boolean betweenFlushes(Runnable task) {
    synchronized (sending) {
      if (!closing) {
        task.run();
      }
      return !closing;
    }
  }

  private void closing() {
    synchronized (sending) {
      closing = true;
    }
  }

  @Override
  public CompletableFuture<Long> flush(boolean sync) {
    if (failure != null) {
      return CompletableFuture.failedFuture(failure);
    }
    durable = sync;
    CompletableFuture<Long> sent;
    synchronized (sending) {
      sent = output.flush(sync);
    }
    newest = sent;
    IOException why = failure; // given up meanwhile, it may have failed another one
    if (why != null) {
      sent.completeExceptionally(why);
    } else if (!sent.isDone() && !failIfBroken()) {
      onFlush.run();
    }
    return sent;
  }

  /** Ends the file, or throws at once where it was given up: HBase recovers it then. */
  @Override
  public void close() throws IOException {
    if (failure != null) {
      throw new IOException("It was given up", failure);
    }
    closing();
    output.close();
  }

  @Override
  public boolean isBroken() {
    return failure != null || output.isBroken();
  }

  @Override
  public void recoverAndClose(CancelableProgressable reporter) throws IOException {
    closing();
    output.recoverAndClose(reporter);
  }

  @Override
  public void write(byte[] b) {
    output.write(b);
  }

  @Override
  public void write(byte[] b, int off, int len) {
    output.write(b, off, len);
  }

  @Override
  public void writeInt(int i) {
    output.writeInt(i);
  }

  @Override
  public void write(ByteBuffer bb) {
    output.write(bb);
  }

  @Override
  public int buffered() {
    return output.buffered();
  }

  @Override
  public DatanodeInfo[] getPipeline() {
    return output.getPipeline();
  }

  @Override
  public long getSyncedLength() {
    return output.getSyncedLength();
  }
}
