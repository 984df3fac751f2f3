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
import io.github.hybridhbase.runtime.DaemonThreads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.apache.yetus.audience.InterfaceAudience;

/** The user's terminal, if any. Files and pipes get plain lines without colours or progress. */
@InterfaceAudience.Private
public final class Terminal {
  public static final Terminal NONE = new Terminal(Screen.PLAIN, false, null, false);

  private static final int STANDARD_WIDTH = 80;
  private static final int NARROWEST = 40;
  private static final int POLL_MILLIS = 50;

  public final Screen screen;
  public final boolean progress;

  /** Null if nobody can be asked. */
  private final InputStream answers;

  public final boolean hidesQuestions;

  private Terminal(Screen screen, boolean progress, InputStream answers, boolean hidesQuestions) {
    this.screen = screen;
    this.progress = progress;
    this.answers = answers;
    this.hidesQuestions = hidesQuestions;
  }

  public static Terminal ofProcess() {
    return of(System.getenv(), Terminal::target, System.in);
  }

  /**
   * {@code COLUMNS} is its width; {@code NO_COLOR} and {@code TERM=dumb} disable colours.
   *
   * @param target the file of a descriptor, as Linux names it; empty if unknown
   */
  static Terminal of(Map<String, String> environment, IntFunction<String> target, InputStream in) {
    boolean dumb = environment.getOrDefault("TERM", "").equals("dumb");
    boolean colours = !dumb && environment.getOrDefault("NO_COLOR", "").isEmpty();
    Screen screen =
        isTerminal(target.apply(1))
            ? new Screen(width(environment.getOrDefault("COLUMNS", "")), colours)
            : Screen.PLAIN;
    boolean asks = isTerminal(target.apply(0));
    boolean shows = isTerminal(target.apply(2));
    return new Terminal(screen, !dumb && shows, asks ? in : null, asks && !shows);
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

  /**
   * Only "y" and "yes" confirm; without a terminal, true.
   *
   * @param stopped ends the wait with false
   */
  public boolean confirms(String question, PrintStream err, BooleanSupplier stopped)
      throws IOException {
    if (answers == null) {
      return true;
    }
    err.print(question + " [y/N] ");
    err.flush();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(answers, Charset.defaultCharset()));
    // On a thread: a terminal is not ready at its end, and a read cannot be interrupted.
    Future<String> line =
        DaemonThreads.pool("hybrid-answer", 1, 1, new ThreadPoolExecutor.AbortPolicy())
            .submit(in::readLine);
    while (!line.isDone()) {
      if (stopped.getAsBoolean()) {
        return false;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    String answer = FutureUtils.get(line);
    return answer != null && answer.trim().toLowerCase(Locale.ROOT).matches("y|yes");
  }
}
