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
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A process by its id and the time it started, from {@code /proc}: ids are used again. Immutable.
 */
@InterfaceAudience.Private
public final class Pid {
  private static final Pattern BLANK = Pattern.compile(" ");
  private static final int STATE = 0; // fields behind the command's closing bracket
  private static final int START = 19;

  private final long id;
  private final String start;

  private Pid(long id, String start) {
    this.id = id;
    this.start = start;
  }

  /** A process that lives. */
  static Pid of(long id) throws IOException {
    return new Pid(id, stat(id)[START]);
  }

  /** As {@link #write} has left it; null where the file is missing. */
  static Pid read(Path file) throws IOException {
    if (Files.notExists(file)) {
      return null;
    }
    String[] parts = BLANK.split(Files.readString(file).trim(), -1);
    return new Pid(Long.parseLong(parts[0]), parts[1]);
  }

  void write(Path file) throws IOException {
    Files.writeString(file, id + " " + start + "\n");
  }

  long id() {
    return id;
  }

  /** Whether it runs, or is stopped. */
  boolean isAlive() {
    try {
      String[] stat = stat(id);
      return !stat[STATE].equals("Z") && stat[START].equals(start);
    } catch (IOException e) {
      return false;
    }
  }

  boolean isStopped() {
    try {
      return isAlive() && stat(id)[STATE].equals("T");
    } catch (IOException e) {
      return false;
    }
  }

  /** What /proc has of it behind its command. */
  public static String[] stat(long id) throws IOException {
    String line = Files.readString(Path.of("/proc", Long.toString(id), "stat"));
    return BLANK.split(line.substring(line.lastIndexOf(')') + 2), -1);
  }

  /** Sends it a signal, such as {@code KILL}; nothing where it is gone. */
  void signal(String name) throws IOException, InterruptedException {
    if (isAlive()) {
      new ProcessBuilder("kill", "-" + name, Long.toString(id)).inheritIO().start().waitFor();
    }
  }

  @Override
  public boolean equals(Object that) {
    return that instanceof Pid && id == ((Pid) that).id && start.equals(((Pid) that).start);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, start);
  }

  @Override
  public String toString() {
    return Long.toString(id);
  }
}
