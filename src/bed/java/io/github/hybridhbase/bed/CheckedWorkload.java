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
import java.util.concurrent.atomic.AtomicLong;
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
  private static final int TRIES = 5;

  private final AtomicLong incomplete = new AtomicLong();

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

  /**
   * Reads every row that was inserted, and compares it. Returns how many those are.
   *
   * @throws IOException where one gets no answer, time after time
   */
  long readAll(DB db) throws IOException {
    long rows = rows();
    for (long number = 0; number < rows; number++) {
      String key = buildKeyName(number);
      verifyRow(key, read(db, key));
    }
    return rows;
  }

  private HashMap<String, ByteIterator> read(DB db, String key) throws IOException {
    for (int tries = TRIES; ; tries--) {
      HashMap<String, ByteIterator> values = new HashMap<>();
      Status status = db.read(table, key, null, values);
      if (status.isOk() || status.equals(Status.NOT_FOUND)) {
        return values;
      }
      if (tries == 1) {
        throw new IOException("row " + key + " was not read: " + status.getName());
      }
    }
  }

  /** How many rows were inserted. */
  long rows() {
    return transactioninsertkeysequence.lastValue() + 1;
  }

  /** YCSB compares the fields that came; here all must. A row without any is not there at all. */
  @Override
  @SuppressWarnings("NonApiType") // YCSB's signature
  protected void verifyRow(String key, HashMap<String, ByteIterator> values) {
    if (values.isEmpty() || values.size() == fieldcount) {
      super.verifyRow(key, values);
    } else {
      incomplete.incrementAndGet();
    }
  }

  /** How many rows were read and had the right values. */
  long right() throws IOException {
    return comparisons().getOrDefault("Return=" + Status.OK.getName(), 0L);
  }

  /** How many rows were read and had others, or not all. */
  long wrong() throws IOException {
    return incomplete.get()
        + comparisons().getOrDefault("Return=" + Status.UNEXPECTED_STATE.getName(), 0L);
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
