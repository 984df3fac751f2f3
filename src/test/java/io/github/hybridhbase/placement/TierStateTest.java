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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.spy;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class TierStateTest {
  private static final long SAID = 1_700_000_000_000L;

  @Test
  void anOpenGrantThatIsNotRenewedIsPausedAndTellsSinceWhen() {
    TierState open = TierState.open(1, 2, SAID, "12@m1");
    assertSame(open, open.asOf(SAID + TierState.TRUST_MILLIS));
    TierState old = open.asOf(SAID + TierState.TRUST_MILLIS + 1);
    assertFalse(old.open() || old.drains());
    assertEquals(
        "the master (12@m1) has not renewed the grant since 2023-11-14T22:13:20Z", old.why());
    TierState closed = TierState.closed("short");
    assertSame(closed, closed.asOf(Long.MAX_VALUE));
  }

  @Test
  void everyStateIsReadAsItWasWritten() {
    for (TierState state :
        List.of(TierState.open(1, -2, 3, "m"), TierState.closed("a b"), TierState.paused("a b"))) {
      TierState read = TierState.parse(state.toString()).get();
      assertEquals(state, read);
      assertEquals(state.open(), read.open());
      assertEquals(state.drains(), read.drains());
    }
    assertEquals("a b", TierState.parse("v2 left a b").get().why(), "of an older version");
  }

  @Test
  void withoutXattrsThereIsNone() throws IOException {
    StorageNamespace hdfs = spy(new FakeNamespace());
    IOException e = new IOException("XAttrs disabled: dfs.namenode.xattrs.enabled is false");
    doThrow(e).when(hdfs).xattrs(any());
    doThrow(e).when(hdfs).setXattr(any(), any(), any());
    Path root = new Path("/hbase");
    assertTrue(TierState.on(hdfs, root).isEmpty());
    assertThrows(IOException.class, () -> TierState.closed("new").writeTo(hdfs, root));
  }
}
