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

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;
import org.objectweb.asm.Opcodes;

/**
 * What the plugin's classes find on a class path: facts of each type and member that one uses,
 * overrides or names in a string. A fact that differs on two class paths is a gap.
 */
@InterfaceAudience.Private
final class LinkCheck {
  private static final Pattern KEY =
      Pattern.compile("(?!hbase\\.hybrid\\.)(hbase|dfs|ipc|fs|hadoop|zookeeper)(\\.[\\w-]+)+");
  private static final Pattern CLASS = Pattern.compile("org\\.apache\\.hadoop(\\.[\\w$]+)+");

  private final ClassFile ours;
  private final ClassPath path;
  private final SortedMap<String, String> facts = new TreeMap<>();

  private LinkCheck(ClassFile ours, ClassPath path) {
    this.ours = ours;
    this.path = path;
  }

  /** What one of the plugin's classes takes for granted and another class path does not have. */
  static SortedSet<String> gaps(
      String ours, ClassPath built, ClassPath other, Map<String, Set<String>> holders) {
    SortedMap<String, String> expected = facts(ours, built, holders);
    SortedMap<String, String> found = facts(ours, other, holders);
    String file = " (" + ours.replaceAll(".*/|\\$.*", "") + ")";
    SortedSet<String> gaps = new TreeSet<>();
    expected.forEach(
        (what, fact) -> {
          String there = found.getOrDefault(what, "missing");
          String type = what.replaceAll("^\\w+ |\\..*", "");
          boolean typeIsMissing = expected.containsKey(type) && !found.containsKey(type);
          if (!there.equals(fact) && (what.equals(type) || !typeIsMissing)) {
            gaps.add(
                "- "
                    + what
                    + ": "
                    + (there.isEmpty() ? "of an object of a class" : there.strip())
                    + file);
          }
        });
    return gaps;
  }

  private static SortedMap<String, String> facts(
      String ours, ClassPath path, Map<String, Set<String>> holders) {
    ClassFile file = path.find(ours);
    LinkCheck check = new LinkCheck(file, path);
    file.types.forEach(check::type);
    file.uses.forEach(use -> check.use("", use, 0));
    file.superCalls.forEach(use -> check.use("super ", use, Opcodes.ACC_ABSTRACT));
    file.lambdas.forEach(type -> check.fact("lambda " + type, path.unimplemented(type).toString()));
    check.parents();
    check.strings(holders);
    return check.facts;
  }

  private void fact(String what, String found) {
    facts.put(what, found);
  }

  private void type(String name) {
    ClassFile found = path.find(name);
    if (found != null) {
      fact(name, found.is(Opcodes.ACC_PUBLIC) ? "" : "not public");
    }
  }

  private void use(String kind, String use, int flags) {
    String owner = use.replaceAll("\\..*", "");
    String member = use.substring(owner.length() + 1);
    ClassFile found = ClassPath.declaring(path.line(owner), member);
    if (found != null) {
      boolean seen = found.is(member, Opcodes.ACC_PUBLIC) || path.line(ours.name).contains(found);
      String where = path.find(owner).is(Opcodes.ACC_INTERFACE) ? " in an interface" : "";
      String nature = nature(found, member, flags | Opcodes.ACC_STATIC);
      fact(kind + use, (seen ? "" : "not accessible ") + nature + where);
    }
  }

  private static String nature(ClassFile owner, String member, int flags) {
    StringBuilder text = new StringBuilder();
    if (owner.is(member, flags & Opcodes.ACC_STATIC)) {
      text.append("static ");
    }
    if (owner.is(member, flags & Opcodes.ACC_ABSTRACT)) {
      text.append("abstract ");
    }
    if (owner.is(member, flags & Opcodes.ACC_FINAL)) {
      text.append("final ");
    }
    // '? extends T' is read as T is.
    return text + owner.signatures.get(member).replace("+", "");
  }

  private void parents() {
    var line = path.line(ours.name);
    if (!ours.is(Opcodes.ACC_ABSTRACT)) {
      fact("abstract and not implemented", path.unimplemented(ours.name).toString());
    }
    ClassFile above = path.find(ours.parents.get(0));
    if (above != null) {
      fact("extends " + above.name, above.is(Opcodes.ACC_FINAL) ? "final" : "");
    }
    for (String own : ours.members.keySet()) {
      ClassFile overridden = ClassPath.declaring(line.subList(1, line.size()), own);
      boolean inherited =
          overridden != null && !overridden.is(own, Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC);
      if (inherited && own.contains("(") && !own.startsWith("<")) {
        fact("overrides " + own, nature(overridden, own, Opcodes.ACC_FINAL));
      }
    }
  }

  /** Keys, classes, and members of the classes beside whose literals their names stand. */
  private void strings(Map<String, Set<String>> holders) {
    Set<String> strings = ours.strings();
    for (String text : strings) {
      if (CLASS.matcher(text).matches()) {
        type(text.replace('.', '/'));
      }
      if (KEY.matcher(text).matches()
          && holders.getOrDefault(text, Set.of()).stream()
              .anyMatch(
                  each -> path.find(each) != null && path.find(each).strings().contains(text))) {
        fact("key " + text, "");
      }
    }
    for (String literal : ours.literals) {
      ClassFile named = path.find(literal);
      if (named != null) {
        for (String member : named.members.keySet()) {
          if (strings.contains(member.replaceAll("[:(].*", ""))) {
            fact("named " + literal + "." + member, "");
          }
        }
      }
    }
  }
}
