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
package io.github.hybridhbase.page;

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.scan.ByteTotals;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A component's declared policy and the location of its replicas, in bytes of all replicas.
 * Immutable.
 */
@InterfaceAudience.Private
public final class ComponentShare {
  private final Component component;
  private final StoragePolicy declared;
  private final String inForce;
  private final long files;
  private final ByteTotals open;
  private final long ssd;
  private final long disk;
  private final long other;
  private final long misplaced;
  private final long underReplicated;

  /**
   * @param inForce names of its directories' policies; empty if unknown
   */
  public ComponentShare(
      Component component,
      StoragePolicy declared,
      Set<String> inForce,
      ByteTotals closed,
      ByteTotals open) {
    this.component = component;
    this.declared = declared;
    this.inForce = inForce.isEmpty() ? "-" : String.join(" + ", inForce);
    this.open = open;
    this.files = closed.files() + open.files();
    this.ssd = closed.ssdBytes() + open.ssdBytes();
    this.disk = closed.diskBytes() + open.diskBytes();
    this.other = closed.otherBytes() + open.otherBytes();
    this.misplaced = closed.misplacedBytes() + open.misplacedBytes();
    this.underReplicated = closed.underReplicatedBlocks() + open.underReplicatedBlocks();
  }

  Component component() {
    return component;
  }

  StoragePolicy declared() {
    return declared;
  }

  String inForce() {
    return inForce;
  }

  ByteTotals open() {
    return open;
  }

  long files() {
    return files;
  }

  long ssd() {
    return ssd;
  }

  long disk() {
    return disk;
  }

  long other() {
    return other;
  }

  long misplaced() {
    return misplaced;
  }

  long underReplicated() {
    return underReplicated;
  }

  long bytes() {
    return ssd + disk + other;
  }
}
