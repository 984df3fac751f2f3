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
package io.github.hybridhbase.wal.sync;

import java.util.concurrent.CompletableFuture;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The part of an {@code AsyncFSOutput} that group commit uses, one call at a time, under its lock.
 */
@InterfaceAudience.Private
public interface FlushOutput {
  void write(byte[] bytes, int offset, int length);

  /**
   * Sends all bytes. The future is completed on an event loop, or at once, or never if the output
   * breaks.
   */
  CompletableFuture<Long> flush(boolean force);

  boolean isBroken();
}
