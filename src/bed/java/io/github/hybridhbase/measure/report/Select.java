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
package io.github.hybridhbase.measure.report;

import java.util.Arrays;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/** Which cells answer a question: every axis but set-up, round and slowness is settled. Pure. */
@InterfaceAudience.Private
final class Select {
  /** YCSB's. */
  static final String[] CORE = {"A", "B", "C", "D", "E", "F"};

  /** Those that write much. */
  static final String[] WRITES = {"update", "A", "F"};

  private Select() {}

  /** A workload with as many operations as go, of its own distribution. */
  static Predicate<Measured> plain() {
    return cell ->
        cell.is("experiment", "ycsb")
            && cell.is("target", "0")
            && cell.is("keys", "own")
            && cell.is("block", "64");
  }

  private static Predicate<Measured> plain(
      String workload, String sync, String threads, String reads) {
    return plain()
        .and(
            cell ->
                cell.is("workload", workload)
                    && cell.is("sync", sync)
                    && cell.is("threads", threads)
                    && cell.is("reads", reads));
  }

  /** Reads from memory; how much slower the devices were made is for who reads it. */
  static Predicate<Measured> memory(String workload) {
    return plain(workload, "hflush", "16", "memory");
  }

  /** Reads from devices that are as fast as they are. */
  static Predicate<Measured> devices(String workload) {
    return plain(workload, "hflush", "16", "devices").and(cell -> cell.is("slower", "1"));
  }

  /** Updates, nothing of which is read, wherever reads would come from. */
  static Predicate<Measured> durable(String threads) {
    return plain("update", "durable", threads, "memory")
        .or(plain("update", "durable", threads, "devices"))
        .and(cell -> cell.is("slower", "1"));
  }

  /** All of YCSB's, from devices. */
  static Predicate<Measured> core() {
    return cell -> Arrays.stream(CORE).anyMatch(one -> devices(one).test(cell));
  }

  static Predicate<Measured> compaction(String sync) {
    return cell -> cell.is("experiment", "compaction") && cell.is("sync", sync);
  }

  static Predicate<Measured> recovery() {
    return cell -> cell.is("experiment", "recovery");
  }

  /** The log alone. */
  static Predicate<Measured> log(String threads) {
    return cell -> cell.is("experiment", "wal") && cell.is("threads", threads);
  }
}
