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

import io.github.hybridhbase.runtime.Failures;
import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A guard around the SSD tier's part of HBase's work: no failure keeps HBase from writing the file.
 */
@InterfaceAudience.Private
final class Guarded {
  interface Part {
    void run() throws IOException;
  }

  private Guarded() {}

  static void run(Part part) {
    try {
      part.run();
    } catch (Throwable t) { // HBase aborts the server on anything but an IOException
      Failures.swallowed(
          "The SSD tier could not serve a store file; it is written as without the SSD tier.", t);
    }
  }
}
