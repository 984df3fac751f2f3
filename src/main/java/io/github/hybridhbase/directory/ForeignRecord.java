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
package io.github.hybridhbase.directory;

import io.github.hybridhbase.hdfs.ForeignRecordException;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.LeftOutNodes;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.hdfs.TierUse;
import io.github.hybridhbase.hdfs.XattrRecord;
import io.github.hybridhbase.placement.Layout;
import io.github.hybridhbase.report.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;

/** A record on one path that this version cannot read. Immutable. */
@InterfaceAudience.Private
public final class ForeignRecord {
  private static final List<XattrRecord<?>> KNOWN =
      List.of(
          PolicyProvenance.RECORD,
          Hold.RECORD,
          MoveConsent.RECORD,
          TierState.RECORD,
          TierUse.RECORD,
          LeftOutNodes.RECORD);

  private final Path path;
  private final String name;
  private final String text;

  private ForeignRecord(Path path, String name, String text) {
    this.path = path;
    this.name = name;
    this.text = text;
  }

  /**
   * Reads all paths that may carry records, with one NameNode read per placed directory and per
   * server. Paths that this user may not read are skipped.
   *
   * @throws IOException if HDFS does not answer
   */
  public static List<ForeignRecord> look(Layout layout, Namespaces namespaces) throws IOException {
    Set<Path> paths = new LinkedHashSet<>(layout.roots());
    paths.addAll(layout.placeable());
    DirectoryReader reader = new DirectoryReader(layout, namespaces);
    paths.addAll(reader.servers());
    List<ForeignRecord> found = new ArrayList<>();
    for (Path path : paths) {
      Optional<StorageNamespace> namespace = namespaces.of(path);
      try {
        if (namespace.isPresent()) {
          XattrRecord.foreign(KNOWN, namespace.get().records(path))
              .forEach((name, text) -> found.add(new ForeignRecord(path, name, text)));
        }
      } catch (AccessControlException e) {
        continue; // the report names denied reads
      }
    }
    return found;
  }

  public Finding finding() {
    return ForeignRecordException.finding(name, path, text);
  }
}
