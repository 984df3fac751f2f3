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
package io.github.hybridhbase.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.mockito.Mockito.mock;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code hbase.hybrid.mode=off}, or observe, is the way out where a class of the plugin does not
 * load.
 */
@InterfaceAudience.Private
class ModeOffLoadsNoWriterTest {
  /** Loads the plugin's classes itself and notes which. */
  @InterfaceAudience.Private
  private static final class Noting extends URLClassLoader {
    private final Set<String> names = new TreeSet<>();

    Noting() throws IOException {
      super(
          new URL[] {Path.of("target/classes").toUri().toURL()},
          ModeOffLoadsNoWriterTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.github.hybridhbase.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        names.add(name);
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"off,asyncfs", "off,filesystem"})
  void noWriterOfThePluginIsLoaded(String mode, String delegate) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("hbase.hybrid.mode", mode);
    conf.set("hbase.hybrid.wal.delegate", delegate);
    try (Noting loader = new Noting()) {
      WALProvider provider =
          (WALProvider)
              loader
                  .loadClass(HybridWALProvider.class.getName())
                  .getDeclaredConstructor()
                  .newInstance();
      WALFactory factory = mock(WALFactory.class);
      Abortable nobody = null;
      provider.init(factory, conf, "x", nobody);
      assertFalse(loader.names.isEmpty());
      loader.names.removeIf(name -> !name.matches(".*\\.(Hybrid|Fallback)(Async|Log)Writer"));
      assertEquals(Set.of(), loader.names);
    }
  }
}
