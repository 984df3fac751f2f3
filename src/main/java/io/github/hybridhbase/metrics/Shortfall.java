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
package io.github.hybridhbase.metrics;

import java.util.Set;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Capabilities that were asked for and are not in force, for one cause. Immutable; JMX shows its
 * three properties.
 */
@InterfaceAudience.Private
public final class Shortfall {
  private final String what;
  private final String cause;
  private final String mend;

  private Shortfall(String what, String cause, String mend) {
    this.what = what;
    this.cause = cause;
    this.mend = mend;
  }

  /** Capabilities that are lacking, why, and what mends it: whole sentences the latter two. */
  public static Shortfall of(Set<Capability> capabilities, String cause, String mend) {
    return new Shortfall(
        capabilities.stream()
            .map(capability -> capability.title() + " (" + capability.without() + ")")
            .collect(Collectors.joining(", ")),
        cause,
        mend);
  }

  /** As another process told. */
  public static Shortfall told(String what, String cause, String mend) {
    return new Shortfall(what, cause, mend);
  }

  /** What is not in force, each with what its lack means. */
  public String getWhat() {
    return what;
  }

  /** Why, one sentence. */
  public String getCause() {
    return cause;
  }

  /** What to do about it. */
  public String getMend() {
    return mend;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shortfall && toString().equals(other.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  @Override
  public String toString() {
    return what + ": " + cause + " " + mend;
  }
}
