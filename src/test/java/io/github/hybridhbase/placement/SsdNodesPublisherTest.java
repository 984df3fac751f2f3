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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.SsdNodes;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.testing.Ssds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** When the active master writes, and when it looks. */
@InterfaceAudience.Private
class SsdNodesPublisherTest {
  private static final Path ROOT = new Path("/hbase");

  private final StorageNamespace hdfs = mock(StorageNamespace.class);
  private final List<DataNodeState> live = new ArrayList<>();
  private int looks;
  private boolean away;
  private long now;
  private final SsdNodesPublisher publisher =
      new SsdNodesPublisher(
          List.of(
              new SsdNodesPublisher.Root(
                  ROOT,
                  hdfs,
                  () -> {
                    looks++;
                    if (away) {
                      throw new IOException("planted");
                    }
                    return live;
                  })),
          () -> now);

  private void dataNode(StorageType type) {
    live.add(Ssds.dataNode("h" + live.size(), "/r", "In Service", Set.of(type)));
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void later() {
    now += SsdNodesPublisher.PERIOD_NANOS;
    publisher.doWork();
  }

  @Test
  void itWritesChangesOnly() throws Exception {
    dataNode(StorageType.DISK);
    publisher.doWork();
    verify(hdfs).setXattr(ROOT, SsdNodes.XATTR, text("v1 1 0 0 1"));
    later();
    dataNode(StorageType.DISK);
    later();
    later();
    verify(hdfs).setXattr(ROOT, SsdNodes.XATTR, text("v1 2 0 0 1"));
    verify(hdfs, times(2)).setXattr(any(), any(), any());
    verify(hdfs, times(1)).xattrs(ROOT);
    assertEquals(4, looks);
  }

  @Test
  void whatAnEarlierMasterWroteStaysAndItLooksAgainAtOnceWhileDataNodesRegister() throws Exception {
    when(hdfs.xattrs(ROOT)).thenReturn(Map.of(SsdNodes.XATTR, text("v1 1 0 0 1")));
    publisher.doWork();
    publisher.doWork();
    dataNode(StorageType.DISK);
    publisher.doWork();
    verify(hdfs, never()).setXattr(any(), any(), any());
    dataNode(StorageType.DISK);
    publisher.doWork();
    verify(hdfs).setXattr(ROOT, SsdNodes.XATTR, text("v1 2 0 0 1"));
    publisher.doWork();
    publisher.doWork();
    assertEquals(5, looks);
  }

  @Test
  void aRefusedWriteIsRepeatedAndAtOnceIfTheNameNodeMaySoonTakeIt() throws Exception {
    dataNode(StorageType.DISK);
    IOException safeMode = new IOException("Name node is in safe mode");
    IOException standby = new RemoteException("org.apache.hadoop.ipc.StandbyException", "");
    doThrow(safeMode, safeMode, standby, new IOException("planted"))
        .doNothing()
        .when(hdfs)
        .setXattr(eq(ROOT), any(), any());
    for (int call = 0; call < 6; call++) {
      publisher.doWork();
    }
    verify(hdfs, times(4)).setXattr(any(), any(), any());
    later();
    later();
    verify(hdfs, times(5)).setXattr(any(), any(), any());
  }

  /** A master may start while the NameNode's web server does not answer in time. */
  @Test
  void aFailedLookIsRepeatedAtOnce() throws Exception {
    dataNode(StorageType.DISK);
    away = true;
    publisher.doWork();
    away = false;
    publisher.doWork();
    verify(hdfs).setXattr(ROOT, SsdNodes.XATTR, text("v1 1 0 0 1"));
    publisher.doWork();
    publisher.doWork();
    assertEquals(3, looks); // the third as many DataNodes
  }

  /** DataNodes' web servers may be slow while all servers start. */
  @Test
  void aLookThatLearnsIsRepeatedAtOnceUntilAllMediaAreKnown() throws Exception {
    DataNodeState slow = Ssds.dataNode("slow", "/r", "In Service", Set.of());
    DataNodeState hung = Ssds.dataNode("hung", "/r", "In Service", Set.of());
    live.addAll(List.of(slow, hung));
    publisher.doWork();
    live.remove(slow);
    dataNode(StorageType.DISK);
    publisher.doWork();
    verify(hdfs).setXattr(ROOT, SsdNodes.XATTR, text("v1 2 0 1 1"));
    publisher.doWork();
    publisher.doWork();
    assertEquals(3, looks); // the last learnt nothing
  }

  @Test
  void itLooksLessOftenAtManyDataNodes() {
    for (int i = 0; i < 500; i++) {
      dataNode(StorageType.DISK);
    }
    publisher.doWork();
    publisher.doWork();
    for (int period = 1; period < 5; period++) {
      later();
    }
    assertEquals(2, looks);
    later();
    assertEquals(3, looks);
  }
}
