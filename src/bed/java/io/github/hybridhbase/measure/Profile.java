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
import org.apache.yetus.audience.InterfaceAudience;

/** What is measured where nothing else is asked for. Immutable. */
@InterfaceAudience.Private
final class Profile {
  /** With reads from memory two cores write too little even for a tenth of the paper's HDD. */
  private static final String SLOWER = "19";

  private static final double TIER_PERCENT = 2;

  /** Block cache and page cache are then 35 % of the store files. */
  private static final double HOT_RATIO = 1.9;

  /** Stock's asyncfs groups hsyncs well in the first seconds, and much worse from then on. */
  private static final int LEAST_SECONDS = 30;

  final String name;
  final long rows;

  /** Of a row's 1,000 bytes; an update writes one. */
  final int fields;

  final int seconds;
  final int warm;

  /** Budget of the SSD tier in percent of the data. */
  final double tierPercent;

  /** The data to what caches it. */
  final double memoryRatio;

  final List<Section> sections;

  /** A stopped run of it has each round as a whole; all states are kept at once for that. */
  final boolean byRound;

  private Profile(
      String name, long rows, int seconds, int warm, double tierPercent, List<Section> sections) {
    this(name, rows, seconds, warm, tierPercent, Scale.PAPER, sections);
  }

  private Profile(
      String name,
      long rows,
      int seconds,
      int warm,
      double tierPercent,
      double memoryRatio,
      List<Section> sections) {
    this.name = name;
    this.memoryRatio = memoryRatio;
    this.rows = rows;
    this.fields = 1; // with YCSB's 10, of which an update writes one, processors are the limit
    this.seconds = seconds;
    this.warm = warm;
    this.tierPercent = tierPercent;
    this.sections = sections;
    this.byRound = name.equals("paper");
  }

  /** All cells in the order in which they are measured. */
  Matrix plan(List<Section> of) {
    Matrix plan = Matrix.of(of);
    return byRound ? plan.byRound() : plan;
  }

  /**
   * {@code short}, {@code writes}, {@code hot}, {@code paper}, {@code compaction}, {@code moved},
   * {@code recovery}.
   */
  static Profile of(String name) {
    switch (name) {
      case "short":
        // Four flushes of each region are more than 2 % of so little data.
        return new Profile(name, 200_000, LEAST_SECONDS, 40, 32, shortSections());
      case "writes":
        return new Profile(name, 200_000, LEAST_SECONDS, 40, 32, writeSections());
      case "hot":
        // Caches of a third of the data; stores of ten flushes, since smaller ones are not split.
        return new Profile(name, 400_000, 60, 30, TIER_PERCENT, HOT_RATIO, hotSections());
      case "paper":
        return new Profile(name, 2_000_000, 45, LEAST_SECONDS, TIER_PERCENT, paperSections());
      case "compaction":
        return new Profile(name, 400_000, 60, 10, TIER_PERCENT, List.of(compaction()));
      case "moved":
        return new Profile(name, 400_000, 60, 30, TIER_PERCENT, HOT_RATIO, moved());
      case "recovery":
        return new Profile(name, 200_000, 0, 0, TIER_PERCENT, List.of(recovery()));
      default:
        throw new IllegalArgumentException(
            "no profile " + name + "; there are short, writes, hot and paper");
    }
  }

  /** Twenty minutes. */
  private static List<Section> shortSections() {
    return List.of(
        Section.of("Reads from devices", 1)
            .over(Axis.WORKLOAD, "C")
            .over(Axis.SETUP, "hdd", "hybrid"),
        fromMemory("update").over(Axis.SETUP, "hdd", "hybrid"),
        durable("100"));
  }

  /** An hour. */
  private static List<Section> writeSections() {
    return List.of(
        fromMemory("update", "A", "F").over(Axis.SETUP, "hdd", "wal-only", "hybrid"),
        durable("10", "100"));
  }

  private static Section fromMemory(String... workloads) {
    return Section.of("Reads from memory", 1)
        .over(Axis.WORKLOAD, workloads)
        .over(Axis.READS, "memory")
        .over(Axis.SLOWER, SLOWER);
  }

  private static Section durable(String... threads) {
    return Section.of("Durable", 1)
        .over(Axis.WORKLOAD, "update")
        .over(Axis.SYNC, "durable")
        .over(Axis.THREADS, threads)
        .over(Axis.READS, "memory")
        .over(Axis.SETUP, "wal-only", "hybrid");
  }

  /** Two hours: what files of hot rows give reads from devices. */
  private static List<Section> hotSections() {
    return List.of(
        Section.of("Share of hot rows", 1)
            .over(Axis.WORKLOAD, "C")
            .over(Axis.SHARE, "10", "25")
            .over(Axis.SETUP, "hdd", "hybrid+hot"),
        hotKeys("hotspot", "20", "hdd"),
        hotKeys("latest", "5", "hdd"),
        Section.of("Workloads with hot rows", 1)
            .over(Axis.WORKLOAD, "A", "B", "C", "D", "E", "F")
            .over(Axis.SHARE, "25")
            .over(Axis.SETUP, "hdd", "hybrid+hot"),
        hotKeys("uniform", "10", "hybrid"),
        Section.of("Updates and hot rows", 1)
            .over(Axis.WORKLOAD, "update")
            .over(Axis.SHARE, "25")
            .over(Axis.SETUP, "hybrid", "hybrid+hot"));
  }

  private static Section hotKeys(String keys, String share, String beside) {
    return Section.of("Keys and hot rows", 1)
        .over(Axis.WORKLOAD, "C")
        .over(Axis.KEYS, keys)
        .over(Axis.SHARE, share)
        .over(Axis.SETUP, beside, "hybrid+hot");
  }

  /** The paper's figure, and durable updates in the same set-ups: three rounds in six hours. */
  private static List<Section> paperSections() {
    return List.of(
        inThePapersSetUps("Workloads").over(Axis.WORKLOAD, "A", "B", "C", "D", "E", "F"),
        inThePapersSetUps("Durable")
            .over(Axis.WORKLOAD, "update")
            .over(Axis.SYNC, "durable")
            .over(Axis.THREADS, "10", "100"));
  }

  private static Section inThePapersSetUps(String name) {
    return Section.of(name, 3)
        .over(Axis.SHARE, "10", "25")
        .over(Axis.SETUP, "hdd", "wal-only", "hybrid", "hybrid+hot", "ssd");
  }

  private static Section compaction() {
    return Section.of("Beside a major compaction", 1)
        .over(Axis.EXPERIMENT, "compaction")
        .over(Axis.WORKLOAD, "update")
        .over(Axis.TARGET, "10") // all HDD does some 25 durable ones a second, alone
        .over(Axis.SYNC, "hflush", "durable")
        .over(Axis.SETUP, "hdd", "wal-only", "hybrid");
  }

  private static List<Section> moved() {
    return List.of(
        hotKeys("hotspot", "20", "hdd"),
        Section.of("Hot rows that move", 1)
            .over(Axis.EXPERIMENT, "moved")
            .over(Axis.WORKLOAD, "C")
            .over(Axis.KEYS, "hotspot")
            .over(Axis.SHARE, "20")
            .over(Axis.SETUP, "hybrid+hot"));
  }

  private static Section recovery() {
    return Section.of("Recovery", 1)
        .over(Axis.EXPERIMENT, "recovery")
        .over(Axis.WORKLOAD, "update")
        .over(Axis.SETUP, "hdd", "hybrid");
  }
}
