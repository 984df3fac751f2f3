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

import org.apache.yetus.audience.InterfaceAudience;

/** The time and extent of a scan. Immutable. */
@InterfaceAudience.Private
public final class ScanTimes {
  private final long began;
  private final long millis;
  private final long files;
  private final long directories;
  private final boolean complete;

  /**
   * @param began milliseconds since 1970
   * @param millis duration
   */
  public ScanTimes(long began, long millis, long files, long directories, boolean complete) {
    this.began = began;
    this.millis = millis;
    this.files = files;
    this.directories = directories;
    this.complete = complete;
  }

  long began() {
    return began;
  }

  long millis() {
    return millis;
  }

  long files() {
    return files;
  }

  long directories() {
    return directories;
  }

  boolean complete() {
    return complete;
  }
}
