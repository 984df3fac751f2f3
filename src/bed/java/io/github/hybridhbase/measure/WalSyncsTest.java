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
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class WalSyncsTest {
  private final WalSyncs syncs = new WalSyncs();

  private static JsonNode bean(long count, double p99) {
    return new ObjectMapper()
        .createObjectNode()
        .put("SyncTime_num_ops", count)
        .put("SyncTime_99th_percentile", p99);
  }

  @Test
  void whatWasBeforeTheSpanDoesNotCount() {
    syncs.look(bean(10, 900));
    syncs.look(bean(10, 900));
    syncs.look(bean(20, 800)); // half of it is of before
    assertNull(syncs.mostP99());
    syncs.look(bean(30, 7));
    syncs.look(MissingNode.getInstance());
    syncs.look(bean(40, 5));
    assertEquals(7, syncs.mostP99());
  }
}
