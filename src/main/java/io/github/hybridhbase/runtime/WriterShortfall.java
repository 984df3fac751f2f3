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

import org.apache.yetus.audience.InterfaceAudience;

/** What a server's WAL writers lack, and why. Immutable. */
@InterfaceAudience.Private
public final class WriterShortfall {
  private final String what;
  private final String cause;
  private final String remedy;

  public WriterShortfall(String what, String cause, String remedy) {
    this.what = what;
    this.cause = cause;
    this.remedy = remedy;
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
}
