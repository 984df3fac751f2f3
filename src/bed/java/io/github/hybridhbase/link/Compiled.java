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
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.yetus.audience.InterfaceAudience;

/** A few classes from their sources, as a directory and as a jar. */
@InterfaceAudience.Private
final class Compiled {
  private static final Pattern NAME = Pattern.compile("(?:class|interface) (\\w+)");

  private final Path directory;

  /**
   * Compiles.
   *
   * @param directory an empty one for the class files
   * @param against what else is on the class path
   * @param sources one top-level class each, all of one package
   */
  Compiled(Path directory, String packageName, List<Path> against, String... sources) {
    this.directory = directory;
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<JavaFileObject> units = new ArrayList<>();
    for (String source : sources) {
      units.add(source(packageName, source));
    }
    String classPath = against.stream().map(Path::toString).collect(Collectors.joining(":"));
    List<String> options =
        List.of("-proc:none", "-nowarn", "-d", directory.toString(), "-cp", classPath);
    if (!compiler.getTask(null, null, null, options, null, units).call()) {
      throw new IllegalArgumentException("does not compile: " + List.of(sources));
    }
  }

  private static JavaFileObject source(String packageName, String source) {
    Matcher name = NAME.matcher(source);
    if (!name.find()) {
      throw new IllegalArgumentException(source);
    }
    URI uri = URI.create("string:///" + name.group(1) + ".java");
    return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return "package " + packageName + "; " + source;
      }
    };
  }

  Path directory() {
    return directory;
  }

  /** Writes them beside their directory. */
  Path jar() throws IOException {
    Path jar = directory.resolveSibling(directory.getFileName() + ".jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
        entries.putNextEntry(new JarEntry(directory.relativize(file).toString()));
        Files.copy(file, entries);
        entries.closeEntry();
      }
    }
    return jar;
  }
}
