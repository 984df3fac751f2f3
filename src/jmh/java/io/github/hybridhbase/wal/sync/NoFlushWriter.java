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

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.wal.AsyncProtobufLogWriter;
import org.apache.hadoop.hbase.util.CancelableProgressable;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * AsyncFSWAL's writer whose flushes cost nothing: entries are encoded into an array as by the
 * plugin's, and no byte goes to HDFS. What it makes is the most that any way of flushing could. A
 * sync is answered at once.
 */
@InterfaceAudience.Private
public final class NoFlushWriter extends AsyncProtobufLogWriter {
  /** Called by {@code AsyncFSWALProvider}. */
  public NoFlushWriter(EventLoopGroup events, Class<? extends Channel> channelClass) {
    super(events, channelClass);
  }

  @Override
  protected void initOutput(
      FileSystem fs,
      Path path,
      boolean overwritable,
      int bufferSize,
      short replication,
      long blockSize,
      StreamSlowMonitor monitor,
      boolean noLocalWrite)
      throws IOException, StreamLacksCapabilityException {
    super.initOutput(
        fs, path, overwritable, bufferSize, replication, blockSize, monitor, noLocalWrite);
    Nowhere nowhere = new Nowhere(getOutput());
    set("output", nowhere);
    set("asyncOutputWrapper", nowhere.staged);
  }

  private void set(String name, Object value) {
    try {
      Field field = AsyncProtobufLogWriter.class.getDeclaredField(name);
      field.setAccessible(true);
      field.set(this, value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("AsyncProtobufLogWriter has changed", e);
    }
  }

  /** Takes bytes as the true output does, and forgets them with every flush. */
  private static final class Nowhere implements AsyncFSOutput {
    private final AsyncFSOutput output;
    private final StagingBuffer staged = new StagingBuffer();
    private volatile long length;

    Nowhere(AsyncFSOutput output) {
      this.output = output;
    }

    @Override
    public void write(byte[] b) {
      staged.write(b, 0, b.length);
    }

    @Override
    public void write(byte[] b, int off, int len) {
      staged.write(b, off, len);
    }

    @Override
    public void writeInt(int i) {
      staged.writeInt(i);
    }

    @Override
    public void write(ByteBuffer bb) {
      staged.write(bb, bb.position(), bb.remaining());
      bb.position(bb.limit());
    }

    @Override
    public int buffered() {
      return staged.size();
    }

    @Override
    public boolean isBroken() {
      return output.isBroken();
    }

    @Override
    public DatanodeInfo[] getPipeline() {
      return output.getPipeline();
    }

    @Override
    public CompletableFuture<Long> flush(boolean sync) {
      length += staged.mark();
      staged.drop();
      return CompletableFuture.completedFuture(length);
    }

    @Override
    public void recoverAndClose(CancelableProgressable reporter) throws IOException {
      output.recoverAndClose(reporter);
    }

    @Override
    public void close() throws IOException {
      output.close();
    }

    @Override
    public long getSyncedLength() {
      return length;
    }
  }
}
