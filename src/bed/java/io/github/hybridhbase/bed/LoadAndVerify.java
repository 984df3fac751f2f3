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
import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HBase's {@code IntegrationTestLoadAndVerify}: it writes rows that refer to rows which were
 * acknowledged before, then looks that every row is there which another one refers to.
 */
@InterfaceAudience.Private
final class LoadAndVerify extends MapReduceLoad {
  private static final int MAPPERS = 2;
  private static final int ROWS = 20_000; // of each
  private static final int REFERENCES = 10;

  LoadAndVerify(Bed bed) throws IOException {
    super(bed, "verify");
  }

  private static List<String> command(String table, String what) {
    return List.of(
        // It wants three RegionServers; the program does with those that there are.
        Neighbour.source("LoadAndVerify.java").toString(),
        "-Dloadmapper.table=" + table,
        "-Dloadmapper.map.tasks=" + MAPPERS,
        "-Dloadmapper.num_to_write=" + ROWS,
        "-Dloadmapper.backrefs=" + REFERENCES,
        "-Dloadmapper.numPresplits=4",
        "-Dloadmapper.deleteAfter=false",
        "-Dverify.reduce.tasks=2",
        what);
  }

  @Override
  List<String> writing(String table) {
    return command(table, "load");
  }

  @Override
  List<String> verifying(String table) {
    return command(table, "verify");
  }

  @Override
  long verified(JobCounters counters) {
    return references(counters);
  }

  /** The references that were followed; rows that nobody refers to are counted. */
  static long references(JobCounters counters) {
    List<String> wrong = new ArrayList<>();
    if (counters.get("ROWS_WRITTEN") != 0) { // by the verification: those that are missing
      wrong.add(counters.get("ROWS_WRITTEN") + " rows that are referred to are missing");
    }
    if (counters.get("Map input records") != (long) MAPPERS * ROWS) {
      wrong.add("not all of " + (long) MAPPERS * ROWS + " rows are there");
    }
    if (counters.get("REFERENCES_CHECKED") == 0) {
      wrong.add("no reference was followed");
    }
    if (!wrong.isEmpty()) {
      throw new AssertionError(wrong + ": " + counters);
    }
    return counters.get("REFERENCES_CHECKED");
  }

  @Override
  public String verifies() {
    return "references";
  }
}
