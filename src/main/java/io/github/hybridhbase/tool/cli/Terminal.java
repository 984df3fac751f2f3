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
package io.github.hybridhbase.tool.cli;

import io.github.hybridhbase.report.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The user's terminal, if any. Colours, wrapped lines and progress are for terminals only; files
 * and pipes get plain lines.
 */
@InterfaceAudience.Private
public final class Terminal {
  public static final Terminal NONE = new Terminal(Screen.PLAIN, false);

  private static final int STANDARD_WIDTH = 80;
  private static final int NARROWEST = 40;

  private final Screen screen;
  private final boolean progress;

  private Terminal(Screen screen, boolean progress) {
    this.screen = screen;
    this.progress = progress;
  }

  public static Terminal ofProcess() {
    return of(System.getenv(), Terminal::target);
  }

  /**
   * {@code COLUMNS} is its width, any {@code NO_COLOR} and {@code TERM=dumb} disable colours.
   *
   * @param target the file of a file descriptor, as Linux names it; empty if unknown
   */
  static Terminal of(Map<String, String> environment, IntFunction<String> target) {
    boolean dumb = environment.getOrDefault("TERM", "").equals("dumb");
    boolean colours = !dumb && environment.getOrDefault("NO_COLOR", "").isEmpty();
    Screen screen =
        isTerminal(target.apply(1))
            ? new Screen(width(environment.getOrDefault("COLUMNS", "")), colours)
            : Screen.PLAIN;
    return new Terminal(screen, !dumb && isTerminal(target.apply(2)));
  }

  private static int width(String columns) {
    return columns.matches("[1-9]\\d{1,4}")
        ? Math.max(NARROWEST, Integer.parseInt(columns))
        : STANDARD_WIDTH;
  }

  private static boolean isTerminal(String target) {
    return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
  }

  /** Linux's /proc, since Java reports standard input and output together only. */
  private static String target(int descriptor) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  public Screen screen() {
    return screen;
  }

  public boolean progress() {
    return progress;
  }
}
