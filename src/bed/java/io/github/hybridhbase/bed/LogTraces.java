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

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/** Stack traces in a server's log. Pure. */
@InterfaceAudience.Private
final class LogTraces {
  /**
   * Hadoop's client, of a NameNode that ends while they agree on who is who; it tries again. It
   * does so in the thread of whoever asks, whose frames are in the trace.
   */
  private static final String CONNECTS = "ipc.Client: Exception encountered while connecting";

  private LogTraces() {}

  /** The first lines of the entries with a trace that has this text, but for Hadoop's client's. */
  static List<String> having(String frame, Stream<String> log) {
    Set<String> entries = new LinkedHashSet<>();
    String entry = "";
    for (Iterator<String> lines = log.iterator(); lines.hasNext(); ) {
      String line = lines.next();
      if (!line.isEmpty() && Character.isDigit(line.charAt(0))) { // its date
        entry = line;
      } else if (line.startsWith("\tat ") && line.contains(frame) && !entry.contains(CONNECTS)) {
        entries.add(entry);
      }
    }
    return List.copyOf(entries);
  }
}
