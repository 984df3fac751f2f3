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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/** File systems in memory, of a given size, that stand for small SSDs. They need root. */
@InterfaceAudience.Private
final class Volumes {
  private static final Pattern BLANK = Pattern.compile(" ");

  private Volumes() {}

  static void mount(Path at, int megabytes) throws IOException, InterruptedException {
    Files.createDirectories(at);
    Command.run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", at.toString());
  }

  /** Whether this user may. */
  static boolean mayMount(Path parent) throws IOException, InterruptedException {
    Path probe = Files.createTempDirectory(parent, "mount");
    try {
      mount(probe, 1);
      unmount(probe);
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  /** Gives one another size. */
  static void resize(Path at, int megabytes) throws IOException, InterruptedException {
    Command.run("mount", "-o", "remount,size=" + megabytes + "m", at.toString());
  }

  /**
   * Lets nobody open a file on one for writing, or lets everybody again; what is open already stays
   * so, as the kernel does not take that away.
   */
  static void writable(Path at, boolean yes) throws IOException, InterruptedException {
    if (yes) {
      unmount(at);
    } else {
      Command.run("mount", "--bind", at.toString(), at.toString());
      Command.run("mount", "-o", "remount,bind,ro", at.toString());
    }
  }

  /** Takes one away: files that are open stay so, and are lost with all others. */
  static void unmount(Path at) throws IOException, InterruptedException {
    Command.run("umount", "-l", at.toString());
  }

  /** What is mounted below a directory. */
  static List<Path> below(Path directory) throws IOException {
    List<Path> mounted = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("/proc/mounts"))) {
      Path at = Path.of(BLANK.split(line, -1)[1]);
      if (at.startsWith(directory)) {
        mounted.add(at);
      }
    }
    return mounted;
  }

  static void unmountBelow(Path directory) throws IOException, InterruptedException {
    for (Path at : below(directory)) {
      unmount(at);
    }
  }
}
