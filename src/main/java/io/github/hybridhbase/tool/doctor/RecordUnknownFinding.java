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

import io.github.hybridhbase.directory.ForeignRecord;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.Text;
import org.apache.yetus.audience.InterfaceAudience;

/** The finding of {@code audit} and {@code doctor} that a record cannot be read. */
@InterfaceAudience.Private
public final class RecordUnknownFinding {
  private RecordUnknownFinding() {}

  public static Finding finding(ForeignRecord record) {
    String path = record.path().toUri().getPath();
    return new Finding(
        FindingId.RECORD_UNKNOWN,
        path,
        record.name() + " says '" + record.text() + "', which this version cannot read.",
        "Use the hbase-hybrid of the version that wrote it; or, if the record is of no use: hdfs dfs"
            + " -setfattr -x "
            + record.name()
            + " "
            + Text.quote(path));
  }
}
