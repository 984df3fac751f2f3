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
package io.github.hybridhbase.hdfs;

import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.Text;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** An exception for a record that stays as it is because another version wrote it. */
@InterfaceAudience.Private
public final class ForeignRecordException extends IOException {
  private static final long serialVersionUID = 1;

  public ForeignRecordException(String name, Path path, String text) {
    super(finding(name, path, text).explain());
  }

  public static Finding finding(String name, Path path, String text) {
    String plain = path.toUri().getPath();
    return Finding.of(FindingId.RECORD_UNKNOWN, plain, name, plain, text, Text.quote(plain));
  }
}
