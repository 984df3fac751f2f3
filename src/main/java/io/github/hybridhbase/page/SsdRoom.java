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

import io.github.hybridhbase.config.Watermarks;
import io.github.hybridhbase.hdfs.SsdSpace;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** The space on the SSDs of one HDFS beside what the plugin requires free. Immutable. */
@InterfaceAudience.Private
public final class SsdRoom {
  private final Optional<SsdSpace> space;
  private final long at;
  private final String trouble;
  private final long headroom;
  private final Watermarks watermarks;

  /**
   * @param space empty if unreadable
   * @param at when it was read, milliseconds since 1970
   * @param trouble why the space is unreadable or uncertain; otherwise empty
   * @param headroom bytes required free on a DataNode; 0 if unknown
   */
  public SsdRoom(
      Optional<SsdSpace> space, long at, String trouble, long headroom, Watermarks watermarks) {
    this.space = space;
    this.at = at;
    this.trouble = trouble;
    this.headroom = headroom;
    this.watermarks = watermarks;
  }

  Optional<SsdSpace> space() {
    return space;
  }

  /** 0 if unknown. */
  public long capacity() {
    return space.map(SsdSpace::capacity).orElse(0L);
  }

  long at() {
    return at;
  }

  String trouble() {
    return trouble;
  }

  long headroom() {
    return headroom;
  }

  Watermarks watermarks() {
    return watermarks;
  }
}
