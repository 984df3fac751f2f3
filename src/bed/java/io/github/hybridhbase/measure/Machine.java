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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** What a plan's cells were measured on and of which code: others' are not comparable. */
@InterfaceAudience.Private
final class Machine {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  final Disk hdd;
  final Disk ssd;
  final MemoryGroups memory;

  Machine(Disk hdd, Disk ssd, MemoryGroups memory) {
    this.hdd = hdd;
    this.ssd = ssd;
    this.memory = memory;
  }

  /** Both disks are as fast as they can be. */
  void release() throws IOException {
    hdd.release();
    ssd.release();
  }

  /** Both disks count from now on, and are as slow as they are to be. */
  void start(int slower) throws IOException {
    hdd.start(slower);
    ssd.start(slower);
  }

  /**
   * Describes it.
   *
   * @param base the checkout
   * @param bounded whether page caches are
   */
  ObjectNode describe(Path base, boolean bounded) throws IOException, InterruptedException {
    ObjectNode all = JSON.createObjectNode();
    all.put("commit", commit(base));
    all.put("cores", Runtime.getRuntime().availableProcessors());
    all.put("pageCachesBounded", bounded);
    List<String> mounts = Files.readAllLines(MOUNTS);
    all.put("hdd", hdd.label + " " + mount(mounts, hdd.directory));
    all.put("ssd", ssd.label + " " + mount(mounts, ssd.directory));
    return all;
  }

  /** File system and options of where a directory is, of lines as mountinfo has them. */
  static String mount(List<String> lines, Path directory) {
    int longest = -1;
    String found = "unknown";
    for (String line : lines) {
      List<String> words = List.of(line.split(" ", -1));
      int dash = words.indexOf("-");
      Path point = Path.of(words.get(4));
      // Of those on one place the last one is seen.
      if (directory.startsWith(point) && point.getNameCount() >= longest) {
        longest = point.getNameCount();
        found = String.join(" ", words.get(dash + 1), words.get(5), words.get(dash + 3));
      }
    }
    return found;
  }

  /** The last one that changed what is measured; another page of documentation is none. */
  private static String commit(Path base) throws IOException, InterruptedException {
    String last = git(base, "log", "-1", "--format=%h");
    String changed = git(base, "status", "--porcelain", "--untracked-files=no");
    return last.isEmpty() ? "unknown" : last + (changed.isEmpty() ? "" : " and changes");
  }

  private static String git(Path base, String... arguments)
      throws IOException, InterruptedException {
    // The checkout is another user's where this is run by sudo.
    List<String> command = new ArrayList<>(List.of("git", "-c", "safe.directory=*"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--", "src", "conf", "pom.xml"));
    ProcessBuilder builder = new ProcessBuilder(command).directory(base.toFile());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process git;
    try {
      git = builder.start();
    } catch (IOException e) {
      return ""; // there is no git
    }
    String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return git.waitFor() == 0 ? answer.trim() : "";
  }
}
