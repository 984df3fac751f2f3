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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/** The class files whose references are checked. Immutable. */
@InterfaceAudience.Private
final class OurClasses {
  private final Map<String, byte[]> bytes = new TreeMap<>();
  private final Map<String, ClassFile> files = new TreeMap<>();

  private OurClasses(Stream<byte[]> all) {
    all.forEach(
        each -> {
          ClassFile file = ClassFile.read(each);
          bytes.put(file.name(), each);
          files.put(file.name(), file);
        });
  }

  /** All class files below a directory. */
  static OurClasses below(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return new OurClasses(
          paths
              .filter(path -> path.toString().endsWith(".class"))
              .map(OurClasses::read)
              .collect(Collectors.toList())
              .stream());
    }
  }

  private static byte[] read(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By internal name. */
  Map<String, ClassFile> files() {
    return files;
  }

  byte[] bytes(String name) {
    return bytes.get(name);
  }

  /** These beside those of some jars. */
  Hierarchy beside(JarSet jars) {
    return new Hierarchy(
        name -> {
          ClassFile ours = files.get(name);
          return ours == null ? jars.find(name) : Optional.of(ours);
        });
  }
}
