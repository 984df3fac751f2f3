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

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What our classes name in strings, which no linker looks at: HBase's and Hadoop's configuration
 * keys (a key that nothing reads changes nothing, silently), their classes, and members of a class
 * whose literal stands beside the name, for reflection.
 */
@InterfaceAudience.Private
final class NamedThings {
  private static final String OTHERS = "org/apache/hadoop/";
  private static final Pattern KEY =
      Pattern.compile("(?!hbase\\.hybrid\\.)(hbase|dfs|ipc|fs|hadoop|zookeeper)(\\.[\\w-]+)+");
  private static final Pattern CLASS = Pattern.compile("org\\.apache\\.hadoop(\\.[\\w$]+)+");

  private final OurClasses ours;
  private final JarSet built;
  private final Map<String, Set<String>> strings = new TreeMap<>();
  private final Map<String, Set<String>> holders;

  /**
   * Looks up who holds which key in the jars that ours were compiled against, which takes seconds.
   */
  NamedThings(OurClasses ours, JarSet built) {
    this.ours = ours;
    this.built = built;
    for (String name : ours.files().keySet()) {
      strings.put(name, new HashSet<>(JarSet.strings(ours.bytes(name))));
    }
    Set<String> keys =
        strings.values().stream()
            .flatMap(Set::stream)
            .filter(text -> KEY.matcher(text).matches())
            .collect(Collectors.toSet());
    holders = built.holders(OTHERS, keys);
  }

  /** Those that other jars do not have; {@code covered} as in {@link LinkCheck#gaps}. */
  SortedSet<Gap> gaps(JarSet other, Predicate<String> covered) {
    SortedSet<Gap> gaps = new TreeSet<>();
    for (String name : ours.files().keySet()) {
      Stream.of(keys(name, other, covered), classes(name, other, covered), members(name, other))
          .flatMap(found -> found)
          .forEach(what -> gaps.add(new Gap(what, Names.file(name))));
    }
    return gaps;
  }

  /** A key must be in one of the classes that held it. */
  private Stream<String> keys(String name, JarSet other, Predicate<String> covered) {
    return strings.get(name).stream()
        .filter(holders::containsKey)
        .filter(key -> holders.get(key).stream().anyMatch(covered))
        .filter(key -> holders.get(key).stream().noneMatch(at -> other.strings(at).contains(key)))
        .map(key -> "the key " + key + " is not in " + brief(holders.get(key)));
  }

  private static String brief(Set<String> classes) {
    return classes.stream().map(Names::type).collect(Collectors.joining(" or "));
  }

  private Stream<String> classes(String name, JarSet other, Predicate<String> covered) {
    return strings.get(name).stream()
        .filter(text -> CLASS.matcher(text).matches())
        .filter(text -> built.holds(internal(text)) && covered.test(internal(text)))
        .filter(text -> !other.holds(internal(text)))
        .map(text -> text + " is missing");
  }

  private static String internal(String name) {
    return name.replace('.', '/');
  }

  private Stream<String> members(String name, JarSet other) {
    return Uses.of(ours.bytes(name)).stream()
        .filter(use -> use.kind() == Use.Kind.LITERAL && built.holds(use.owner()))
        .map(Use::owner)
        .distinct()
        .filter(other::holds)
        .flatMap(literal -> members(name, literal, other));
  }

  private Stream<String> members(String name, String literal, JarSet other) {
    List<Member> there = members(other.find(literal).orElseThrow());
    return members(built.find(literal).orElseThrow()).stream()
        .filter(member -> strings.get(name).contains(member.name()))
        .filter(member -> there.stream().noneMatch(found -> found.key().equals(member.key())))
        .map(member -> member + " is missing");
  }

  private static List<Member> members(ClassFile file) {
    return Stream.concat(file.fields().values().stream(), file.methods().values().stream())
        .collect(Collectors.toList());
  }
}
