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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
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
 * A liveness check of DataNodes by HBase's heartbeat packet, which one answers once its process has
 * read it and written all earlier ones ({@code BlockReceiver.receivePacket}). Without it, one
 * DataNode that stopped looks like all of them, since waiting writers send no later packet.
 *
 * <p>Waits in each connection for the next message of its DataNode. Thread-safe.
 */
@InterfaceAudience.Private
class Heartbeats extends ChannelInboundHandlerAdapter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);

  private final Collection<Channel> channels;
  private final CountDownLatch silent;

  Heartbeats(Collection<Channel> channels) {
    this.channels = channels;
    this.silent = new CountDownLatch(channels.size());
  }

  /** Of an output's DataNodes but the late ones. */
  static Heartbeats of(AsyncFSOutput output, Collection<DatanodeInfo> late) {
    List<Channel> others = new ArrayList<>();
    Connections.byDataNode(output)
        .forEach(
            (channel, node) -> {
              if (!late.contains(node)) {
                others.add(channel);
              }
            });
    return new Heartbeats(others);
  }

  /** Never blocks. For {@link WatchedOutput#betweenFlushes} only. */
  void ask() {
    onLoops(
        pipeline -> {
          pipeline.addFirst(this);
          pipeline.fireUserEventTriggered(IdleStateEvent.WRITER_IDLE_STATE_EVENT);
        });
  }

  /**
   * Blocks: never on an event loop.
   *
   * @param millis for all DataNodes together
   */
  int silentAfter(long millis) throws InterruptedException {
    return silent.await(millis, TimeUnit.MILLISECONDS) ? 0 : (int) silent.getCount();
  }

  @Override
  public void close() {
    onLoops(
        pipeline -> {
          if (pipeline.context(this) != null) {
            pipeline.remove(this);
          }
        });
  }

  private void onLoops(Consumer<ChannelPipeline> task) {
    for (Channel channel : channels) {
      try {
        channel.eventLoop().execute(() -> task.accept(channel.pipeline()));
      } catch (RejectedExecutionException e) {
        LOG.debug("The server ends", e);
      }
    }
  }

  @Override
  public boolean isSharable() {
    return true;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    silent.countDown();
    context.pipeline().remove(this);
    context.fireChannelRead(message);
  }
}
