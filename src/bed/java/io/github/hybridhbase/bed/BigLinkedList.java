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

import java.io.IOException;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HBase's {@code IntegrationTestBigLinkedList}: it writes linked lists that close to a ring, then
 * follows every link. No node may be undefined, unreferenced or lost.
 */
@InterfaceAudience.Private
final class BigLinkedList extends MapReduceLoad {
  private static final String MAIN = "org.apache.hadoop.hbase.test.IntegrationTestBigLinkedList";
  private static final int MAPPERS = 2;
  private static final int NODES = 50_000; // of each, a multiple of WIDTH * WRAP
  private static final int WIDTH = 1_000;
  private static final int WRAP = 25;
  private static final int REDUCERS = 2;

  BigLinkedList(Bed bed) throws IOException {
    super(bed, "itbll");
  }

  private static String table(String name) {
    return "-DIntegrationTestBigLinkedList.table=" + name;
  }

  @Override
  List<String> writing(String table) {
    return List.of(
        MAIN,
        table(table),
        "Generator",
        Integer.toString(MAPPERS),
        Integer.toString(NODES),
        "out",
        Integer.toString(WIDTH),
        Integer.toString(WRAP));
  }

  @Override
  List<String> verifying(String table) {
    return List.of(MAIN, table(table), "Verify", "out", Integer.toString(REDUCERS));
  }

  @Override
  long verified(JobCounters counters) {
    return nodes(counters);
  }

  /** The nodes that another one refers to: all of them. */
  static long nodes(JobCounters counters) {
    long nodes = counters.get("REFERENCED");
    if (nodes != (long) MAPPERS * NODES
        || counters.get("UNDEFINED") != 0
        || counters.get("UNREFERENCED") != 0
        || counters.get("LOST_FAMILIES") != 0) {
      throw new AssertionError("not all nodes are there: " + counters);
    }
    return nodes;
  }

  @Override
  public String verifies() {
    return "nodes";
  }
}
