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
 * Asks the DataNodes of one output for a sign of life, by the heartbeat packet that HBase's output
 * sends where nothing else was written for half of HDFS's timeout: its own handler sends it when
 * told that the channel is idle. A DataNode answers once its process has read the packet and
 * written what came before; for the packet itself it needs no disk ({@code
 * BlockReceiver.receivePacket}).
 *
 * <p>It tells a DataNode that stopped from all that did: writers that wait for a packet send no
 * later one, which the others would acknowledge. Channels bear nothing of it unless they are asked.
 * Thread-safe.
 */
@InterfaceAudience.Private
class Heartbeats {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);

  private final Map<Channel, DatanodeInfo> channels;

  Heartbeats(Map<Channel, DatanodeInfo> channels) {
    this.channels = channels;
  }

  /** Of an output; asks nobody where HBase's has no such field. */
  static Heartbeats of(AsyncFSOutput output) {
    return new Heartbeats(Connections.byDataNode(WatchedOutput.unwrap(output)));
  }

  /** To all but these; nothing is asked yet. */
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

  /** What some DataNodes are asked once. */
  @InterfaceAudience.Private
  static class Question implements AutoCloseable {
    private final List<Answer> answers;

    Question(List<Answer> answers) {
      this.answers = answers;
    }

    /**
     * Sends it. Never blocks; to be called where no packet is being sent ({@link
     * WatchedOutput#betweenFlushes}).
     */
    void ask() {
      for (Answer answer : answers) {
        answer.ask();
      }
    }

    /**
     * How many of them have not answered in time; not to be called on an event loop.
     *
     * @param millis since the call, for all of them together
     */
    int silentAfter(long millis) throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      int silent = 0;
      for (Answer answer : answers) {
        silent += answer.isThereBefore(end) ? 0 : 1;
      }
      return silent;
    }

    /** Answers are awaited no longer. */
    @Override
    public void close() {
      answers.forEach(Answer::forget);
    }
  }

  /** Whatever a DataNode sends next. In its channel's pipeline until then. */
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
