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
package io.github.hybridhbase.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limit of a group goes with what its process takes beside the page cache. */
@InterfaceAudience.Private
class MemoryGroupsTest {
  private static final long MB = 1 << 20;

  @TempDir private Path group;

  private void group(String usage, String cache, String limit) throws IOException {
    Files.writeString(group.resolve(usage), 300 * MB + "\n");
    Files.writeString(group.resolve("memory.stat"), "anon 5\n" + cache + " " + 100 * MB + "\n");
    Files.writeString(group.resolve(limit), "max");
  }

  @Test
  void whatIsNotCacheIsLeftToTheProcess() throws IOException {
    group("memory.usage_in_bytes", "cache", "memory.limit_in_bytes");
    MemoryGroups.limit(group, 32 * MB);
    long limit = (200 + 32) * MB;
    assertEquals(limit + "", Files.readString(group.resolve("memory.limit_in_bytes")));
  }

  @Test
  void aLimitIsRaisedAtOnceAndLoweredBySomeMegabytesAtLeast() throws IOException {
    group("memory.usage_in_bytes", "cache", "memory.limit_in_bytes");
    Path limit = group.resolve("memory.limit_in_bytes");
    Files.writeString(limit, 237 * MB + "\n");
    MemoryGroups.limit(group, 32 * MB);
    assertEquals(237 * MB + "\n", Files.readString(limit), "as it was");
    Files.writeString(limit, 231 * MB + "\n");
    MemoryGroups.limit(group, 32 * MB);
    assertEquals(232 * MB + "", Files.readString(limit));
  }

  @Test
  void versionTwoHasOtherNames() throws IOException {
    group("memory.current", "file", "memory.high");
    MemoryGroups.limit(group, 0);
    assertEquals(216 * MB + "", Files.readString(group.resolve("memory.high")));
  }

  @Test
  void aGroupThatIsGoneHarmsNobody() throws Exception {
    MemoryGroups.limit(group, 0);
    assertEquals(0, MemoryGroups.cached(List.of("total_cache 7")));
    try (MemoryGroups none = new MemoryGroups(null)) {
      assertFalse(none.available());
      none.bound("dn0", 1, 1);
    }
  }
}
