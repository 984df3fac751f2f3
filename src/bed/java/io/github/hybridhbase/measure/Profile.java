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

import java.util.List;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/** A plan that answers a question, in the words of the command line. */
@InterfaceAudience.Private
enum Profile {
  /** Twenty minutes. Four flushes of each region are more than 2 % of so little data. */
  SHORT(
      "--rows 200000 --seconds 30 --warm 40 --tier-percent 32",
      "--workload C --setup hdd,hybrid",
      Profile.MEMORY + " --workload update --setup hdd,hybrid",
      Profile.DURABLE + " --threads 100"),
  /** An hour. */
  WRITES(
      "--rows 200000 --seconds 30 --warm 40 --tier-percent 32",
      Profile.MEMORY + " --workload update,A,F --setup hdd,wal-only,hybrid",
      Profile.DURABLE + " --threads 10,100"),
  /** Two hours. Caches of a third of the data; stores of ten flushes: smaller are not split. */
  HOT(
      "--rows 400000 --seconds 60 --warm 30 --memory-ratio 1.9",
      "--workload C --share 10,25 --setup hdd,hybrid+hot",
      "--workload C --keys hotspot --share 20 --setup hdd,hybrid+hot",
      "--workload C --keys latest --share 5 --setup hdd,hybrid+hot",
      "--workload A,B,C,D,E,F --share 25 --setup hdd,hybrid+hot",
      "--workload C --keys uniform --share 10 --setup hybrid,hybrid+hot",
      "--workload update --share 25 --setup hybrid,hybrid+hot"),
  /** The paper's figure with what else a user could buy, and durable updates. */
  PAPER(
      "--rows 2000000 --seconds 30 --warm 20 --rounds 3",
      Profile.CORE + " --setup hdd,wal-only,hybrid,ssd",
      Profile.CORE + " --setup hdd --block 8",
      Profile.CORE + " --setup hdd+cache,hybrid+hot --share 10",
      Profile.CORE + " --setup hybrid+hot --share 2",
      "--workload update --sync durable --threads 10,100"
          + " --setup wal-only,wal-filesystem,hybrid,ssd"),
  /** All HDD does some 25 durable updates a second, alone. */
  COMPACTION(
      "--rows 400000 --seconds 60 --warm 10",
      "--experiment compaction --workload update --target 10 --sync hflush,durable"
          + " --setup hdd,wal-only,hybrid"),
  RECOVERY(
      "--rows 200000 --seconds 0 --warm 0",
      "--experiment recovery --workload update --setup hdd,wal-only,hybrid");

  /** With reads from memory two cores write too little even for a tenth of the paper's HDD. */
  private static final String MEMORY = "--reads memory --slower 19";

  private static final String DURABLE =
      "--workload update --sync durable --reads memory --setup wal-only,hybrid";
  private static final String CORE = "--workload A,B,C,D,E,F";

  /** Settings that all of it has. */
  final String options;

  /** Each all combinations of what it gives. */
  final List<String> sections;

  Profile(String options, String... sections) {
    this.options = options;
    this.sections = List.of(sections);
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
