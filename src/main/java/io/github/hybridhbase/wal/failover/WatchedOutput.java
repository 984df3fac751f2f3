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
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CancelableProgressable;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An {@link AsyncFSOutput} that can be given up: its newest flush fails as if a DataNode had died,
 * and AsyncFSWAL appends all unacknowledged edits to the next file. A flush allocates nothing here.
 *
 * <p>Its monitor is held while a packet is sent, since HBase's output passes it to an event loop in
 * three pieces. {@link #giveUp} is for any thread.
 */
@InterfaceAudience.Private
public class WatchedOutput implements AsyncFSOutput {
  private static final int END_SECONDS = 2;

  /** Runs after each flush was sent; neither blocks nor throws. */
  Runnable onFlush = () -> {};

  private final AsyncFSOutput output;
  private volatile CompletableFuture<Long> newest = CompletableFuture.completedFuture(0L);
  private volatile IOException givenUp;

  private volatile boolean lost;

  /**
   * @param output HBase's own
   */
  public WatchedOutput(AsyncFSOutput output) {
    this.output = output;
    new Connections(output).onClose(this::connectionClosed);
  }

  /** Fails the flush in flight and all later ones, once. Never throws. */
  public final synchronized void giveUp(IOException why) {
    if (givenUp == null) {
      givenUp = why;
      newest.completeExceptionally(why);
    }
  }

  /**
   * Lets HBase close a file that was given up with its trailer, if the DataNodes take it within
   * {@value #END_SECONDS} s: then its lease needs no recovery. HBase's output answers flushes of
   * the end after all that was given up. Never throws.
   *
   * @return false if it was not given up, or the output broke
   */
  public synchronized boolean endsAfterAll(Scheduler scheduler) {
    IOException why = givenUp;
    if (why == null || isLost()) {
      return false;
    }
    givenUp = null;
    if (!scheduler.takes(() -> giveUp(why), TimeUnit.SECONDS.toNanos(END_SECONDS))) {
      giveUp(why);
    }
    return true;
  }

  public static AsyncFSOutput unwrap(AsyncFSOutput output) {
    return output instanceof WatchedOutput ? ((WatchedOutput) output).output : output;
  }

  /** Also of a connection that closed before HBase listened. */
  public final void connectionClosed() {
    lost = true;
    failIfLost();
  }

  /**
   * Fails the flush in flight: HBase's output may complete none of several packets ({@code
   * FanOutOneBlockAsyncDFSOutput.flush0}).
   */
  private void failIfLost() {
    if (isWaiting() && isLost()) {
      newest.completeExceptionally(new IOException("The output broke while a flush was in flight"));
    }
  }

  private boolean isLost() {
    return lost || output.isBroken();
  }

  final boolean isWaiting() {
    return !newest.isDone();
  }

  /** No flush follows. */
  protected void end() {}

  @Override
  public synchronized CompletableFuture<Long> flush(boolean sync) {
    if (givenUp != null) {
      return CompletableFuture.failedFuture(givenUp);
    }
    newest = output.flush(sync);
    failIfLost();
    if (isWaiting()) {
      onFlush.run();
    }
    return newest;
  }

  /** Throws at once if the file was given up: HBase then recovers it. */
  @Override
  public void close() throws IOException {
    if (givenUp != null) {
      throw new IOException("It was given up", givenUp);
    }
    end();
    output.close();
  }

  @Override
  public boolean isBroken() {
    return givenUp != null || output.isBroken();
  }

  @Override
  public void recoverAndClose(CancelableProgressable reporter) throws IOException {
    end();
    output.recoverAndClose(reporter);
  }

  @Override
  public void write(byte[] b) {
    write(b, 0, b.length);
  }

  @Override
  public void write(byte[] b, int off, int len) {
    output.write(b, off, len);
  }

  @Override
  public void writeInt(int i) {
    write(Bytes.toBytes(i));
  }

  @Override
  public void write(ByteBuffer bb) {
    byte[] bytes = new byte[bb.remaining()];
    bb.get(bytes);
    write(bytes);
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
