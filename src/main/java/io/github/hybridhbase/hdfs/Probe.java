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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** HDFS's response to one block under a policy; unknown if too late. */
@InterfaceAudience.Private
public final class Probe {
  private final StoragePolicy policy;
  private final List<StorageType> replicas;
  private final int wanted;
  private final String failure;
  private final boolean unknown;

  private Probe(
      StoragePolicy policy,
      List<StorageType> replicas,
      int wanted,
      String failure,
      boolean unknown) {
    this.policy = policy;
    this.replicas = replicas.stream().sorted().collect(Collectors.toUnmodifiableList());
    this.wanted = wanted;
    this.failure = failure;
    this.unknown = unknown;
  }

  public static Probe taken(StoragePolicy policy, List<StorageType> replicas, int wanted) {
    return new Probe(policy, replicas, wanted, null, false);
  }

  public static Probe refused(StoragePolicy policy, String failure) {
    return new Probe(policy, List.of(), 0, failure, false);
  }

  /**
   * No result in time, which is no refusal.
   *
   * @param why a sentence
   */
  public static Probe unknown(StoragePolicy policy, String why) {
    return new Probe(policy, List.of(), 0, why, true);
  }

  public boolean isUnknown() {
    return unknown;
  }

  /** Empty if not refused, or unknown. */
  public Optional<String> refusal() {
    return unknown ? Optional.empty() : Optional.ofNullable(failure);
  }

  public List<StorageType> replicas() {
    return replicas;
  }

  /** Whether at least one replica is on SSD. */
  public boolean tookSsd() {
    return failure == null && replicas.contains(StorageType.SSD);
  }

  /** The one with more replicas on SSD. */
  Probe orBetter(Probe other) {
    return other.onSsd() > onSsd() ? other : this;
  }

  private int onSsd() {
    return Collections.frequency(replicas, StorageType.SSD);
  }

  public boolean complete() {
    return failure == null && replicas.size() >= wanted;
  }

  public boolean perfect() {
    return failure == null && replicas.size() >= wanted && policy.misplaced(replicas) == 0;
  }

  @Override
  public String toString() {
    if (unknown) {
      return failure;
    }
    return failure == null
        ? policy + " gave " + replicas.size() + " of " + wanted + " replicas on " + replicas
        : policy + " was refused: " + failure;
  }
}
