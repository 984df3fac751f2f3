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
 * Syncs that one flush answers, in the order in which they came, and what it carries.
 *
 * <p>Not thread-safe; {@link GroupCommit} fills it under its lock and leaves it alone once it is
 * sent.
 */
@InterfaceAudience.Private
final class SyncBatch {
  /**
   * Bytes above which syncs share no flush; a single one may be larger, since no flush cuts an
   * entry. A flush is copied, checksummed and sent by an event loop, which may serve RPC as well.
   * Below 4 MiB by the part of a checksum's chunk that HBase's output sends again, or its buffer
   * would grow for it.
   */
  static final int MAX_BYTES = 4 * 1024 * 1024 - 4096;

  /** One call of {@link GroupCommit#sync}; a link, so that a sync costs one object. */
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

  /** Whether a flush of its syncs and of one with so many bytes more is not too large. */
  boolean takes(int moreBytes) {
    return isEmpty() || bytes + moreBytes <= MAX_BYTES;
  }

  /**
   * Adds a sync.
   *
   * @return its answer
   */
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

  /** Entries of the log. */
  int edits() {
    return edits;
  }

  long bytes() {
    return bytes;
  }

  /** Whether any of its syncs must be on the devices. */
  boolean forced() {
    return forced;
  }

  /**
   * What its syncs are to be told.
   *
   * @param failure null where {@code length} is the answer
   */
  void answer(long length, Throwable failure) {
    acked = length;
    error = failure;
  }

  /** The batch that is answered after this one; null where there is none yet. */
  SyncBatch next() {
    return next;
  }

  /** Also hands over to the thread that answers what {@link #answer} was given. */
  void next(SyncBatch batch) {
    next = batch;
  }

  /**
   * Completes the first sync that is not yet; what hangs on it runs here, and may throw.
   *
   * @return whether there was one
   */
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
