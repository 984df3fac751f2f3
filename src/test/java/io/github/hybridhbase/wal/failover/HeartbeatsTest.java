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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutput;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.test.Whitebox;
import org.apache.hbase.thirdparty.io.netty.channel.DefaultEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Channels of three DataNodes, on a thread of their own as in HBase. */
class HeartbeatsTest {
  /** So long that a machine that does much else answers. */
  private static final int LONG = 20_000;

  private final EventLoopGroup loops = new DefaultEventLoopGroup(2);
  private final DatanodeInfo late = StalledNodesTest.node(1);
  private final FakeDataNode first = new FakeDataNode(loops);
  private final FakeDataNode second = new FakeDataNode(loops);
  private final FakeDataNode third = new FakeDataNode(loops);

  private Heartbeats others() {
    FanOutOneBlockAsyncDFSOutput output = mock(FanOutOneBlockAsyncDFSOutput.class);
    Whitebox.setInternalState(
        output,
        "datanodeInfoMap",
        Map.of(
            first.channel(),
            late,
            second.channel(),
            StalledNodesTest.node(2),
            third.channel(),
            StalledNodesTest.node(3)));
    return Heartbeats.of(output, Set.of(late));
  }

  @AfterEach
  void end() {
    loops.shutdownGracefully();
  }

  @Test
  void theOthersAreAskedAndAnswer() throws Exception {
    assertEquals(0, silent(LONG));
    assertEquals(List.of(0, 1, 1), List.of(first.asked(), second.asked(), third.asked()));
  }

  @Test
  void whoIsSilentIsCountedAndWhatItSaysLaterStillReachesHBase() throws Exception {
    third.stop();
    List<String> usual = new ArrayList<>(third.handlers());
    try (Heartbeats others = others()) {
      others.ask();
      assertEquals(1, second.heard(), "the one that lives");
      assertEquals(1, others.silentAfter(1));
    }
    assertEquals(usual, third.handlers(), "nothing of ours stays in its channel");
    third.resume();
    assertEquals(0, silent(LONG));
    assertEquals(usual, third.handlers());
    assertEquals(1, third.heard(), "HBase's own handlers hear every answer");
  }

  @Test
  void anAcknowledgementIsASignOfLifeToo() throws Exception {
    third.stop();
    try (Heartbeats others = others()) {
      others.ask();
      third.acknowledge();
      assertEquals(0, others.silentAfter(LONG));
    }
  }

  @Test
  void nobodyIsAskedWhereTheOutputIsNotHBases() throws Exception {
    try (Heartbeats others = Heartbeats.of(mock(AsyncFSOutput.class), Set.of(late))) {
      others.ask();
      assertEquals(0, others.silentAfter(LONG));
    }
  }

  private int silent(int millis) throws InterruptedException {
    try (Heartbeats others = others()) {
      others.ask();
      return others.silentAfter(millis);
    }
  }
}
