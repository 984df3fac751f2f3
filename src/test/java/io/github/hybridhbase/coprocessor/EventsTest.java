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

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class EventsTest {
  private static Finding quota(String path) {
    return Finding.of(FindingId.SSD_QUOTA, path, "full", path);
  }

  @Test
  void aFindingBeginsAndEndsOnce() {
    Events events = new Events();
    Finding note = Finding.of(FindingId.SYNC_ON_CLOSE, "key");
    events.notice(List.of(note, quota("/a")), 0);
    events.notice(List.of(note, quota("/a")), 60_000);
    events.notice(List.of(note), 120_000);
    List<List<String>> rows = events.section().rows;
    assertEquals(2, rows.size(), rows::toString);
    assertEquals(List.of("1970-01-01T00:02:00Z", "ssd-quota /a", "ended"), rows.get(0));
    assertEquals("1970-01-01T00:00:00Z", rows.get(1).get(0));
  }

  @Test
  void onlyTheLastAreKept() {
    Events events = new Events();
    for (int i = 0; i < 2 * Events.MOST; i++) {
      events.notice(List.of(quota("/" + i)), i);
    }
    List<List<String>> rows = events.section().rows;
    assertEquals(Events.MOST, rows.size());
    assertEquals("ssd-quota /" + (2 * Events.MOST - 1), rows.get(0).get(1));
  }
}
