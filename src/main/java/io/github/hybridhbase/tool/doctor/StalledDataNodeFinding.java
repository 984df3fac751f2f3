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
package io.github.hybridhbase.tool.doctor;

import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.Text;
import io.github.hybridhbase.space.ServerReports;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** The findings that servers exclude a DataNode from their WALs, one per DataNode. */
@InterfaceAudience.Private
public final class StalledDataNodeFinding {
  private static final int NAMED = 3;

  private StalledDataNodeFinding() {}

  public static List<Finding> findings(ServerReports leftOut) {
    return leftOut.excluded().entrySet().stream()
        .map(
            entry ->
                new Finding(
                    FindingId.STALLED_DATANODE,
                    entry.getKey(),
                    "It acknowledged later than the other replicas of a WAL did; left out by "
                        + named(entry.getValue())
                        + ".",
                    "Look at its disks ('dmesg', 'smartctl', 'iostat -x') and at the DataNode's log;"
                        + " decommission it if they are dying. Servers take it back by themselves"
                        + " once a probe finds it quick.",
                    entry.getValue().size()))
        .collect(Collectors.toList());
  }

  private static String named(Collection<String> servers) {
    String first = servers.stream().limit(NAMED).collect(Collectors.joining(", "));
    return Text.count(servers.size(), "server")
        + ": "
        + (servers.size() > NAMED ? first + ", ..." : first);
  }
}
