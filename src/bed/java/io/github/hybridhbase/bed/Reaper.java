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
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A shell that sees to it that a bed ends with the JVM that has started it, however that ends: it
 * reads from a pipe which closes with the JVM. Then it ends each process of the bed by its id,
 * unless the id belongs to another process by now, unmounts, and deletes its network and its
 * directory.
 */
@InterfaceAudience.Private
final class Reaper implements AutoCloseable {
  private static final String SCRIPT =
      "trap '' INT TERM HUP\n"
          + "cat >/dev/null\n"
          + "[ -f \"$1/owner\" ] || exit 0\n"
          + "for file in \"$1\"/*/pid; do\n"
          + "  [ -f \"$file\" ] && read -r id start <\"$file\" || continue\n"
          + "  [ \"$(sed 's/.*) //' \"/proc/$id/stat\" 2>/dev/null | cut -d' ' -f20)\" = \"$start\""
          + " ] && kill -9 \"$id\"\n"
          + "done\n"
          + "while read -r _ at _; do\n"
          + "  case $at in \"$1\"/*) umount -l \"$at\" ;; esac\n"
          + "done </proc/mounts\n"
          + "[ -f \"$1/netns\" ] && ip netns del \"$(cat \"$1/netns\")\" 2>/dev/null\n"
          + "[ -f \"$1/keep\" ] || rm -rf \"$1\"\n";

  private final OutputStream pipe;

  private Reaper(OutputStream pipe) {
    this.pipe = pipe;
  }

  /** Watches over this JVM from now on. */
  static Reaper start(Path directory) throws IOException {
    // A session of its own: Ctrl-C is for the JVM, whose hook closes the bed in good order.
    List<String> command =
        List.of("setsid", "sh", "-c", SCRIPT, "bed-reaper", directory.toString());
    return new Reaper(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .getOutputStream());
  }

  /** It may go: it finishes what is left of the bed, which is nothing after a good close. */
  @Override
  public void close() throws IOException {
    pipe.close();
  }
}
