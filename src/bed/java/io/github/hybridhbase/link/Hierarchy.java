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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.objectweb.asm.Opcodes;

/** Finds members as the JVM does (JVMS 5.4.3), over classes that are not loaded. */
@InterfaceAudience.Private
final class Hierarchy {
  private final Function<String, Optional<ClassFile>> classes;

  Hierarchy(Function<String, Optional<ClassFile>> classes) {
    this.classes = classes;
  }

  Optional<ClassFile> find(String name) {
    return classes.apply(name);
  }

  /** The class and its superclasses, then all interfaces; those that are missing are left out. */
  List<ClassFile> line(String name) {
    List<ClassFile> line = new ArrayList<>();
    Set<String> interfaces = new LinkedHashSet<>();
    for (String at = name; at != null; ) {
      Optional<ClassFile> found = find(at);
      found.ifPresent(line::add);
      found.ifPresent(file -> file.interfaces().forEach(each -> collect(each, interfaces)));
      at = found.map(ClassFile::superName).orElse(null);
    }
    for (String each : interfaces) {
      find(each).filter(file -> !line.contains(file)).ifPresent(line::add);
    }
    return line;
  }

  private void collect(String name, Set<String> into) {
    if (into.add(name)) {
      find(name).ifPresent(file -> file.interfaces().forEach(each -> collect(each, into)));
    }
  }

  /** Names of supertypes, and theirs, that are missing. */
  Set<String> missing(String name) {
    Set<String> missing = new LinkedHashSet<>();
    if (find(name).isEmpty()) {
      missing.add(name);
    }
    for (ClassFile file : line(name)) {
      List<String> above = new ArrayList<>(file.interfaces());
      if (file.superName() != null) {
        above.add(file.superName());
      }
      above.stream().filter(each -> find(each).isEmpty()).forEach(missing::add);
    }
    return missing;
  }

  boolean isSubclass(String name, String of) {
    return line(name).stream().anyMatch(file -> file.name().equals(of));
  }

  Optional<Member> field(String owner, String key) {
    return line(owner).stream()
        .map(file -> file.fields().get(key))
        .filter(found -> found != null)
        .findFirst();
  }

  /** A superclass's method before any interface's, a default method before an abstract one. */
  Optional<Member> method(String owner, String key) {
    List<Member> found = methods(owner, key);
    Optional<Member> concrete =
        found.stream().filter(method -> !method.is(Opcodes.ACC_ABSTRACT)).findFirst();
    boolean ofClass = !found.isEmpty() && !find(found.get(0).owner()).orElseThrow().isInterface();
    return ofClass || concrete.isEmpty() ? found.stream().findFirst() : concrete;
  }

  /** Every declaration of it, from the class upwards. */
  List<Member> methods(String owner, String key) {
    return line(owner).stream()
        .map(file -> file.methods().get(key))
        .filter(found -> found != null)
        .collect(Collectors.toList());
  }

  /** What a concrete class would throw an AbstractMethodError for, by {@link Member#key()}. */
  Map<String, Member> unimplemented(String name) {
    Map<String, Member> unimplemented = new LinkedHashMap<>();
    for (ClassFile file : line(name)) {
      for (Member method : file.methods().values()) {
        if (method.is(Opcodes.ACC_ABSTRACT)
            && this.method(name, method.key()).orElseThrow().is(Opcodes.ACC_ABSTRACT)) {
          unimplemented.putIfAbsent(method.key(), method);
        }
      }
    }
    return unimplemented;
  }
}
