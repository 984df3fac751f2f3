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
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;

class XattrRecordTest {
  private static final Path ROOT = new Path("/hbase");
  private static final String FORMER = "user.hbase.hybrid.landing";

  private final XattrRecord<TierState> record =
      new XattrRecord<>(TierState.XATTR, TierState::parse).formerly(FORMER);
  private final DistributedFileSystem dfs = mock(DistributedFileSystem.class);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void in_formerName_isRead() {
    Map<String, byte[]> xattrs = Map.of(FORMER, bytes("v2 closed because"));
    assertEquals(TierState.closed("because"), record.in(xattrs).read().orElseThrow());
  }

  @Test
  void in_bothNames_newOneWins() {
    Map<String, byte[]> xattrs =
        Map.of(FORMER, bytes("v2 closed old"), TierState.XATTR, bytes("v2 closed new"));
    assertEquals(TierState.closed("new"), record.in(xattrs).read().orElseThrow());
  }

  @Test
  void write_formerName_isReplaced() throws IOException {
    when(dfs.getXAttrs(ROOT)).thenReturn(Map.of(FORMER, bytes("v2 closed old")));
    record.write(dfs, ROOT, TierState.closed("new"));
    verify(dfs).setXAttr(eq(ROOT), eq(TierState.XATTR), any(), any());
    verify(dfs).removeXAttr(ROOT, FORMER);
  }

  @Test
  void write_foreignFormerName_isRefused() throws IOException {
    when(dfs.getXAttrs(ROOT)).thenReturn(Map.of(FORMER, bytes("v9 whatever")));
    assertThrows(
        ForeignRecordException.class, () -> record.write(dfs, ROOT, TierState.closed("new")));
    verify(dfs, never()).setXAttr(any(), any(), any(), any());
  }

  @Test
  void remove_bothNames_areRemoved() throws IOException {
    when(dfs.getXAttrs(ROOT))
        .thenReturn(
            Map.of(FORMER, bytes("v2 closed old"), TierState.XATTR, bytes("v2 closed new")));
    record.remove(dfs, ROOT);
    verify(dfs).removeXAttr(ROOT, FORMER);
    verify(dfs).removeXAttr(ROOT, TierState.XATTR);
  }
}
