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
package io.github.hybridhbase.hdfs;

import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.function.Consumer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A file created under its own storage policy ({@link NewFiles}), until {@link #close}, and what
 * HDFS made of it. Thread-safe.
 */
@InterfaceAudience.Private
public final class NewFile implements AutoCloseable {
  /** Without a scheme. */
  final String path;

  /** {@link StoragePolicy#NONE} if it follows its directory. */
  final StoragePolicy policy;

  final boolean marked;

  private final Consumer<NewFile> released;
  private final Runnable lost;

  private volatile boolean created;
  volatile boolean carried;
  private volatile StoragePolicy inForce;
  volatile int replicas;
  volatile int missing;
  volatile int fewest = Integer.MAX_VALUE;

  /**
   * @param lost called if the file was created past the proxy
   */
  NewFile(
      String path,
      StoragePolicy policy,
      boolean marked,
      Consumer<NewFile> released,
      Runnable lost) {
    this.path = path;
    this.policy = policy;
    this.inForce = policy;
    this.marked = marked;
    this.released = released;
    this.lost = lost;
  }

  /** Its creation begins, perhaps again. */
  void created(int withReplicas) {
    replicas = withReplicas;
    carried = false;
    missing = 0;
    fewest = Integer.MAX_VALUE;
    created = true;
  }

  /**
   * @param id policy in force
   */
  void answered(byte id) {
    inForce = StoragePolicy.ofId(id).orElse(StoragePolicy.NONE);
    carried = policy == StoragePolicy.NONE || id == policy.id();
  }

  int onSsd() {
    switch (inForce) {
      case ALL_SSD:
        return replicas;
      case ONE_SSD:
        return Math.min(1, replicas);
      default:
        return 0;
    }
  }

  /** {@link StoragePolicy#NONE} also before the creation. */
  public StoragePolicy inForce() {
    return inForce;
  }

  /**
   * Whether HDFS created the file under its policy, if any. Call it once the file is open: this
   * restores a replaced proxy.
   */
  public boolean isCarried() {
    if (!created) {
      lost.run();
    }
    return carried;
  }

  /** Replicas of the worst block that belong on SSD and are not there. */
  public int missing() {
    return missing;
  }

  /** Replicas on SSD of the worst block. */
  public int placedOnSsd() {
    return Math.max(0, onSsd() - missing);
  }

  /**
   * Whether a block has no replica on SSD or, under ONE_SSD, a single one: HDFS completes that
   * under another policy only.
   */
  public boolean isFallen() {
    return created && (placedOnSsd() == 0 || isSingle());
  }

  private boolean isSingle() {
    return policy == StoragePolicy.ONE_SSD && fewest == 1 && replicas > 1;
  }

  @Override
  public String toString() {
    return path;
  }

  /** Idempotent. The file keeps its policy; further blocks name no DataNodes. */
  @Override
  public void close() {
    released.accept(this);
  }
}
