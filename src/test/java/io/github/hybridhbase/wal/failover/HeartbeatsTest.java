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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;

import io.github.hybridhbase.testing.Await;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutput;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.test.Whitebox;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.embedded.EmbeddedChannel;
import org.apache.hbase.thirdparty.io.netty.handler.timeout.IdleStateEvent;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
  private final DatanodeInfo late = StalledNodesTest.node(1);
  private final DataNode first = new DataNode();
  private final DataNode second = new DataNode();
  private final DataNode third = new DataNode();

  /** A connection to a DataNode that answers each heartbeat at once, unless it is stopped. */
  private static final class DataNode extends ChannelInboundHandlerAdapter {
    private final EmbeddedChannel channel = new EmbeddedChannel(this);
    private int asked;

    /** What HBase's own handlers have heard of it. */
    private int heard;

    private boolean stopped;

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      // As HBase's handler does: at any other event it breaks the output.
      boolean asks = event == IdleStateEvent.WRITER_IDLE_STATE_EVENT;
      asked += asks ? 1 : 100;
      if (asks && !stopped) {
        context.pipeline().fireChannelRead("heartbeat");
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      heard++;
    }
  }

  /** How many of the others are silent. */
  private int silent(long millis, Runnable meanwhile) throws InterruptedException {
    FanOutOneBlockAsyncDFSOutput output = mock(FanOutOneBlockAsyncDFSOutput.class);
    Whitebox.setInternalState(
        output,
        "datanodeInfoMap",
        Map.of(
            first.channel,
            late,
            second.channel,
            StalledNodesTest.node(2),
            third.channel,
            StalledNodesTest.node(3)));
    try (Heartbeats others = new Heartbeats(new Connections(output), Set.of(late))) {
      others.ask();
      runLoops();
      CompletableFuture<Void> done = CompletableFuture.runAsync(meanwhile);
      int silent = others.silentAfter(millis);
      done.join();
      return silent;
    } finally {
      runLoops();
    }
  }

  private void runLoops() {
    List.of(first, second, third).forEach(node -> node.channel.runPendingTasks());
  }

  @Test
  void theOthersAreAsked_andWhatASilentOneAnswersLaterStillReachesHBase() throws Exception {
    List<String> usual = third.channel.pipeline().names();
    third.stopped = true;
    assertEquals(1, silent(0, () -> {}));
    assertEquals(List.of(0, 1, 1), List.of(first.asked, second.asked, third.asked));
    assertEquals(1, second.heard, "the one that lives");
    assertEquals(usual, third.channel.pipeline().names(), "nothing of ours stays in its channel");
    third.stopped = false;
    assertEquals(0, silent(0, () -> {}));
    assertEquals(usual, third.channel.pipeline().names());
    assertEquals(1, third.heard, "HBase's own handlers hear every answer");
  }

  @Test
  void anAcknowledgementIsASignOfLifeToo() throws Exception {
    third.stopped = true;
    Thread waiting = Thread.currentThread();
    Runnable meanwhile =
        () -> {
          Await.until("a wait", () -> waiting.getState() == Thread.State.TIMED_WAITING);
          third.channel.writeInbound("packet");
        };
    assertEquals(0, silent(20_000, meanwhile));
  }

  @Test
  void nobodyIsAskedWhereTheOutputIsNotHBases() throws Exception {
    Connections none = new Connections(mock(AsyncFSOutput.class));
    try (Heartbeats others = new Heartbeats(none, Set.of(late))) {
      others.ask();
      assertEquals(0, others.silentAfter(0));
    }
  }
}
