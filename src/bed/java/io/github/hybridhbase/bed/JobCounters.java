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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/** Counters of the last MapReduce job of a log that came to its end. Immutable. */
@InterfaceAudience.Private
final class JobCounters {
  private static final Pattern JOB =
      Pattern.compile("Job job_\\S+ (completed successfully|failed)");
  private static final Pattern COUNTER = Pattern.compile("\t\t([^=\t]+)=(\\d+)");

  private final Map<String, Long> values;

  private JobCounters(Map<String, Long> values) {
    this.values = values;
  }

  /** Reads what the job's client has logged. A job that failed has no counters that mean much. */
  static JobCounters parse(List<String> lines) {
    Map<String, Long> values = new LinkedHashMap<>();
    boolean done = false;
    for (String line : lines) {
      Matcher job = JOB.matcher(line);
      if (job.find()) {
        values.clear();
        done = job.group(1).startsWith("completed");
      }
      Matcher counter = COUNTER.matcher(line);
      if (done && counter.matches()) {
        values.put(counter.group(1), Long.parseLong(counter.group(2)));
      }
    }
    return new JobCounters(values);
  }

  /** Whether no job came to its end. */
  boolean isEmpty() {
    return values.isEmpty();
  }

  /** The value of one; 0 where the job has not counted such a thing. */
  long get(String name) {
    return values.getOrDefault(name, 0L);
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
