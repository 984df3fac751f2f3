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
package io.github.hybridhbase.tool.site;

import io.github.hybridhbase.tool.cli.WholeFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** A site file: its bytes, and the values that Hadoop reads from it. Immutable. */
@InterfaceAudience.Private
final class SiteFile {
  private static final Set<PosixFilePermission> WRITE =
      Set.of(
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_WRITE);

  /** What relative includes are resolved against. */
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
    byte[] bytes = Files.readAllBytes(file);
    return new SiteFile(
        file.toAbsolutePath(), new SiteText(new String(bytes, StandardCharsets.ISO_8859_1)));
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
   * @return the kept file
   * @throws IOException with file, cause and remedy; the file is unchanged then
   */
  Path write(SiteFile after, String suffix) throws IOException {
    // A link to a file that a tool distributes stays a link.
    Path real = WholeFile.follow(file);
    if (isReadOnly(real)) {
      throw new IOException(
          real
              + " is read-only and stays unchanged. Make it writable (chmod u+w), or run as its"
              + " owner; if a tool distributes it, edit the tool's source.");
    }
    Path kept = real.resolveSibling(real.getFileName() + suffix);
    try {
      check(real);
      Files.copy(real, kept, StandardCopyOption.COPY_ATTRIBUTES);
      WholeFile.write(real, bytes(after.text), WholeFile.Owner.MUST_STAY, () -> check(real));
    } catch (java.nio.file.FileSystemException e) {
      throw new IOException(
          real
              + " is not written and stays unchanged ("
              + e
              + "). Run as a user who may write there, on a volume with space.",
          e);
    }
    return kept;
  }

  /** Root may write a read-only file, and a rename would replace one for anybody. */
  private static boolean isReadOnly(Path file) throws IOException {
    boolean posix = Files.getFileAttributeView(file, PosixFileAttributeView.class) != null;
    return !Files.isWritable(file)
        || posix && Collections.disjoint(Files.getPosixFilePermissions(file), WRITE);
  }

  private void check(Path real) throws IOException {
    if (!Arrays.equals(Files.readAllBytes(real), bytes(text))) {
      throw new IOException(real + " was changed meanwhile and is not written: run again.");
    }
  }
}
