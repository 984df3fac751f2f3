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
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.yetus.audience.InterfaceAudience;

/** The group commit's view of an output. */
@InterfaceAudience.Private
public final class FakeWriter {
  private FakeWriter() {}

  public static FlushOutput narrow(AsyncFSOutput output) {
    return new FlushOutput() {
      @Override
      public void write(byte[] bytes, int offset, int length) {
        output.write(bytes, offset, length);
      }

      @Override
      public CompletableFuture<Long> flush(boolean force) {
        return output.flush(force);
      }

      @Override
      public boolean isBroken() {
        return output.isBroken();
      }
    };
  }
}
