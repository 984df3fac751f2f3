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
package io.github.hybridhbase.wal.sync;

import java.util.concurrent.CompletableFuture;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The syncs that one flush answers, in order. Not thread-safe: {@link GroupCommit} fills it under
 * its lock and does not change it once it is sent.
 */
@InterfaceAudience.Private
final class SyncBatch {
  /**
   * Bytes above which syncs share no flush; a single sync may exceed it. An event loop that may
   * also serve RPC copies, checksums and sends the flush. Slightly less than 4 MiB, since HBase's
   * output sends part of a checksum chunk again and its buffer would grow.
   */
  static final int MAX_BYTES = 4 * 1024 * 1024 - 4096;

  /** The future of one sync, linked, so that a sync costs one object. */
  private static final class Waiter extends CompletableFuture<Long> {
    private Waiter next;
  }

  private long acked;
  private Throwable error;
  private volatile SyncBatch next;

  private Waiter first;
  private Waiter last;
  private int syncs;
  private int edits;
  private long bytes;
  private boolean forced;

  /** Whether a sync of this size still fits; the first one always does. */
  boolean takes(int moreBytes) {
    return isEmpty() || bytes + moreBytes <= MAX_BYTES;
  }

  CompletableFuture<Long> add(boolean force, int moreBytes, int moreEdits) {
    Waiter waiter = new Waiter();
    if (last == null) {
      first = waiter;
    } else {
      last.next = waiter;
    }
    last = waiter;
    syncs++;
    edits += moreEdits;
    bytes += moreBytes;
    forced |= force;
    return waiter;
  }

  boolean isEmpty() {
    return first == null;
  }

  int syncs() {
    return syncs;
  }

  int edits() {
    return edits;
  }

  long bytes() {
    return bytes;
  }

  boolean forced() {
    return forced;
  }

  /**
   * @param failure null if {@code length} is the answer
   */
  void answer(long length, Throwable failure) {
    acked = length;
    error = failure;
  }

  /** Null if there is none yet. */
  SyncBatch next() {
    return next;
  }

  /** Also publishes the result set by {@link #answer} to the delivering thread. */
  void next(SyncBatch batch) {
    next = batch;
  }

  /** Completes the next sync; its callbacks run here and may throw. */
  boolean completeNext() {
    Waiter waiter = first;
    if (waiter == null) {
      return false;
    }
    first = waiter.next;
    if (error == null) {
      waiter.complete(acked);
    } else {
      waiter.completeExceptionally(error);
    }
    return true;
  }
}
