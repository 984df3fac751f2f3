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
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories as they once were. */
@InterfaceAudience.Private
class SavedFilesTest {
  @TempDir private Path directory;

  private Path volume;
  private Path block;
  private Path version;

  @BeforeEach
  void volume() throws IOException {
    volume = directory.resolve("dn0/ssd");
    block = volume.resolve("current/BP-1/current/finalized/subdir0/subdir0/blk_1");
    version = volume.resolve("current/VERSION");
    Files.createDirectories(block.getParent());
    Files.writeString(block, "rows");
    Files.writeString(version, "1");
  }

  private static Object inode(Path file) throws IOException {
    return Files.getAttribute(file, "unix:ino");
  }

  @Test
  void whatWasChangedAddedAndDeletedIsAsItWasTwice() throws IOException {
    SavedFiles saved = SavedFiles.of(List.of(volume, directory.resolve("not there")));
    for (int times = 0; times < 2; times++) {
      Files.delete(block);
      Files.writeString(version, "2");
      Files.writeString(volume.resolve("current/rbw"), "half a block");
      saved.restore();
      assertEquals("rows", Files.readString(block));
      assertEquals("1", Files.readString(version));
      assertFalse(Files.exists(volume.resolve("current/rbw")));
    }
  }

  @Test
  void aFinalizedBlockStaysWhereItLiesAndAllElseIsCopied() throws IOException {
    Object before = inode(block);
    SavedFiles saved = SavedFiles.of(List.of(volume));
    Path copy = directory.resolve("dn0/ssd.saved/current/VERSION");
    assertNotEquals(inode(version), inode(copy));
    saved.restore();
    assertEquals(before, inode(block));
  }

  @Test
  void whatIsSavedDoesNotCountAsUsed() throws IOException {
    SavedFiles.of(List.of(volume));
    assertEquals(5, SsdPeak.bytes(directory));
    Files.createDirectories(directory.resolve(SsdPeak.CACHE));
    Files.writeString(directory.resolve(SsdPeak.CACHE).resolve("blocks"), "hot");
    assertEquals(5, SsdPeak.bytes(directory));
  }
}
