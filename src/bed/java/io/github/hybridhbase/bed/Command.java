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
package io.github.hybridhbase.bed;

import java.io.IOException;
import java.nio.charset.Charset;
import org.apache.yetus.audience.InterfaceAudience;

/** A command of the operating system. */
@InterfaceAudience.Private
final class Command {
  private Command() {}

  /**
   * Runs one to its end.
   *
   * @throws IOException where it fails, with what it said
   */
  static void run(String... words) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", words) + ": " + said);
    }
  }
}
