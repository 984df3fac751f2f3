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
package io.github.hybridhbase.wal.failover;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A log as {@code AsyncFSWAL} keeps one: edits wait, are written, synced and acknowledged; a sync
 * that fails has them written again, to the next file; a roll makes the next file, waits until all
 * is synced or the file is broken, and closes or recovers the old one. What HBase does on other
 * threads is a step of its own here, so that anything can happen in between. One thread.
 */
@InterfaceAudience.Private
final class ModelLog {
  private static final int HEADER = -1;
  private static final int TRAILER = Integer.MAX_VALUE;

  /** Makes the next file; null where that cannot be done yet. */
  private final Supplier<ReplicatedFile> files;

  /** Told of a file whose header is written. */
  private final Consumer<ReplicatedFile> opened;

  /** What is wrong with the log itself, so that a checker that notices nothing is noticed. */
  enum Fault {
    NONE,
    /** It takes a sync for answered by a file that it has left. */
    HEARS_OLD_FILES,
    /** It does not write again what was not acknowledged. */
    FORGETS,
    /** Its files answer a flush although one replica has not acknowledged it. */
    ANSWERS_EARLY,
    /** The fail-over of each file knows nothing of those before. */
    KNOWS_NO_LIMIT
  }

  private final Fault fault;

  /** All files, the newest last. */
  final List<ReplicatedFile> all = new ArrayList<>();

  /** Files that were rolled and are neither closed nor recovered. */
  final List<ReplicatedFile> closing = new ArrayList<>();

  /** Files whose lease is recovered. */
  final List<ReplicatedFile> recovering = new ArrayList<>();

  final List<String> faults = new ArrayList<>();
  private final Deque<Integer> waiting = new ArrayDeque<>();
  private final Deque<Integer> unacknowledged = new ArrayDeque<>();
  private final Deque<Runnable> answers = new ArrayDeque<>();
  private final List<Integer> acknowledged = new ArrayList<>();
  private ReplicatedFile current;
  private ReplicatedFile next;
  private int edits;
  private int written;
  private int epoch;
  private boolean broken;
  private boolean rollRequested;

  /** How often a sync that failed made it roll. */
  int failures;

  /** Whether the header of the next file has been written. */
  private CompletableFuture<Long> header;

  /** Whether a roll has the next file and waits until nothing of this one is under way. */
  private boolean waitingForSafePoint;

  /** Files that were given up, and closed with their trailer. */
  int endedAfterAll;

  ModelLog(Supplier<ReplicatedFile> files, Consumer<ReplicatedFile> opened, Fault fault) {
    this.files = files;
    this.opened = opened;
    this.fault = fault;
  }

  ReplicatedFile current() {
    return current;
  }

  /** Whether a roll waits for what the old file owes. */
  boolean isRolling() {
    return waitingForSafePoint;
  }

  void append() {
    waiting.add(edits++);
  }

  void requestRoll() {
    rollRequested = true;
  }

  /** Writes edits, which stay in the file's buffer until a sync. */
  void write(int most) {
    if (current == null || broken || isRolling()) {
      return;
    }
    for (int count = 0; count < most && !waiting.isEmpty(); count++) {
      int edit = waiting.remove();
      current.edits.add(edit);
      written = edit;
      if (unacknowledged.isEmpty() || unacknowledged.getLast() < edit) {
        unacknowledged.add(edit);
      }
    }
  }

  void sync(boolean durable) {
    if (current == null || broken || current.buffered() == 0) {
      return;
    }
    int processed = written;
    int when = epoch;
    var unused =
        current
            .output()
            .flush(durable)
            .whenComplete(
                (length, failure) ->
                    answers.add(
                        () -> {
                          if (failure == null) {
                            completed(when, processed);
                          } else {
                            failed(when);
                          }
                        }));
  }

  /** The consumer's thread gets round to one answer; false where there is none. */
  boolean answer() {
    Runnable answer = answers.poll();
    if (answer == null) {
      return false;
    }
    answer.run();
    return true;
  }

  private void completed(int when, int processed) {
    if ((when != epoch || broken) && fault != Fault.HEARS_OLD_FILES) {
      return;
    }
    for (Iterator<Integer> all = unacknowledged.iterator(); all.hasNext(); ) {
      int edit = all.next();
      if (edit > processed) {
        break;
      }
      all.remove();
      acknowledge(edit);
    }
  }

  private void acknowledge(int edit) {
    if (edit != acknowledged.size()) {
      faults.add("Edit " + edit + " acknowledged when it was the turn of " + acknowledged.size());
    }
    if (Collections.binarySearch(current.safe(), edit) < 0) {
      faults.add("Edit " + edit + " acknowledged, and not every replica has it");
    }
    acknowledged.add(edit);
  }

  private void failed(int when) {
    if (when != epoch || broken) {
      return;
    }
    broken = true;
    failures++;
    for (Iterator<Integer> back = unacknowledged.descendingIterator(); back.hasNext(); ) {
      int edit = back.next();
      if (fault != Fault.FORGETS) {
        waiting.addFirst(edit);
      }
    }
    requestRoll();
  }

  /** The roller's thread takes one step. */
  void roll() {
    if (next == null) {
      if (!rollRequested) {
        return;
      }
      next = files.get();
      if (next == null) {
        return;
      }
      all.add(next);
      next.edits.add(HEADER);
      header = next.output().flush(false);
    }
    if (!header.isDone()) {
      return;
    }
    if (header.isCompletedExceptionally()) {
      recovering.add(next); // another one is made
      next = null;
      return;
    }
    if (!waitingForSafePoint) {
      opened.accept(next);
      waitingForSafePoint = true;
      return;
    }
    boolean safePoint = current == null || broken || unacknowledged.isEmpty();
    if (!safePoint) {
      sync(false); // what was written and not synced
      return;
    }
    if (current != null) {
      closing.add(current);
    }
    current = next;
    next = null;
    waitingForSafePoint = false;
    epoch++;
    broken = false;
    rollRequested = false;
    write(unacknowledged.size()); // they are first
  }

  /** The closing thread begins with one file: it writes the trailer and closes it. */
  void close() {
    if (closing.isEmpty()) {
      return;
    }
    ReplicatedFile file = closing.get(0);
    boolean after = file.watch != null && file.watch.output.endsAfterAll(file.scheduler);
    file.edits.add(TRAILER);
    var trailer = file.output().flush(false);
    closing.remove(0);
    var unused =
        trailer.whenComplete(
            (length, failure) -> {
              if (failure == null) {
                endedAfterAll += after ? 1 : 0;
                end(file);
              } else {
                recovering.add(file);
              }
            });
  }

  private void end(ReplicatedFile file) {
    try {
      file.output().close();
    } catch (IOException e) {
      recovering.add(file);
    }
  }

  /** One lease is recovered. */
  void recover() {
    if (!recovering.isEmpty()) {
      recovering.remove(0).recoverAndClose(null);
    }
  }

  /** What is wrong where nothing can go on any more. */
  void mustBeWhole() {
    Set<Integer> kept = new HashSet<>();
    all.forEach(file -> kept.addAll(file.safe()));
    if (!kept.containsAll(acknowledged)) {
      faults.add("Acknowledged edits are in no file");
    }
    if (acknowledged.size() < edits) {
      faults.add(edits - acknowledged.size() + " edits are never answered");
    }
    for (ReplicatedFile file : all) {
      if (file != current && !file.ended) {
        faults.add(file.path + " is neither closed nor recovered");
      }
    }
  }
}
