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

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandler.Sharable;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelPipeline;
import org.apache.hbase.thirdparty.io.netty.handler.timeout.IdleStateEvent;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A liveness check of DataNodes by HBase's heartbeat packet, which one answers once its process has
 * read it and written all earlier ones ({@code BlockReceiver.receivePacket}). Without it, one
 * DataNode that stopped looks like all of them, since waiting writers send no later packet.
 *
 * <p>Waits in each connection for the next message of its DataNode. Thread-safe.
 */
@InterfaceAudience.Private
@Sharable
class Heartbeats extends ChannelInboundHandlerAdapter implements AutoCloseable {
  private final Map<Channel, DatanodeInfo> asked;
  private final CountDownLatch silent;

  /** Of an output's DataNodes but the late ones. */
  Heartbeats(Connections connections, Collection<DatanodeInfo> late) {
    this.asked = new HashMap<>(connections.byDataNode);
    asked.values().removeAll(late);
    this.silent = new CountDownLatch(asked.size());
  }

  /** Never blocks. For {@link WatchedOutput#betweenFlushes} only. */
  void ask() {
    onLoops(
        pipeline ->
            pipeline.addFirst(this).fireUserEventTriggered(IdleStateEvent.WRITER_IDLE_STATE_EVENT));
  }

  /**
   * Blocks: never on an event loop.
   *
   * @param millis for all DataNodes together
   */
  int silentAfter(long millis) {
    return Uninterruptibles.awaitUninterruptibly(silent, millis, TimeUnit.MILLISECONDS)
        ? 0
        : (int) silent.getCount();
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
    for (Channel channel : asked.keySet()) {
      Scheduler.isTaken(() -> channel.eventLoop().execute(() -> task.accept(channel.pipeline())));
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    silent.countDown();
    context.pipeline().remove(this);
    context.fireChannelRead(message);
  }
}
