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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.Line;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tool while a part of the cluster is down or hangs. */
@Tag("long")
@InterfaceAudience.Private
class UnreachableIT {
  private Bed bed;
  private Installation plugin;

  /** Expects the exit code, and that the output contains all parts. */
  private void says(int exit, List<String> verb, String... parts) throws Exception {
    Tool tool = plugin.hybrid(verb.toArray(new String[0]));
    int code = tool.exit();
    String said = tool.said();
    System.out.println(verb + " exits with " + code + "\n" + said);
    assertEquals(exit, code, said);
    for (String part : parts) {
      assertTrue(said.contains(part), said);
    }
    assertFalse(said.contains("\tat ") || said.contains("fault of the tool"), said);
  }

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void partsThatDoNotAnswer() throws Exception {
    BedSpec spec = BedSpec.of(Line.built()).plugin(Installation.plugin(), Installation.site());
    try (OwnedBed owned = OwnedBed.make(spec)) {
      bed = owned;
      plugin = new Installation(bed, Map.of());
      bed.start();
      says(0, List.of("check", "--blocks"), "OK: ", "Page: http://");
      String elsewhere = "hbase.rootdir=hdfs://no-such-host.invalid:8020/hbase";
      says(3, List.of("check", "-D", elsewhere), "does not resolve");

      for (String name : List.of("rs0", "m0", "zk0")) {
        bed.process(name).kill();
      }
      says(3, List.of("check"), "NOT KNOWN: ", "not seen: HBase's servers");

      bed.process("nn0").stop();
      says(
          3,
          List.of("check"),
          "Waiting for an answer of HDFS",
          "HDFS did not answer within 20 s (hbase.rootdir=" + bed.keys().get("hbase.rootdir"));
      bed.process("nn0").kill();
      says(3, List.of("check"), "The cluster could not be reached");
    }
  }
}
