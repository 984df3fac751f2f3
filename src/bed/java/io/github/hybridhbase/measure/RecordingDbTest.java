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
package io.github.hybridhbase.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import site.ycsb.DB;
import site.ycsb.Status;

/** What counts as done. */
@InterfaceAudience.Private
class RecordingDbTest {
  @Test
  void whatFailsIsNoThroughput() {
    DB inner = mock(DB.class);
    when(inner.update(any(), any(), any()))
        .thenReturn(Status.OK, Status.ERROR, Status.OK, Status.ERROR, Status.ERROR);
    RecordingDb db = new RecordingDb(inner);
    for (int i = 0; i < 5; i++) {
      db.update("t", "k", Map.of());
    }
    assertEquals(2, db.take().count("update"));
    assertEquals(3, db.errors());
  }
}
