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
import java.time.Duration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A load of somebody else's that verifies what it has written, while servers come and go. What is
 * missing or wrong is an {@link AssertionError}; what did not get that far, an {@link IOException}.
 * For one thread, but for {@link #close}.
 */
@InterfaceAudience.Private
interface ForeignLoad extends AutoCloseable {
  /** What it counts as verified, in words. */
  String verifies();

  /** Writes and verifies. Returns how much was verified. */
  long round(int number) throws IOException, InterruptedException;

  /**
   * Verifies once more what was written last, and what was written and could not be verified then.
   * Returns how much that was; 0 where nothing was written to its end.
   */
  long verify() throws IOException, InterruptedException;

  /** The longest that {@link #round} or {@link #verify} takes, unless it hangs. From any thread. */
  Duration patience();

  /** What else there is to say; "" where nothing. */
  default String remark() {
    return "";
  }

  /** Ends what is under way, from another thread. */
  @Override
  void close() throws IOException;
}
