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
package io.github.hybridhbase.tier;

import io.github.hybridhbase.metrics.Failures;
import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/** Runs the SSD tier's part of HBase's work. */
@InterfaceAudience.Private
final class Guarded {
  /** The SSD tier's part of the work. */
  interface Part {
    void run() throws IOException;
  }

  private Guarded() {}

  /** Nothing that goes wrong in the SSD tier may keep HBase from writing the file. */
  static void run(Part part) {
    try {
      part.run();
    } catch (Throwable t) { // HBase aborts the server on what is no IOException
      Failures.swallowed(
          "The SSD tier could not serve a store file; it is written as without the SSD tier.", t);
    }
  }
}
