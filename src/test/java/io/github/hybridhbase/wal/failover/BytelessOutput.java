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
package io.github.hybridhbase.wal.failover;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.yetus.audience.InterfaceAudience;

/** An output of which the flushes matter, and no byte. */
@InterfaceAudience.Private
abstract class BytelessOutput implements AsyncFSOutput {
  @Override
  public final void write(byte[] b) {}

  @Override
  public final void write(byte[] b, int off, int len) {}

  @Override
  public final void writeInt(int i) {}

  @Override
  public final void write(ByteBuffer bb) {}
}
