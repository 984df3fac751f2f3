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
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.yetus.audience.InterfaceAudience;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's core workload with its {@code dataintegrity}: each value follows from its key, and each
 * read is compared with that. YCSB has one such comparison in a JVM.
 */
@InterfaceAudience.Private
final class CheckedWorkload extends CoreWorkload {
  private static final String VERIFY = "VERIFY";

  private CheckedWorkload() {}

  /** With these properties, which it adds to. */
  static CheckedWorkload of(Properties properties) throws WorkloadException {
    properties.setProperty("dataintegrity", "true");
    properties.setProperty("fieldlengthdistribution", "constant");
    Measurements.setProperties(properties);
    CheckedWorkload workload = new CheckedWorkload();
    workload.init(properties);
    return workload;
  }

  /** Reads every row that was inserted, and compares it. Returns how many those are. */
  long readAll(DB db) throws IOException {
    long last = transactioninsertkeysequence.lastValue();
    for (long number = 0; number <= last; number++) {
      String key = buildKeyName(number);
      HashMap<String, ByteIterator> values = new HashMap<>();
      Status status = db.read(table, key, null, values);
      if (!status.isOk() && !status.equals(Status.NOT_FOUND)) {
        throw new IOException("row " + key + " was not read: " + status.getName());
      }
      verifyRow(key, values);
    }
    return last + 1;
  }

  /** How many rows were read and had the right values. */
  long right() throws IOException {
    return comparisons().getOrDefault("Return=" + Status.OK.getName(), 0L);
  }

  /** How many rows were read and had others. */
  long wrong() throws IOException {
    return comparisons().getOrDefault("Return=" + Status.UNEXPECTED_STATE.getName(), 0L);
  }

  private static Map<String, Long> comparisons() throws IOException {
    Map<String, Long> counts = new ConcurrentHashMap<>();
    Measurements.getMeasurements()
        .exportMeasurements(
            new MeasurementsExporter() {
              @Override
              public void write(String metric, String measurement, int count) {
                write(metric, measurement, (long) count);
              }

              @Override
              public void write(String metric, String measurement, long count) {
                if (metric.equals(VERIFY)) {
                  counts.put(measurement, count);
                }
              }

              @Override
              public void write(String metric, String measurement, double value) {}

              @Override
              public void close() {}
            });
    return counts;
  }
}
