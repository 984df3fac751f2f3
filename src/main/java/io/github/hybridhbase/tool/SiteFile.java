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

import io.github.hybridhbase.tool.cli.WholeFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IOUtils;
import org.apache.yetus.audience.InterfaceAudience;

/** A site file: its bytes, and the values that Hadoop reads from it. Immutable. */
@InterfaceAudience.Private
final class SiteFile {
  private static final Set<PosixFilePermission> WRITE =
      Set.of(
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_WRITE);

  private final Path file;

  private final SiteText text;
  private final Map<String, String> values;

  private SiteFile(Path file, SiteText text) throws IOException {
    this.file = file;
    this.text = text;
    this.values = load(file, bytes(text));
    if (!text.hasEnd()) {
      throw new IOException(
          file
              + " has no </configuration>. Write <configuration> and </configuration> on lines of"
              + " their own, then run again.");
    }
  }

  /**
   * @throws IOException if the file cannot be read, or Hadoop would not read it as a site file
   */
  static SiteFile read(Path file) throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IOException(
          file + " cannot be read (" + e + "). Run as a user who may read it.", e);
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (text.indexOf('\0') >= 0) {
      throw new IOException(
          file
              + " has zero bytes, as UTF-16 has, and stays unchanged. Convert it to UTF-8 (iconv"
              + " -f UTF-16 -t UTF-8), correct the encoding in its first line, then run again.");
    }
    return new SiteFile(file.toAbsolutePath(), new SiteText(text));
  }

  /**
   * @throws IOException if Hadoop would not read the text as a site file
   */
  SiteFile with(SiteText edited) throws IOException {
    return new SiteFile(file, edited);
  }

  /** The values as HBase reads them, includes followed and variables not expanded. */
  private static Map<String, String> load(Path file, byte[] bytes) throws IOException {
    Configuration conf = new Configuration(false);
    conf.setRestrictSystemProperties(true);
    // By its name Hadoop resolves relative includes.
    conf.addResource(new ByteArrayInputStream(bytes), file.toUri().toString(), false);
    Map<String, String> values = new LinkedHashMap<>();
    try {
      conf.forEach(entry -> values.put(entry.getKey(), entry.getValue()));
    } catch (RuntimeException e) {
      throw new IOException(
          file
              + " is not a site file that HBase can read: "
              + e.getMessage()
              + ". Correct it, then run again.",
          e);
    }
    return values;
  }

  private static byte[] bytes(SiteText text) {
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Null if unset. */
  String get(String key) {
    return values.get(key);
  }

  Map<String, String> values() {
    return Collections.unmodifiableMap(values);
  }

  SiteText text() {
    return text;
  }

  /** Empty for no changes; without the carriage returns of Windows. */
  List<String> diff(SiteFile after) {
    return LineDiff.of(file.toString(), shown(text), shown(after.text));
  }

  private static String shown(SiteText text) {
    return new String(bytes(text), StandardCharsets.UTF_8).replace("\r\n", "\n");
  }

  /**
   * Atomically replaces the file that this was read from, or the target of its link, and keeps the
   * old one beside it.
   *
   * @param suffix of the kept file's name
   * @throws IOException with file, cause and remedy; the file is unchanged then
   */
  Path write(SiteFile after, String suffix) throws IOException {
    try {
      // A link to a file that a tool distributes stays a link.
      return replace(WholeFile.follow(file), after, suffix);
    } catch (IOException e) {
      throw new IOException(
          file
              + " is not written and stays unchanged ("
              + (e.getClass() == IOException.class ? e.getMessage() : e)
              + "). Run again as a user who may write there, on a volume with space; if a tool"
              + " distributes the file, edit the tool's source.",
          e);
    }
  }

  private Path replace(Path real, SiteFile after, String suffix) throws IOException {
    if (isReadOnly(real)) {
      throw new IOException(real + " is read-only: chmod u+w");
    }
    Path kept = real.resolveSibling(real.getFileName() + suffix);
    List<Path> made = new ArrayList<>();
    try {
      WholeFile.write(
          real,
          bytes(after.text),
          WholeFile.Owner.MUST_STAY,
          () -> {
            if (!Arrays.equals(Files.readAllBytes(real), bytes(text))) {
              throw new IOException(real + " was changed meanwhile: run again");
            }
            made.add(Files.copy(real, kept, StandardCopyOption.COPY_ATTRIBUTES));
            IOUtils.fsync(kept.toFile()); // a power cut after the rename would leave it empty
          });
      return kept;
    } catch (IOException e) {
      for (Path copy : made) {
        Files.deleteIfExists(copy);
      }
      throw e;
    }
  }

  /** Root may write a read-only file, and a rename would replace one for anybody. */
  private static boolean isReadOnly(Path file) throws IOException {
    boolean posix = Files.getFileAttributeView(file, PosixFileAttributeView.class) != null;
    return !Files.isWritable(file)
        || posix && Collections.disjoint(Files.getPosixFilePermissions(file), WRITE);
  }

  /** A line diff of two texts in the unified format of {@code patch}. Pure. */
  static final class LineDiff {
    private static final int CONTEXT = 3;

    private LineDiff() {}

    /**
     * Empty if the texts are equal. Keeps a longest common subsequence: time and memory grow with
     * the product of the line counts between the first and last difference.
     */
    static List<String> of(String name, String before, String after) {
      if (before.equals(after)) {
        return List.of();
      }
      boolean ended = before.endsWith("\n") && after.endsWith("\n");
      List<String> script = script(lines(before, ended), lines(after, ended));
      List<String> out = new ArrayList<>(List.of("--- " + name, "+++ " + name));
      int oldLine = 1;
      int newLine = 1;
      int at = 0;
      while (at < script.size()) {
        if (kept(script.get(at))) {
          at++;
          oldLine++;
          newLine++;
          continue;
        }
        int begin = Math.max(0, at - CONTEXT);
        while (begin < at && !kept(script.get(begin))) {
          begin++;
        }
        int back = at - begin;
        int end = at;
        int last = at;
        while (end < script.size() && end - last <= 2 * CONTEXT) {
          last = kept(script.get(end)) ? last : end;
          end++;
        }
        end = Math.min(script.size(), last + 1 + CONTEXT);
        List<String> hunk = script.subList(begin, end);
        long olds = hunk.stream().filter(one -> one.charAt(0) != '+').count();
        long news = hunk.stream().filter(one -> one.charAt(0) != '-').count();
        out.add(
            "@@ -" + (oldLine - back) + "," + olds + " +" + (newLine - back) + "," + news + " @@");
        out.addAll(hunk);
        oldLine += (int) olds - back;
        newLine += (int) news - back;
        at = end;
      }
      return out;
    }

    private static List<String> lines(String text, boolean ended) {
      List<String> lines = List.of(text.split("\n", -1));
      return ended ? lines.subList(0, lines.size() - 1) : lines;
    }

    private static boolean kept(String line) {
      return line.charAt(0) == ' ';
    }

    private static List<String> script(List<String> before, List<String> after) {
      int head = 0;
      while (head < Math.min(before.size(), after.size())
          && before.get(head).equals(after.get(head))) {
        head++;
      }
      int tail = 0;
      while (tail < Math.min(before.size(), after.size()) - head
          && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
        tail++;
      }
      List<String> out = new ArrayList<>();
      before.subList(0, head).forEach(line -> out.add(" " + line));
      middle(
          before.subList(head, before.size() - tail),
          after.subList(head, after.size() - tail),
          out);
      before.subList(before.size() - tail, before.size()).forEach(line -> out.add(" " + line));
      return out;
    }

    private static void middle(List<String> before, List<String> after, List<String> out) {
      int[][] common = new int[before.size() + 1][after.size() + 1];
      for (int i = before.size() - 1; i >= 0; i--) {
        for (int j = after.size() - 1; j >= 0; j--) {
          common[i][j] =
              before.get(i).equals(after.get(j))
                  ? common[i + 1][j + 1] + 1
                  : Math.max(common[i + 1][j], common[i][j + 1]);
        }
      }
      int i = 0;
      int j = 0;
      while (i < before.size() || j < after.size()) {
        if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
          out.add(" " + before.get(i++));
          j++;
        } else if (i < before.size()
            && (j == after.size() || common[i + 1][j] >= common[i][j + 1])) {
          out.add("-" + before.get(i++));
        } else {
          out.add("+" + after.get(j++));
        }
      }
    }
  }
}
