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

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Another binding, each insert of which returns once it is acknowledged: YCSB reads every row that
 * it has inserted, whatever the insert answered. So a row that is read and not there was lost. For
 * one thread; the counts are shared.
 */
@InterfaceAudience.Private
final class AcknowledgedDb extends ForwardingDb {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final AtomicLong missing;
  private final AtomicLong unanswered;
  private final BooleanSupplier ended;

  /**
   * In front of one.
   *
   * @param missing counts rows that were read and are not there
   * @param unanswered counts operations that failed
   * @param ended whether it is not to go on
   */
  AcknowledgedDb(DB inner, AtomicLong missing, AtomicLong unanswered, BooleanSupplier ended) {
    super(inner);
    this.missing = missing;
    this.unanswered = unanswered;
    this.ended = ended;
  }

  @Override
  protected Status answered(String kind, long start, Status status) {
    if (status.equals(Status.NOT_FOUND)) {
      missing.incrementAndGet();
    } else if (!status.isOk()) {
      unanswered.incrementAndGet();
      if (!ended.getAsBoolean()) {
        // A server may answer with an InterruptedIOException, where nobody interrupts this thread.
        Thread.interrupted();
      }
    }
    return status;
  }

  /** Goes on until it is acknowledged, or this is ended. */
  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    while (true) {
      Status status = super.insert(table, key, values);
      if (status.isOk() || ended.getAsBoolean()) {
        return status;
      }
      values.values().forEach(ByteIterator::reset);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
