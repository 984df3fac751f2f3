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

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** Our classes beside hbase-server of another line; all else is the test's. */
@InterfaceAudience.Private
public final class ServerOfLine extends URLClassLoader {
  private ServerOfLine(Line line) throws IOException {
    super(
        new URL[] {line.server().toUri().toURL(), Path.of("target/classes").toUri().toURL()},
        ServerOfLine.class.getClassLoader());
  }

  /** Loads one, where this JVM can run it. */
  public static ServerOfLine of(Line line) throws IOException {
    assumeTrue(
        Runtime.version().feature() >= 17 || !line.version().startsWith("3"),
        "HBase 3 itself needs Java 17");
    return new ServerOfLine(line);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null && findResource(name.replace('.', '/') + ".class") != null) {
        loaded = findClass(name);
      }
      return loaded == null ? super.loadClass(name, resolve) : loaded;
    }
  }
}
