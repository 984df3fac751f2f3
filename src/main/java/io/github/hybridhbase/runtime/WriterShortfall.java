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
package io.github.hybridhbase.runtime;

import java.util.Set;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** The capabilities requested but not in force for one cause. Immutable. */
@InterfaceAudience.Private
public final class WriterShortfall {
  private final Set<Capability> capabilities;
  private final String what;
  private final String cause;
  private final String remedy;

  private WriterShortfall(Set<Capability> capabilities, String what, String cause, String remedy) {
    this.capabilities = capabilities;
    this.what = what;
    this.cause = cause;
    this.remedy = remedy;
  }

  public static WriterShortfall of(Set<Capability> capabilities, String cause, String remedy) {
    return new WriterShortfall(
        Set.copyOf(capabilities),
        capabilities.stream()
            .map(capability -> capability.title() + " (" + capability.without() + ")")
            .collect(Collectors.joining(", ")),
        cause,
        remedy);
  }

  public static WriterShortfall published(String what, String cause, String remedy) {
    return new WriterShortfall(Set.of(), what, cause, remedy);
  }

  boolean concerns(Capability capability) {
    return capabilities.contains(capability);
  }

  public String getWhat() {
    return what;
  }

  public String getCause() {
    return cause;
  }

  public String getRemedy() {
    return remedy;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WriterShortfall && toString().equals(other.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  @Override
  public String toString() {
    return what + ": " + cause + " " + remedy;
  }

  /** A capability of the plugin's WAL writers, with a gauge of servers that lack it. */
  @InterfaceAudience.Private
  public enum Capability {
    FALLBACK(
        "walFallbackNotInForce",
        "the fall-back to DISK",
        "a WAL that SSD refuses fails, and HBase aborts a server whose WAL cannot be rolled"),
    COALESCING(
        "walCoalescingNotInForce",
        "coalescing",
        "hsyncs of asyncfs WALs are not shared, as in stock HBase"),
    AUTO(
        "walAutoNotInForce",
        "hbase.hybrid.wal.hsync=auto",
        "acknowledged edits may be in page caches only, as in stock HBase");

    private final String gauge;
    private final String title;
    private final String without;

    Capability(String gauge, String title, String without) {
      this.gauge = gauge;
      this.title = title;
      this.without = without;
    }

    public String gauge() {
      return gauge;
    }

    public String title() {
      return title;
    }

    public String without() {
      return without;
    }
  }
}
