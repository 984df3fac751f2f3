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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.handler.timeout.IdleStateEvent;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A liveness check of one output's DataNodes by HBase's heartbeat packet, which HBase's channel
 * handler sends on an idle event. A DataNode answers once its process has read the packet and
 * written all earlier ones ({@code BlockReceiver.receivePacket}).
 *
 * <p>Without it, one DataNode that stopped looks like all of them: while writers wait for a packet
 * they send no later one. Thread-safe.
 */
@InterfaceAudience.Private
class Heartbeats {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);

  private final Map<Channel, DatanodeInfo> channels;

  Heartbeats(Map<Channel, DatanodeInfo> channels) {
    this.channels = channels;
  }

  static Heartbeats of(AsyncFSOutput output) {
    return new Heartbeats(Connections.byDataNode(WatchedOutput.unwrap(output)));
  }

  Question toAllBut(Collection<DatanodeInfo> late) {
    List<Answer> answers = new ArrayList<>();
    channels.forEach(
        (channel, node) -> {
          if (!late.contains(node)) {
            answers.add(new Answer(channel));
          }
        });
    return new Question(answers);
  }

  @InterfaceAudience.Private
  static class Question implements AutoCloseable {
    private final List<Answer> answers;

    Question(List<Answer> answers) {
      this.answers = answers;
    }

    /**
     * Never blocks. Call it only while no packet is being sent ({@link
     * WatchedOutput#betweenFlushes}).
     */
    void ask() {
      for (Answer answer : answers) {
        answer.ask();
      }
    }

    /**
     * How many do not answer in time. Blocks: never on an event loop.
     *
     * @param millis for all DataNodes together
     */
    int silentAfter(long millis) throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      int silent = 0;
      for (Answer answer : answers) {
        silent += answer.isThereBefore(end) ? 0 : 1;
      }
      return silent;
    }

    @Override
    public void close() {
      answers.forEach(Answer::forget);
    }
  }

  /** A channel handler that waits for the DataNode's next message and removes itself. */
  private static final class Answer extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private final CountDownLatch there = new CountDownLatch(1);

    Answer(Channel channel) {
      this.channel = channel;
    }

    void ask() {
      onItsLoop(
          () -> {
            channel.pipeline().addFirst(this);
            channel.pipeline().fireUserEventTriggered(IdleStateEvent.WRITER_IDLE_STATE_EVENT);
          });
    }

    boolean isThereBefore(long end) throws InterruptedException {
      return there.await(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    void forget() {
      if (there.getCount() > 0) {
        onItsLoop(
            () -> {
              if (channel.pipeline().context(this) != null) {
                channel.pipeline().remove(this);
              }
            });
      }
    }

    private void onItsLoop(Runnable task) {
      try {
        channel.eventLoop().execute(task);
      } catch (RejectedExecutionException e) {
        LOG.debug("The server ends", e);
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      there.countDown();
      context.pipeline().remove(this);
      context.fireChannelRead(message);
    }
  }
}
