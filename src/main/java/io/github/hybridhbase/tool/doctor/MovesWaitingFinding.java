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

import io.github.hybridhbase.config.HybridKeys;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The finding of {@code audit} and {@code doctor} that existing data awaits consent to be moved.
 */
@InterfaceAudience.Private
public final class MovesWaitingFinding {
  private MovesWaitingFinding() {}

  public static Finding finding(Path root, String what) {
    return new Finding(
        FindingId.MOVES_WAITING,
        root.toUri().getPath(),
        "The master's scan found " + what + ", and nobody has said that it may be moved.",
        "hbase-hybrid apply, or " + HybridKeys.MOVE_EXISTING + "=true for the master");
  }
}
