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
 * An {@link AsyncFSOutput} that can be given up: its newest flush fails as if a DataNode had died,
 * and AsyncFSWAL appends all unacknowledged edits to the next file. A flush allocates nothing here;
 * {@link #giveUp} is for any thread.
 */
@InterfaceAudience.Private
public final class WatchedOutput implements AsyncFSOutput {
  private final AsyncFSOutput output;
  private final Connections connections;
  private final Runnable onFlush;
  private volatile CompletableFuture<Long> newest = CompletableFuture.completedFuture(0L);
  private volatile IOException failure;

  /** Held while a packet is sent: HBase's output passes it to an event loop in three pieces. */
  private final Object sending = new Object();

  private boolean closing;

  /**
   * @param onFlush runs after each flush was sent; neither blocks nor throws
   */
  public WatchedOutput(AsyncFSOutput output, Runnable onFlush) {
    this.output = output;
    this.connections = Connections.of(output);
    this.onFlush = onFlush;
  }

  /**
   * Fails the flush in flight and all later ones. Never throws.
   *
   * @return false if given up before, or nothing was in flight
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

  /**
   * Takes the flushes of the file's end: HBase's output answers them after all that was given up.
   *
   * @return why it was given up; null if it was not, or the output broke
   */
  synchronized IOException resume() {
    IOException why = failure;
    if (why != null && !output.isBroken() && !connections.isOneClosed()) {
      failure = null;
      return why;
    }
    return null;
  }

  boolean isGivenUp() {
    return failure != null;
  }

  public static AsyncFSOutput unwrap(AsyncFSOutput output) {
    return output instanceof WatchedOutput ? ((WatchedOutput) output).output : output;
  }

  /**
   * Fails the flush in flight if the output is broken or closed: HBase's output may complete none
   * of several packets ({@code FanOutOneBlockAsyncDFSOutput.flush0}).
   */
  boolean failIfBroken() {
    boolean broken = output.isBroken() || connections.isOneClosed();
    if (broken && !newest.isDone()) {
      newest.completeExceptionally(new IOException("The output broke while a flush was in flight"));
    }
    return broken;
  }

  boolean isWaiting() {
    return !newest.isDone();
  }

  /** Runs a task, which must not block, between two packets; false if the file is being closed. */
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
    CompletableFuture<Long> sent;
    synchronized (sending) {
      sent = output.flush(sync);
    }
    newest = sent;
    IOException why = failure; // giveUp() may have failed the previous flush instead
    if (why != null) {
      sent.completeExceptionally(why);
    } else if (!sent.isDone() && !failIfBroken()) {
      onFlush.run();
    }
    return sent;
  }

  /** Throws at once if the file was given up: HBase then recovers it. */
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
