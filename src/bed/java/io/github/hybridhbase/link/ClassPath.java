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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.yetus.audience.InterfaceAudience;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/** Classes of jars and the JDK, read and not loaded, and members found in them as the JVM does. */
@InterfaceAudience.Private
final class ClassPath implements AutoCloseable {
  private final List<Path> paths;
  private final URLClassLoader files;
  private final Map<String, ClassFile> read = new HashMap<>();
  private final Map<String, List<ClassFile>> lines = new HashMap<>();

  ClassPath(List<Path> paths) throws IOException {
    this.paths = paths;
    List<URL> urls = new ArrayList<>();
    for (Path path : paths) {
      urls.add(path.toUri().toURL());
    }
    files = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  /** Null where there is none. */
  ClassFile find(String name) {
    if (!read.containsKey(name)) {
      try (InputStream in = files.getResourceAsStream(name + ".class")) {
        read.put(name, in == null ? null : new ClassFile(in.readAllBytes()));
      } catch (IOException e) {
        throw new UncheckedIOException(name, e);
      }
    }
    return read.get(name);
  }

  /** Superclasses from the class upwards, then interfaces. */
  List<ClassFile> line(String name) {
    if (!lines.containsKey(name)) {
      lines.put(name, readLine(name));
    }
    return lines.get(name);
  }

  private List<ClassFile> readLine(String name) {
    List<ClassFile> line = new ArrayList<>();
    List<String> interfaces = new ArrayList<>();
    for (ClassFile at = find(name); at != null; ) {
      line.add(at);
      interfaces.addAll(at.parents.subList(Math.min(1, at.parents.size()), at.parents.size()));
      at = at.parents.isEmpty() ? null : find(at.parents.get(0));
    }
    for (int i = 0; i < interfaces.size(); i++) {
      ClassFile each = find(interfaces.get(i));
      if (each != null && !line.contains(each)) {
        line.add(each);
        interfaces.addAll(each.parents);
      }
    }
    return line;
  }

  /** Who declares a member that is asked of these; null if none does. */
  static ClassFile declaring(List<ClassFile> line, String member) {
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

  /** Methods that an object of the class would throw an AbstractMethodError for. */
  Set<String> unimplemented(String name) {
    List<ClassFile> line = line(name);
    Set<String> found = new TreeSet<>();
    for (ClassFile each : line) {
      for (String member : each.members.keySet()) {
        if (declaring(line, member).is(member, Opcodes.ACC_ABSTRACT)) {
          found.add(member);
        }
      }
    }
    return found;
  }

  /** Which of these strings are constants of HBase's and Hadoop's classes in jars, and of which. */
  Map<String, Set<String>> holders(Set<String> strings) throws IOException {
    Map<String, Set<String>> holders = new TreeMap<>();
    for (Path path : paths) {
      if (Files.isRegularFile(path)) {
        try (JarFile jar = new JarFile(path.toFile())) {
          for (var entries = jar.entries(); entries.hasMoreElements(); ) {
            JarEntry entry = entries.nextElement();
            String name = entry.getName().replace(".class", "");
            if (name.startsWith("org/apache/hadoop/") && entry.getName().endsWith(".class")) {
              Set<String> held = ClassFile.strings(new ClassReader(jar.getInputStream(entry)));
              held.retainAll(strings);
              held.forEach(each -> holders.computeIfAbsent(each, key -> new TreeSet<>()).add(name));
            }
          }
        }
      }
    }
    return holders;
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
