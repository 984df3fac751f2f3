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
package io.github.hybridhbase.coprocessor;

import io.github.hybridhbase.scan.LeftOutByServer;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/** The active master's knowledge of the DataNodes excluded from WALs, and its age. Immutable. */
@InterfaceAudience.Private
final class LeftOutLook {
  static final LeftOutLook NEVER = new LeftOutLook(LeftOutByServer.NONE, 0, "");

  private final LeftOutByServer found;
  private final long at;
  private final String trouble;

  private LeftOutLook(LeftOutByServer found, long at, String trouble) {
    this.found = found;
    this.at = at;
    this.trouble = trouble;
  }

  /**
   * A successful look.
   *
   * @param at milliseconds since 1970, above 0
   */
  static LeftOutLook of(LeftOutByServer found, long at) {
    return new LeftOutLook(found, at, "");
  }

  /** Keeps the last result, since HDFS did not answer. */
  LeftOutLook failed(String why) {
    return new LeftOutLook(found, at, why);
  }

  LeftOutByServer found() {
    return found;
  }

  /** The age in full sentences; empty before the first look. */
  String age(long now) {
    String tail = trouble.isEmpty() ? "" : " The last look failed: " + trouble;
    if (at == 0) {
      return trouble.isEmpty()
          ? ""
          : "Which DataNodes servers leave out of their WALs is not known." + tail;
    }
    long seconds = TimeUnit.MILLISECONDS.toSeconds(Math.max(0, now - at));
    return what() + " (seen " + seconds + " s ago)." + tail;
  }

  private String what() {
    int nodes = found.servers().size();
    if (nodes == 0) {
      return found.unread().isEmpty()
          ? "No server leaves a DataNode out of its WALs"
          : "No server that could be asked leaves a DataNode out of its WALs";
    }
    return nodes + (nodes == 1 ? " DataNode is" : " DataNodes are") + " left out of servers' WALs";
  }
}
