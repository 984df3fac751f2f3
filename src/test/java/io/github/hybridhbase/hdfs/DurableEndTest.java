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
package io.github.hybridhbase.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.util.Progressable;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class DurableEndTest {
  private static final Path FILE = new Path("/log");

  private static int appends;
  private int recovered;

  /** Its threads are interrupted as they append. */
  @InterfaceAudience.Private
  public static final class Interrupted extends DistributedFileSystem {
    @Override
    public void initialize(URI uri, Configuration conf) {
      setConf(conf);
    }

    @Override
    public URI getUri() {
      return URI.create("hdfs://test");
    }

    @Override
    public DFSClient getClient() {
      LocatedBlocks blocks = mock(LocatedBlocks.class);
      LocatedBlock block = mock(LocatedBlock.class);
      DFSClient client = mock(DFSClient.class);
      when(block.getBlockSize()).thenReturn(1L);
      when(blocks.getLastLocatedBlock()).thenReturn(block);
      when(client.isClientRunning()).thenReturn(true);
      try {
        when(client.getLocatedBlocks(any(), anyLong(), anyLong())).thenReturn(blocks);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      return client;
    }

    @Override
    public FileStatus getFileStatus(Path path) {
      return new FileStatus(1, false, 3, 128, 0, path);
    }

    @Override
    public FSDataOutputStream append(
        Path path, EnumSet<CreateFlag> flag, int bufferSize, Progressable progress)
        throws IOException {
      appends++;
      throw new InterruptedIOException("test");
    }

    @Override
    public void close() {}
  }

  @Test
  void whoeverIsToldToStopTriesNoMore() {
    appends = 0;
    Interrupted fs = new Interrupted();
    Configuration conf = new Configuration(false);
    conf.setClass("fs.hdfs.impl", Interrupted.class, DistributedFileSystem.class);
    fs.initialize(fs.getUri(), conf);
    assertThrows(InterruptedIOException.class, () -> DurableEnd.of(fs, FILE, () -> recovered++));
    assertEquals(1, appends);
    assertEquals(1, recovered, "the try may have left it open");
  }
}
