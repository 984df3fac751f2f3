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
package io.github.hybridhbase.bed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Whose a stack trace in a log is. */
@InterfaceAudience.Private
class LogTracesTest {
  private static final String OURS = "\tat our.plugin.SsdTier.listen(SsdTier.java:262)";

  private static List<String> of(String... log) {
    return LogTraces.having("our.plugin", Stream.of(log));
  }

  @Test
  void anEntryWithATraceOfOursIsToldOnceByItsFirstLine() {
    String first = "2026-11-23 06:31:00,123 WARN  [a] trouble.Failures: A turn failed";
    assertEquals(
        List.of(first),
        of(
            first,
            "java.io.IOException: no answer",
            "\tat org.apache.hadoop.ipc.Client.call(Client.java:1)",
            OURS,
            OURS,
            "2026-11-23 06:31:00,124 INFO  [a] master.HMaster: up"));
  }

  @Test
  void aTraceOfOthersAndOurNameInAMessageAreNone() {
    assertEquals(
        List.of(),
        of(
            "2026-11-23 06:31:00,123 INFO  [a] master.HMaster: at our.plugin.SsdTier is loaded",
            "2026-11-23 06:31:00,124 WARN  [a] master.HMaster: failed",
            "\tat org.apache.hadoop.ipc.Client.call(Client.java:1)"));
  }

  @Test
  void hadoopsClientThatCannotConnectHasTheFramesOfWhoAsked() {
    String failed = "2026-11-23 06:31:00,125 WARN  [a] tier.TierService: failed";
    assertEquals(
        List.of(failed),
        of(
            "2026-11-23 06:31:00,123 WARN  [a] ipc.Client: Exception encountered while connecting"
                + " to the server localhost:1",
            "java.io.EOFException",
            OURS,
            failed,
            OURS));
  }
}
