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
package io.github.hybridhbase.tool.plan;

import io.github.hybridhbase.tool.cli.WholeFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A site file as text, into which properties are merged: comments, order and everything that is not
 * changed stay as they are, character by character. Immutable.
 */
@InterfaceAudience.Private
public final class SiteFile {
  private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);
  private static final Pattern PROPERTY =
      Pattern.compile("<property\\b[^>]*>(.*?)</property\\s*>", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("<name\\s*>(.*?)</name\\s*>", Pattern.DOTALL);
  private static final Pattern VALUE =
      Pattern.compile("<value\\s*>(.*?)</value\\s*>|<value\\s*/>", Pattern.DOTALL);
  private static final String END = "</configuration>";

  private final String text;
  private final Map<String, String> values;

  private SiteFile(String text, Map<String, String> values) {
    this.text = text;
    this.values = values;
  }

  /**
   * Reads text.
   *
   * @throws IOException where Hadoop would not read it as a site file
   */
  public static SiteFile parse(String text) throws IOException {
    if (!masked(text).contains(END)) {
      throw new IOException("there is no " + END + " in it");
    }
    return new SiteFile(text, load(text));
  }

  /** What Hadoop reads of it; variables are not expanded. */
  private static Map<String, String> load(String text) throws IOException {
    Configuration conf = new Configuration(false);
    conf.setRestrictSystemProperties(true);
    conf.addResource(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "site", true);
    Map<String, String> values = new LinkedHashMap<>();
    try {
      conf.forEach(entry -> values.put(entry.getKey(), entry.getValue()));
    } catch (RuntimeException e) {
      throw new IOException("it is no site file: " + e.getMessage(), e);
    }
    return values;
  }

  /** Its value of a key as Hadoop reads it, the last one where there are several; null for none. */
  public String get(String key) {
    return values.get(key);
  }

  /** All its values as Hadoop reads them; variables are not expanded. */
  Map<String, String> values() {
    return Collections.unmodifiableMap(values);
  }

  /** Its text. */
  public String text() {
    return text;
  }

  /**
   * The same with these values, each in the place of the last one that the file has for its key, or
   * at the end.
   *
   * @throws IOException where the result would not say what was asked for, and of all other keys
   *     what the file says: nothing of it may be used then
   */
  public SiteFile with(Map<String, String> changes) throws IOException {
    String changed = text;
    for (Map.Entry<String, String> change : changes.entrySet()) {
      if (!change.getValue().equals(values.get(change.getKey()))) {
        changed = set(changed, change.getKey(), change.getValue());
      }
    }
    Map<String, String> wanted = new LinkedHashMap<>(values);
    wanted.putAll(changes);
    SiteFile result = parse(changed);
    if (!result.values.equals(wanted)) {
      throw new IOException(
          "it has a form that cannot be changed safely (an include, an entity, a final property that"
              + " is defined twice): merge the properties by hand");
    }
    return result;
  }

  private static String set(String text, String key, String value) {
    String masked = masked(text);
    Matcher property = PROPERTY.matcher(masked);
    int from = -1;
    int to = -1;
    while (property.find()) {
      Matcher name = NAME.matcher(property.group(1));
      Matcher old = VALUE.matcher(property.group(1));
      if (name.find() && name.group(1).trim().equals(key) && old.find()) {
        from = property.start(1) + old.start();
        to = property.start(1) + old.end();
      }
    }
    String element = "<value>" + escape(value) + "</value>";
    if (from >= 0) {
      return text.substring(0, from) + element + text.substring(to);
    }
    int end = masked.lastIndexOf(END);
    return text.substring(0, end)
        + "  <property>\n    <name>"
        + escape(key)
        + "</name>\n    "
        + element
        + "\n  </property>\n"
        + text.substring(end);
  }

  /** Of the same length, with blanks for comments. */
  private static String masked(String text) {
    return COMMENT.matcher(text).replaceAll(comment -> " ".repeat(comment.group().length()));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** What a merge changes, as {@code diff -u} prints it; empty for nothing. */
  public List<String> diff(String name, SiteFile after) {
    return LineDiff.of(name, text, after.text);
  }

  /**
   * Writes it in the place of a file, whole or not at all: beside it first, then by a rename. What
   * stood there is kept beside it.
   *
   * @param before what was read of the file
   * @param suffix of the name of what is kept
   * @return what is kept
   * @throws IOException where it cannot be written, what is kept would overwrite another file, or
   *     the file is not what was read any more: it stays as it is then
   */
  public Path write(Path file, SiteFile before, String suffix) throws IOException {
    // A link to a file that a tool distributes stays a link.
    Path real = WholeFile.follow(file.toAbsolutePath());
    Path kept = real.resolveSibling(real.getFileName() + suffix);
    before.check(real);
    Files.copy(real, kept, StandardCopyOption.COPY_ATTRIBUTES);
    WholeFile.write(real, text, WholeFile.Owner.MUST_STAY, () -> before.check(real));
    return kept;
  }

  /** A plan for a cluster takes minutes: time enough for somebody to edit the file. */
  private void check(Path file) throws IOException {
    if (!Arrays.equals(Files.readAllBytes(file), text.getBytes(StandardCharsets.UTF_8))) {
      throw new IOException(file + " was changed meanwhile and is not written: run again");
    }
  }
}
