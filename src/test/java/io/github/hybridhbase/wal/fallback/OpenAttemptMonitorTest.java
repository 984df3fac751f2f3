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
package io.github.hybridhbase.wal.fallback;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;

class OpenAttemptMonitorTest {
  @Test
  void aFailedConnectIsToldFromASlowNodeWhereTheCauseIsKept() {
    assertTrue(OpenAttemptMonitor.isConnectError(new Pair<>("connect error", 5L), 5));
    assertFalse(OpenAttemptMonitor.isConnectError(new Pair<>("connect error", 6L), 5));
    assertFalse(OpenAttemptMonitor.isConnectError(new Pair<>("slow packet ack", 5L), 5));
  }

  /** Before HBASE-29431: 2.6.1, 2.5.13. */
  @Test
  void whereOnlyTheTimeIsKeptItDecides() {
    assertTrue(OpenAttemptMonitor.isConnectError(5L, 5));
    assertFalse(OpenAttemptMonitor.isConnectError(6L, 5));
    assertFalse(OpenAttemptMonitor.isConnectError("anything else", 5));
  }
}
