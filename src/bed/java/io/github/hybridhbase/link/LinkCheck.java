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

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;
import org.objectweb.asm.Opcodes;

/**
 * What the plugin's classes find on a class path, of which classes are read and not loaded: facts
 * of each type and member that one uses, overrides or names in a string. A fact that differs on two
 * class paths is a gap.
 */
@InterfaceAudience.Private
final class LinkCheck {
  private static final Pattern KEY =
      Pattern.compile("(?!hbase\\.hybrid\\.)(hbase|dfs|ipc|fs|hadoop|zookeeper)(\\.[\\w-]+)+");
  private static final Pattern CLASS = Pattern.compile("org\\.apache\\.hadoop(\\.[\\w$]+)+");

  private final URLClassLoader files;
  private final Map<String, Optional<ClassFile>> read = new HashMap<>();

  LinkCheck(List<Path> paths) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path path : paths) {
      urls.add(path.toUri().toURL());
    }
    files = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  Optional<ClassFile> find(String name) {
    return read.computeIfAbsent(
        name,
        key -> {
          try (InputStream in = files.getResourceAsStream(name + ".class")) {
            return in == null
                ? Optional.empty()
                : Optional.of(new ClassFile(in.readAllBytes()).declared());
          } catch (IOException e) {
            throw new UncheckedIOException(name, e);
          }
        });
  }

  /** The class, its superclasses upwards, then interfaces. */
  private List<ClassFile> line(String name) {
    List<ClassFile> line = new ArrayList<>();
    List<String> interfaces = new ArrayList<>();
    for (var at = find(name); at.isPresent(); at = find(at.get().reader.getSuperName() + "")) {
      line.add(at.get());
      interfaces.addAll(List.of(at.get().reader.getInterfaces()));
    }
    for (int i = 0; i < interfaces.size(); i++) {
      Optional<ClassFile> each = find(interfaces.get(i));
      if (each.isPresent() && !line.contains(each.get())) {
        line.add(each.get());
        interfaces.addAll(List.of(each.get().reader.getInterfaces()));
      }
    }
    find("java/lang/Object").filter(each -> !line.contains(each)).ifPresent(line::add);
    return line;
  }

  private static ClassFile declaring(List<ClassFile> line, String member) {
    ClassFile found = null;
    for (ClassFile each : line) {
      if (each.members.containsKey(member)
          && (found == null
              || found.is(Opcodes.ACC_INTERFACE)
                  && found.is(member, Opcodes.ACC_ABSTRACT)
                  && !each.is(member, Opcodes.ACC_ABSTRACT))) {
        found = each;
      }
    }
    return found;
  }

  /** Methods for which an object of the class would throw an AbstractMethodError. */
  private String unimplemented(String name) {
    List<ClassFile> line = line(name);
    Set<String> found = new TreeSet<>();
    for (ClassFile each : line) {
      each.members.keySet().stream()
          .filter(member -> declaring(line, member).is(member, Opcodes.ACC_ABSTRACT))
          .forEach(found::add);
    }
    return found.toString();
  }

  private static String nature(ClassFile owner, String member, int flags) {
    return (owner.is(member, flags & Opcodes.ACC_STATIC) ? "static " : "")
        + (owner.is(member, flags & Opcodes.ACC_ABSTRACT) ? "abstract " : "")
        + (owner.is(member, flags & Opcodes.ACC_FINAL) ? "final " : "")
        + owner.signatures.get(member).replace("+", ""); // '? extends T' is read as T is
  }

  /** What each fact is about, and the fact; a type or member that is missing has none. */
  SortedMap<String, String> facts(String name, Map<String, Set<String>> holders) {
    ClassFile ours = find(name).orElseThrow();
    SortedMap<String, String> facts = new TreeMap<>();
    Set<String> strings = ours.strings;
    Set<String> types = new TreeSet<>(ours.types);
    strings.stream()
        .filter(text -> CLASS.matcher(text).matches())
        .forEach(text -> types.add(text.replace('.', '/')));
    for (String type : types) {
      find(type).ifPresent(it -> facts.put(type, it.is(Opcodes.ACC_PUBLIC) ? "" : "not public"));
    }
    List<ClassFile> line = line(name);
    String above = ours.reader.getSuperName();
    for (String use : ours.uses) {
      String owner = use.replaceAll("\\..*", "");
      String member = use.substring(owner.length() + 1);
      ClassFile found = declaring(line(owner), member);
      if (found != null) {
        boolean ofSuper = owner.equals(above) && member.matches("[^<].*\\(.*");
        int flags = Opcodes.ACC_STATIC | (ofSuper ? Opcodes.ACC_ABSTRACT : 0);
        boolean seen = found.is(member, Opcodes.ACC_PUBLIC) || line.contains(found);
        boolean ofInterface = find(owner).orElseThrow().is(Opcodes.ACC_INTERFACE);
        facts.put(
            (ofSuper ? "super " : "") + use,
            (seen ? "" : "not accessible ")
                + nature(found, member, flags)
                + (ofInterface ? " in an interface" : ""));
      }
    }
    ours.lambdas.forEach(type -> facts.put("lambda " + type, unimplemented(type)));
    for (String type : ours.types) { // members that are named by strings
      find(type).map(named -> named.members.keySet()).orElse(Set.of()).stream()
          .filter(member -> strings.contains(member.replaceAll("[:(].*", "")))
          .forEach(member -> facts.put("named " + type + "." + member, ""));
    }
    if (!ours.is(Opcodes.ACC_ABSTRACT)) {
      facts.put("abstract and not implemented", unimplemented(name));
    }
    find(above)
        .ifPresent(it -> facts.put("extends " + above, it.is(Opcodes.ACC_FINAL) ? "final" : ""));
    for (String own : ours.members.keySet()) {
      ClassFile overridden = declaring(line.subList(1, line.size()), own);
      if (overridden != null
          && !overridden.is(own, Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)
          && own.matches("[^<].*\\(.*")) {
        facts.put("overrides " + own, nature(overridden, own, Opcodes.ACC_FINAL));
      }
    }
    for (String text : strings) {
      if (KEY.matcher(text).matches()
          && holders.getOrDefault(text, Set.of()).stream()
              .flatMap(each -> find(each).stream())
              .anyMatch(each -> each.strings.contains(text))) {
        facts.put("key " + text, "");
      }
    }
    return facts;
  }
}
