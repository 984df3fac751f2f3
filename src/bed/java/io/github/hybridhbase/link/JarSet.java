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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.yetus.audience.InterfaceAudience;
import org.objectweb.asm.ClassReader;

/**
 * The classes of some jars and of the JDK this runs on. Nothing is loaded, only read. For one
 * thread.
 */
@InterfaceAudience.Private
final class JarSet implements AutoCloseable {
  private static final int STRING = 8; // the tag of a String in a constant pool
  private static final String SUFFIX = ".class";

  private final List<JarFile> jars = new ArrayList<>();
  private final Map<String, JarFile> places = new HashMap<>();
  private final Map<String, Optional<ClassFile>> read = new HashMap<>();

  /** Opens them; of two classes of one name the first is taken, as a class path does. */
  JarSet(List<Path> paths) throws IOException {
    for (Path path : paths) {
      JarFile jar = new JarFile(path.toFile());
      jars.add(jar);
      for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
        String name = entries.nextElement().getName();
        if (name.endsWith(SUFFIX) && !name.startsWith("META-INF/")) {
          places.putIfAbsent(name.substring(0, name.length() - SUFFIX.length()), jar);
        }
      }
    }
  }

  /** Whether the class is in one of the jars, the JDK's not counted. */
  boolean holds(String name) {
    return places.containsKey(name);
  }

  /** The class of that internal name. */
  Optional<ClassFile> find(String name) {
    return read.computeIfAbsent(name, wanted -> bytes(wanted).map(ClassFile::read));
  }

  private Optional<byte[]> bytes(String name) {
    try {
      JarFile jar = places.get(name);
      try (InputStream in =
          jar == null
              ? ClassLoader.getPlatformClassLoader().getResourceAsStream(name + SUFFIX)
              : jar.getInputStream(jar.getEntry(name + SUFFIX))) {
        return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  /** Which classes under a package hold which of these strings as constants. */
  Map<String, Set<String>> holders(String under, Set<String> strings) {
    Map<String, Set<String>> holders = new HashMap<>();
    for (String name : places.keySet()) {
      if (name.startsWith(under)) {
        for (String constant : strings(bytes(name).orElseThrow())) {
          if (strings.contains(constant)) {
            holders.computeIfAbsent(constant, key -> new TreeSet<>()).add(name);
          }
        }
      }
    }
    return holders;
  }

  /** The string constants of a class of the jars; none where it is missing. */
  List<String> strings(String name) {
    return holds(name) ? strings(bytes(name).orElseThrow()) : List.of();
  }

  /** The string constants of a class file. */
  static List<String> strings(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    char[] buffer = new char[reader.getMaxStringLength()];
    List<String> strings = new ArrayList<>();
    for (int item = 1; item < reader.getItemCount(); item++) {
      int offset = reader.getItem(item);
      if (offset > 0 && bytes[offset - 1] == STRING) {
        strings.add(reader.readUTF8(offset, buffer));
      }
    }
    return strings;
  }

  @Override
  public void close() throws IOException {
    for (JarFile jar : jars) {
      jar.close();
    }
  }
}
