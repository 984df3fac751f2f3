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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.util.CancelableProgressable;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelPipeline;
import org.apache.hbase.thirdparty.io.netty.handler.timeout.IdleStateEvent;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

  /**
   * A liveness check by HBase's heartbeat packet, which a DataNode answers once its process has
   * read it and written all earlier ones ({@code BlockReceiver.receivePacket}). Without it, one
   * DataNode that stopped looks like all of them, since waiting writers send no later packet.
   * Thread-safe.
   */
  static class Heartbeats {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);

    private final Map<Channel, DatanodeInfo> channels;

    Heartbeats(Map<Channel, DatanodeInfo> channels) {
      this.channels = channels;
    }

    static Heartbeats of(AsyncFSOutput output) {
      return new Heartbeats(Connections.byDataNode(WatchedOutput.unwrap(output)));
    }

    Question toAllBut(Collection<DatanodeInfo> late) {
      List<Channel> others = new ArrayList<>();
      channels.forEach(
          (channel, node) -> {
            if (!late.contains(node)) {
              others.add(channel);
            }
          });
      return new Question(others);
    }

    @InterfaceAudience.Private
    static class Question implements AutoCloseable {
      private final List<Answer> answers = new ArrayList<>();
      private final CountDownLatch silent;

      Question(List<Channel> others) {
        silent = new CountDownLatch(others.size());
        others.forEach(channel -> answers.add(new Answer(channel, silent)));
      }

      /** Never blocks. For {@link WatchedOutput#betweenFlushes} only. */
      void ask() {
        for (Answer answer : answers) {
          answer.onItsLoop(
              pipeline -> {
                pipeline.addFirst(answer);
                pipeline.fireUserEventTriggered(IdleStateEvent.WRITER_IDLE_STATE_EVENT);
              });
        }
      }

      /**
       * Blocks: never on an event loop.
       *
       * @param millis for all DataNodes together
       */
      int silentAfter(long millis) throws InterruptedException {
        boolean all = silent.await(millis, TimeUnit.MILLISECONDS);
        return all ? 0 : (int) silent.getCount();
      }

      @Override
      public void close() {
        for (Answer answer : answers) {
          answer.onItsLoop(
              pipeline -> {
                if (pipeline.context(answer) != null) {
                  pipeline.remove(answer);
                }
              });
        }
      }
    }

    /** Waits for the DataNode's next message and removes itself. */
    private static final class Answer extends ChannelInboundHandlerAdapter {
      private final Channel channel;
      private final CountDownLatch silent;

      Answer(Channel channel, CountDownLatch silent) {
        this.channel = channel;
        this.silent = silent;
      }

      void onItsLoop(Consumer<ChannelPipeline> task) {
        try {
          channel.eventLoop().execute(() -> task.accept(channel.pipeline()));
        } catch (RejectedExecutionException e) {
          LOG.debug("The server ends", e);
        }
      }

      @Override
      public void channelRead(ChannelHandlerContext context, Object message) {
        silent.countDown();
        context.pipeline().remove(this);
        context.fireChannelRead(message);
      }
    }
  }
}
