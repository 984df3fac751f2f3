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
package io.github.hybridhbase.tool;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.SpaceReader;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.page.PageRenderer;
import io.github.hybridhbase.page.Picture;
import io.github.hybridhbase.page.SsdRoom;
import io.github.hybridhbase.tool.cli.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** A web page of an audit, with the space on SSD, which it reads from HDFS once. */
@InterfaceAudience.Private
final class AuditPage {
  private AuditPage() {}

  /**
   * @param began start of the audit, milliseconds since 1970
   */
  static String render(Session session, AuditReport report, long began) {
    long now = System.currentTimeMillis();
    List<SsdRoom> rooms = new ArrayList<>();
    long capacity = 0;
    for (Path root : session.hdfsRoots()) {
      SsdRoom room = room(session, root);
      rooms.add(room);
      capacity = rooms.size() == 1 ? room.capacity() : capacity;
    }
    String source = report.table().map(table -> "table " + table + ", ").orElse("");
    Picture empty =
        new Picture(report.layout().root().toString(), source + "hbase-hybrid audit", now);
    Picture picture =
        AuditPicture.add(empty, report, session.settings(), began, now - began, capacity);
    return PageRenderer.render(picture.rooms(rooms), PageRenderer.Place.FILE);
  }

  private static SsdRoom room(Session session, Path root) {
    Optional<SsdSpace> space = Optional.empty();
    String trouble = "It cannot be read.";
    try {
      Optional<SpaceReader> reader =
          SpaceReader.of(root.getFileSystem(session.conf()), session.conf());
      if (reader.isPresent()) {
        space = reader.get().read();
        trouble = space.isPresent() ? "" : "It cannot be read: " + reader.get().trouble();
      }
    } catch (IOException e) {
      trouble = "It cannot be read: " + HdfsError.of(e).text();
    }
    // Only the master estimates the headroom, from the rate at which SSD fills.
    return new SsdRoom(
        space, System.currentTimeMillis(), trouble, 0, session.settings().watermarks());
  }
}
