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

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.local.LocalChannel;
import org.apache.hbase.thirdparty.io.netty.handler.timeout.IdleStateEvent;
import org.apache.yetus.audience.InterfaceAudience;

/** A channel to a DataNode that answers each heartbeat at once, unless it is stopped. */
@InterfaceAudience.Private
final class FakeDataNode {
  private final Channel channel = new LocalChannel();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger heard = new AtomicInteger();
  private volatile boolean stopped;

  FakeDataNode(EventLoopGroup loops) {
    loops.register(channel).syncUninterruptibly();
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void userEventTriggered(ChannelHandlerContext context, Object event) {
                if (event == IdleStateEvent.WRITER_IDLE_STATE_EVENT) {
                  asked.incrementAndGet();
                  if (!stopped) {
                    context.pipeline().fireChannelRead("heartbeat");
                  }
                }
              }

              @Override
              public void channelRead(ChannelHandlerContext context, Object message) {
                heard.incrementAndGet();
              }
            });
  }

  Channel channel() {
    return channel;
  }

  void stop() {
    stopped = true;
  }

  void resume() {
    stopped = false;
  }

  /** Some packet. */
  void acknowledge() {
    channel.eventLoop().execute(() -> channel.pipeline().fireChannelRead("packet"));
  }

  /** Heartbeats that were sent to it. */
  int asked() {
    return asked.get();
  }

  /** What HBase's own handlers have heard of it. */
  int heard() {
    onLoop();
    return heard.get();
  }

  /** Names of the handlers of its channel. */
  List<String> handlers() {
    onLoop();
    return channel.pipeline().names();
  }

  private void onLoop() {
    channel.eventLoop().submit(() -> {}).syncUninterruptibly();
  }
}
