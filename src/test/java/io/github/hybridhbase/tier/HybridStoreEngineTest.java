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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.StripeStoreEngine;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class HybridStoreEngineTest {
  @Test
  void aStoreIsServedByItsOwnEngineOnly() {
    HybridStoreEngine ours = mock(HybridStoreEngine.class);
    HStore store = mock(HStore.class);
    doReturn(ours).when(store).getStoreEngine();
    assertFalse(HybridStoreEngine.isServed(store));
    when(ours.isServed()).thenReturn(true);
    assertTrue(HybridStoreEngine.isServed(store));
    doReturn(mock(StripeStoreEngine.class)).when(store).getStoreEngine();
    assertFalse(HybridStoreEngine.isServed(store));
  }
}
