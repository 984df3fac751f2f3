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
package io.github.hybridhbase.link;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The list of gaps that are known, and what the plugin does instead. Paragraphs of
 *
 * <pre>
 * at LINE, LINE
 * - gap
 *   what the plugin does instead
 * </pre>
 *
 * <p>where several lines of HBase and several gaps may share one explanation; {@code #} begins a
 * comment.
 */
@InterfaceAudience.Private
final class KnownGaps {
  private final Map<String, SortedSet<String>> byLine = new TreeMap<>();
  private final List<String> explanations = new ArrayList<>();

  /**
   * Reads the list.
   *
   * @throws IllegalArgumentException where a paragraph has no line of HBase, no gap or no
   *     explanation, or a gap stands twice
   */
  static KnownGaps parse(Collection<String> text) {
    KnownGaps known = new KnownGaps();
    List<String> paragraph = new ArrayList<>();
    for (String each : text) {
      if (each.isBlank()) {
        known.add(paragraph);
        paragraph.clear();
      } else if (!each.startsWith("#")) {
        paragraph.add(each);
      }
    }
    known.add(paragraph);
    return known;
  }

  private void add(List<String> paragraph) {
    if (paragraph.isEmpty()) {
      return;
    }
    boolean gap = false;
    boolean explained = false;
    for (String each : paragraph.subList(1, paragraph.size())) {
      gap |= each.startsWith("- ");
      explained |= each.startsWith("  ");
    }
    if (!paragraph.get(0).startsWith("at ") || !gap || !explained) {
      throw new IllegalArgumentException("not 'at LINES', '- gap', '  instead': " + paragraph);
    }
    explanations.add(
        paragraph.stream()
            .filter(each -> each.startsWith("  "))
            .map(String::strip)
            .collect(Collectors.joining(" ")));
    for (String line : paragraph.get(0).substring("at ".length()).split(", ", -1)) {
      SortedSet<String> gaps = byLine.computeIfAbsent(line, key -> new TreeSet<>());
      for (String each : paragraph) {
        if (each.startsWith("- ") && !gaps.add(each)) {
          throw new IllegalArgumentException("twice at " + line + ": " + each);
        }
      }
    }
  }

  /** What the plugin does instead, one text a paragraph. */
  List<String> explanations() {
    return explanations;
  }

  /** Which lines of HBase have known gaps. */
  Set<String> lines() {
    return byLine.keySet();
  }

  /** What is known of one, each as {@link Gap#toString()}. */
  SortedSet<String> at(String line) {
    return byLine.getOrDefault(line, new TreeSet<>());
  }
}
