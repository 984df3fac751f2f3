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
package io.github.hybridhbase.wal.sync;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.TypedHdfs;
import io.github.hybridhbase.wal.failover.WatchedOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutputHelper;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelOutboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelPromise;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flushes of HBase's own output that nobody answers: what is in front of it ends them. */
@InterfaceAudience.Private
@Timeout(120)
class UnansweredFlushIT {
  @TempDir static java.nio.file.Path volumes;
  private static final EventLoopGroup EVENTS = new NioEventLoopGroup(1);
  private static TypedHdfs hdfs;

  private AsyncFSOutput hbases;

  @BeforeAll
  static void startHdfs() throws IOException {
    Configuration conf = new Configuration();
    conf.setInt("dfs.heartbeat.interval", 1);
    // A little above the heartbeat, as HBase's default is: each file's end waits for it.
    conf.setInt("hbase.lease.recovery.first.pause", 1_200);
    conf.setInt("hbase.lease.recovery.pause", 100);
    hdfs = TypedHdfs.start(conf, volumes, 3, TypedHdfs.SSD_AND_DISK);
  }

  @AfterAll
  static void stopHdfs() {
    hdfs.close();
    EVENTS.shutdownGracefully().syncUninterruptibly();
  }

  private AsyncFSOutput open() throws Exception {
    Path file = new Path("/" + System.nanoTime());
    hbases =
        AsyncFSOutputHelper.createOutput(
            hdfs.fs(),
            file,
            true,
            false,
            (short) 3,
            256L << 20,
            EVENTS,
            NioSocketChannel.class,
            StreamSlowMonitor.create(hdfs.fs().getConf(), "test"),
            false);
    return hbases;
  }

  private static GroupCommit inFrontOf(AsyncFSOutput output) {
    return new GroupCommit(
        output,
        true,
        new GatherPolicy(50),
        (task, nanos) -> EVENTS.schedule(task, nanos, TimeUnit.NANOSECONDS) != null);
  }

  private List<Channel> channels() throws ReflectiveOperationException {
    Map<?, ?> map = (Map<?, ?>) FieldUtils.readField(hbases, "datanodeInfoMap", true);
    List<Channel> channels = new ArrayList<>();
    map.keySet().forEach(channel -> channels.add((Channel) channel));
    return channels;
  }

  /** One DataNode's connection breaks as the first packet is written to it. */
  private void breakAtFirstPacket() throws ReflectiveOperationException {
    channels()
        .get(0)
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
                ctx.close();
                ctx.write(message, promise);
              }
            });
  }

  private static void mustFail(CompletableFuture<Long> flush) {
    assertThrows(ExecutionException.class, () -> flush.get(20, TimeUnit.SECONDS));
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 20, 32, 100})
  void aGroupCommitEndsWhenAConnectionBreaksBetweenTwoPackets(int mib) throws Exception {
    GroupCommit output = inFrontOf(open());
    breakAtFirstPacket();
    output.write(new byte[mib << 20]);
    CompletableFuture<Long> broken = output.flush(true);
    output.write(new byte[10]);
    CompletableFuture<Long> next = output.flush(true);
    mustFail(broken);
    mustFail(next);
    output.recoverAndClose(null);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 100})
  void aWatchedFlushEndsTooWithoutAnyLaterOne(int mib) throws Exception {
    WatchedOutput output = new WatchedOutput(open());
    breakAtFirstPacket();
    output.write(new byte[mib << 20]);
    mustFail(output.flush(false));
    output.recoverAndClose(null);
  }

  /** As a DataNode does that goes while the file is opened: HBase's output never sees it close. */
  @Test
  void aConnectionThatWasLostBeforeHBaseListenedEndsTheGroupCommit() throws Exception {
    GroupCommit output = inFrontOf(open());
    Channel lost = channels().get(0);
    lost.eventLoop().submit(() -> lost.pipeline().removeLast()).sync();
    lost.close().sync();
    assertTrue(!hbases.isBroken());
    output.write(new byte[10]);
    mustFail(output.flush(true));
    output.recoverAndClose(null);
  }
}
