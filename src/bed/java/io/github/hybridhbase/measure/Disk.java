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
package io.github.hybridhbase.measure;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** A device under measurement, and the directory on it. For one thread. */
@InterfaceAudience.Private
public interface Disk {
  /** What it is, alike in each run that may be compared. */
  String label();

  /** Where files on it go. */
  Path directory();

  /**
   * It counts from now on, and is as slow as it is to be.
   *
   * @param slower that many times slower than it is said to be, 1 or more
   * @throws IllegalArgumentException where it cannot be made slower
   */
  void start(int slower) throws IOException;

  /**
   * It counts from now on, and stays as slow as it is: a limit that is set anew lets a burst by.
   */
  void count() throws IOException;

  /** Requests a second that are let through, 0 where nobody limits them. */
  long ios();

  /** It is as fast as it can be; it still counts. */
  void release() throws IOException;

  /** What went through since {@link #count}; null where nobody counts. */
  BlockDevice.Traffic traffic() throws IOException;

  /**
   * The share of what it can do that was used, 1 at the limit.
   *
   * @param traffic since {@link #count}
   * @param seconds since then
   */
  double use(BlockDevice.Traffic traffic, double seconds) throws IOException;
}
