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
 * The text of a site file, into which properties are merged without any other change: comments and
 * order stay. Immutable.
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
   * @throws IOException if Hadoop would not read the text as a site file
   */
  public static SiteFile parse(String text) throws IOException {
    if (!masked(text).contains(END)) {
      throw new IOException("there is no " + END + " in it");
    }
    return new SiteFile(text, load(text));
  }

  /** The values as Hadoop reads them, variables not expanded. */
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

  /** Null if unset; the last value if there are several, as in Hadoop. */
  public String get(String key) {
    return values.get(key);
  }

  Map<String, String> values() {
    return Collections.unmodifiableMap(values);
  }

  public String text() {
    return text;
  }

  /**
   * Returns a copy with these values, each in place of the last one of its key, or at the end.
   *
   * @throws IOException if Hadoop would read anything else than the old values with these changes;
   *     the file needs manual edits then
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

  /**
   * Returns a copy without these keys, with the lines that are blank then.
   *
   * @throws IOException as {@link #with}
   */
  public SiteFile without(List<String> keys) throws IOException {
    String changed = text;
    Map<String, String> wanted = new LinkedHashMap<>(values);
    for (String key : keys) {
      changed = remove(changed, key);
      wanted.remove(key);
    }
    SiteFile result = parse(changed);
    if (!result.values.equals(wanted)) {
      throw new IOException(
          "it has a form in which no property can be removed safely: do so by hand");
    }
    return result;
  }

  private static String remove(String text, String key) {
    String rest = text;
    Matcher property = PROPERTY.matcher(masked(rest));
    while (property.find()) {
      Matcher name = NAME.matcher(property.group(1));
      if (name.find() && name.group(1).trim().equals(key)) {
        String before = rest.substring(0, property.start()).replaceFirst("[ \\t]+$", "");
        rest = before + rest.substring(property.end()).replaceFirst("^[ \\t]*\\R", "");
        property = PROPERTY.matcher(masked(rest));
      }
    }
    return rest;
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

  /** Blanks comments out, at the same length. */
  private static String masked(String text) {
    return COMMENT.matcher(text).replaceAll(comment -> " ".repeat(comment.group().length()));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Empty for no changes. */
  public List<String> diff(String name, SiteFile after) {
    return LineDiff.of(name, text, after.text);
  }

  /**
   * Atomically replaces a file and keeps the old one beside it.
   *
   * @param before what was read from the file
   * @param suffix of the kept file's name
   * @return the kept file
   * @throws IOException if writing fails, the kept file exists, or the file has changed meanwhile;
   *     it stays unchanged then
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

  /** The file may be edited while a plan of a cluster runs for minutes. */
  private void check(Path file) throws IOException {
    if (!Arrays.equals(Files.readAllBytes(file), text.getBytes(StandardCharsets.UTF_8))) {
      throw new IOException(file + " was changed meanwhile and is not written: run again");
    }
  }
}
