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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The text of a site file, one char for each byte. Every edit leaves marks in the text by which its
 * inverse restores the bytes that were there. Immutable; finds properties, but does not judge which
 * value Hadoop reads.
 */
@InterfaceAudience.Private
final class SiteText {
  private static final Pattern END = Pattern.compile("</configuration\\s*>");
  private static final String BLOCK = "<!-- hbase-hybrid enable: begin -->";
  private static final String BLOCK_END = "<!-- hbase-hybrid enable: end -->";
  private static final String OUT = "<!-- hbase-hybrid enable took out, disable puts back: ";
  private static final String OUT_END = " -->";

  private static final Pattern TAKEN_OUT =
      Pattern.compile(Pattern.quote(OUT) + "(.*?)" + Pattern.quote(OUT_END), Pattern.DOTALL);
  private static final Pattern OPAQUE =
      Pattern.compile("(<!--.*?-->)|<!\\[CDATA\\[.*?\\]\\]>", Pattern.DOTALL);
  private static final Pattern PROPERTY =
      Pattern.compile(
          "<property\\b(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+(?<!/)>(.*?)</property\\s*>",
          Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("<name\\s*>(.*?)</name\\s*>", Pattern.DOTALL);
  private static final Pattern VALUE =
      Pattern.compile("<value\\s*>(.*?)</value\\s*>", Pattern.DOTALL);
  private static final Pattern FINAL = Pattern.compile("<final\\s*>true</final\\s*>");

  private final String text;

  /** The text with comments as spaces and CDATA sections as letters, at the same offsets. */
  private final String masked;

  SiteText(String text) {
    this.text = text;
    this.masked =
        OPAQUE
            .matcher(text)
            .replaceAll(
                found -> (found.group(1) == null ? "x" : " ").repeat(found.group().length()));
  }

  /** A property element: offsets of the element and of what is between its value tags. */
  @InterfaceAudience.Private
  static final class Property {
    private final int start;
    private final int end;

    private final int valueStart;

    private final int valueEnd;
    private final boolean isFinal;

    private Property(Matcher element) {
      start = element.start();
      end = element.end();
      Matcher value = VALUE.matcher(element.group(1));
      boolean found = value.find();
      valueStart = found ? element.start(1) + value.start(1) : -1;
      valueEnd = found ? element.start(1) + value.end(1) : -1;
      isFinal = FINAL.matcher(element.group(1)).find();
    }
  }

  boolean hasEnd() {
    return END.matcher(masked).find();
  }

  List<Property> all(String key) {
    List<Property> found = new ArrayList<>();
    Matcher property = PROPERTY.matcher(masked);
    while (property.find()) {
      Matcher name = NAME.matcher(property.group(1));
      if (name.find() && name.group(1).trim().equals(key)) {
        found.add(new Property(property));
      }
    }
    return found;
  }

  /**
   * The definition that counts in a file of its own: the last with a value, none behind a final
   * one; or null.
   */
  private Property inForce(String key) {
    Property found = null;
    for (Property one : all(key)) {
      found = one.valueEnd > one.valueStart ? one : found;
      if (one.isFinal) {
        break;
      }
    }
    return found;
  }

  /** Whether a list has its value in a place that {@link #append} and {@link #drop} can edit. */
  boolean isEditable(String key) {
    return inForce(key) != null;
  }

  SiteText append(String key, String entry) {
    Property property = inForce(key);
    int last = property.valueEnd;
    while (last > property.valueStart && masked.charAt(last - 1) <= ' ') {
      last--;
    }
    return replace(last, last, (masked.charAt(last - 1) == ',' ? "" : ",") + entry + tail(last));
  }

  /** A list that ended in a comma still does, which lets {@link #drop} restore it. */
  private String tail(int last) {
    return masked.charAt(last - 1) == ',' ? "," : "";
  }

  SiteText drop(String key, String entry) {
    String one = Pattern.quote(entry) + "(?:\\|[^,\\s]*)?(?=\\s*(?:,|$))";
    Pattern listed = Pattern.compile(",\\s*" + one + "|(?<=^|\\s)" + one + "(?:\\s*,\\s*)?");
    SiteText rest = this;
    List<Property> all = all(key);
    for (int i = all.size() - 1; i >= 0; i--) {
      Property property = all.get(i);
      if (property.valueStart < 0) {
        continue;
      }
      String list = masked.substring(property.valueStart, property.valueEnd);
      Matcher found = listed.matcher(list);
      if (!found.find()) {
        continue;
      }
      boolean alone = (list.substring(0, found.start()) + list.substring(found.end())).isBlank();
      rest =
          alone
              ? rest.remove(property)
              : rest.replace(
                  property.valueStart + found.start(), property.valueStart + found.end(), "");
    }
    return rest;
  }

  SiteText set(String key, String value) {
    Property property = inForce(key);
    return replace(property.valueStart, property.valueEnd, value);
  }

  /** Removes the definitions whose value contains a text. */
  SiteText remove(String key, String part) {
    SiteText rest = this;
    List<Property> all = all(key);
    for (int i = all.size() - 1; i >= 0; i--) {
      Property one = all.get(i);
      if (one.valueStart >= 0 && text.substring(one.valueStart, one.valueEnd).contains(part)) {
        rest = rest.remove(one);
      }
    }
    return rest;
  }

  private SiteText remove(Property property) {
    int from = property.start;
    while (from > 0 && (text.charAt(from - 1) == ' ' || text.charAt(from - 1) == '\t')) {
      from--;
    }
    Matcher rest = Pattern.compile("[ \\t]*\\R").matcher(text).region(property.end, text.length());
    boolean alone = (from == 0 || text.charAt(from - 1) == '\n') && rest.lookingAt();
    return alone ? replace(from, rest.end(), "") : replace(property.start, property.end, "");
  }

  boolean cannotTakeOut(String key) {
    return all(key).stream().anyMatch(one -> text.substring(one.start, one.end).contains("--"));
  }

  SiteText takeOut(String key) {
    SiteText rest = this;
    List<Property> all = all(key);
    for (int i = all.size() - 1; i >= 0; i--) {
      Property one = all.get(i);
      String element = text.substring(one.start, one.end);
      rest = rest.replace(one.start, one.end, OUT + element + OUT_END);
    }
    return rest;
  }

  List<String> takenOut() {
    List<String> keys = new ArrayList<>();
    Matcher out = TAKEN_OUT.matcher(text);
    while (out.find()) {
      Matcher name = NAME.matcher(out.group(1));
      if (name.find()) {
        keys.add(name.group(1).trim());
      }
    }
    return keys;
  }

  SiteText restore() {
    return new SiteText(
        TAKEN_OUT.matcher(text).replaceAll(out -> Matcher.quoteReplacement(out.group(1))));
  }

  SiteText add(Map<String, String> properties) {
    if (properties.isEmpty()) {
      return this;
    }
    String line = text.contains("\r\n") ? "\r\n" : "\n";
    String elements =
        properties.entrySet().stream()
            .map(
                one ->
                    String.join(
                        line,
                        "  <property>",
                        "    <name>" + one.getKey() + "</name>",
                        "    <value>" + one.getValue() + "</value>",
                        "  </property>",
                        ""))
            .collect(Collectors.joining());
    int block = text.indexOf(BLOCK_END);
    if (block >= 0) {
      int begin = text.lastIndexOf('\n', block) + 1;
      int at = text.substring(begin, block).isBlank() ? begin : block;
      return replace(at, at, elements);
    }
    int end = END.matcher(masked).results().reduce((one, next) -> next).orElseThrow().start();
    int start = text.lastIndexOf('\n', end) + 1;
    String begun = BLOCK + line + elements + "  " + BLOCK_END;
    return text.substring(start, end).isBlank()
        ? replace(start, start, "  " + begun + line)
        : replace(end, end, begun);
  }

  SiteText removeFromBlock(Collection<String> keys) {
    SiteText rest = this;
    for (String key : keys) {
      List<Property> all = rest.all(key);
      for (int i = all.size() - 1; i >= 0; i--) {
        if (rest.isInBlock(all.get(i))) {
          rest = rest.remove(all.get(i));
        }
      }
    }
    return rest;
  }

  private boolean isInBlock(Property property) {
    int begin = text.indexOf(BLOCK);
    return begin >= 0 && property.start > begin && property.end < text.indexOf(BLOCK_END, begin);
  }

  boolean isInBlock(String key) {
    return all(key).stream().anyMatch(this::isInBlock);
  }

  /** Empty if it is not there. */
  String valueInBlock(String key) {
    return all(key).stream()
        .filter(one -> isInBlock(one) && one.valueStart >= 0)
        .map(one -> text.substring(one.valueStart, one.valueEnd).trim())
        .reduce("", (one, next) -> next);
  }

  SiteText withoutEmptyBlock() {
    int begin = text.indexOf(BLOCK);
    int end = text.indexOf(BLOCK_END, Math.max(0, begin));
    if (begin < 0 || end < 0 || !text.substring(begin + BLOCK.length(), end).isBlank()) {
      return this;
    }
    int start = text.lastIndexOf('\n', begin) + 1;
    int after = end + BLOCK_END.length();
    Matcher lineEnd = Pattern.compile("\\R").matcher(text).region(after, text.length());
    return text.substring(start, begin).isBlank() && lineEnd.lookingAt()
        ? replace(start, lineEnd.end(), "")
        : replace(begin, after, "");
  }

  private SiteText replace(int from, int to, String by) {
    return new SiteText(text.substring(0, from) + by + text.substring(to));
  }

  @Override
  public String toString() {
    return text;
  }
}
