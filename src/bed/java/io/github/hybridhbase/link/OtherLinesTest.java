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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.tier.CommitForm;
import io.github.hybridhbase.tier.HybridStoreEngine;
import io.github.hybridhbase.wal.HybridAsyncWriter;
import io.github.hybridhbase.wal.HybridLogWriter;
import io.github.hybridhbase.wal.HybridWALProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.wal.AbstractProtobufLogWriter;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the plugin's classes do beside the hbase-server of another line. */
class OtherLinesTest {
  /** Our classes beside that hbase-server; all else is the test's. */
  private static URLClassLoader beside(Line line) throws IOException {
    assumeFalse(Runtime.version().feature() < 17 && line.version().startsWith("3"), "needs 17");
    URL[] first = {line.server().toUri().toURL(), Path.of("target/classes").toUri().toURL()};
    return new URLClassLoader(first, OtherLinesTest.class.getClassLoader()) {
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
    };
  }

  private static Object invoke(Class<?> of, String name, Object... arguments) throws Exception {
    Method method =
        Stream.of(of.getDeclaredMethods())
            .filter(it -> it.getName().equals(name) && it.getParameterCount() == arguments.length)
            .findFirst()
            .orElseThrow();
    method.setAccessible(true);
    return method.invoke(null, arguments);
  }

  /** HBase 2.5 reads other keys than the lines after it, and in FSHLogProvider a literal. */
  @ParameterizedTest
  @MethodSource("io.github.hybridhbase.testing.Line#all")
  void thePluginsWritersAreNamedUnderTheKeysThatAreRead(Line line) throws Exception {
    try (URLClassLoader other = beside(line)) {
      Class<?> asyncWriter = other.loadClass(HybridAsyncWriter.class.getName());
      assertEquals(true, invoke(asyncWriter, "isKnown"), "fields");
      Class<?> delegate =
          other.loadClass(HybridWALProvider.class.getPackageName() + ".DelegateProvider");
      for (boolean async : new boolean[] {true, false}) {
        String name = line.version().startsWith("2.5") ? "hlog" : "wal";
        String key = "hbase.regionserver." + name + (async ? ".async" : "") + ".writer.impl";
        Class<?> provider = async ? AsyncFSWALProvider.class : FSHLogProvider.class;
        String file = provider.getName().replace('.', '/') + ".class";
        try (InputStream bytes = other.findResource(file).openStream()) {
          String text = new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
          assertTrue(text.contains(key), "it reads that key");
        }
        Configuration conf = HBaseConfiguration.create();
        conf.setClassLoader(other);
        Class<?> writer = async ? HybridAsyncWriter.class : HybridLogWriter.class;
        Configuration copy = (Configuration) invoke(delegate, "copy", conf);
        assertEquals(writer.getName(), copy.get(key));
        conf.set(key, "x.SecureProtobufLogWriter");
        copy = (Configuration) invoke(delegate, "copy", conf);
        assertEquals("x.SecureProtobufLogWriter", copy.get(key));
      }
    }
  }

  /** Or no WAL of theirs is ever split or replayed. */
  @ParameterizedTest
  @MethodSource("io.github.hybridhbase.testing.Line#all")
  void aHeaderNamesAWriterThatReadersKnow(Line line) throws Exception {
    try (URLClassLoader other = beside(line)) {
      Method name =
          other
              .loadClass(AbstractProtobufLogWriter.class.getName())
              .getDeclaredMethod("getWriterClassName");
      name.setAccessible(true);
      for (Class<?> writer : List.of(HybridLogWriter.class, HybridAsyncWriter.class)) {
        Constructor<?> made = other.loadClass(writer.getName()).getConstructors()[0];
        Object written = name.invoke(made.newInstance(new Object[made.getParameterCount()]));
        assertEquals("ProtobufLogWriter", written);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.github.hybridhbase.testing.Line#all")
  void storeFilesAreCommittedByTheStoreEngineInEveryForm(Line line) throws Exception {
    assumeFalse(
        line.version().startsWith("3"), "the engine does not load beside other jars of 2.6");
    try (URLClassLoader other = beside(line)) {
      assertEquals(true, invoke(other.loadClass(CommitForm.class.getName()), "isKnown"));
      Class<?> ours = other.loadClass(HybridStoreEngine.class.getName());
      for (Method form : other.loadClass(StoreEngine.class.getName()).getDeclaredMethods()) {
        if (form.getName().equals("commitStoreFiles")) {
          Method own = ours.getMethod(form.getName(), form.getParameterTypes());
          assertEquals(ours, own.getDeclaringClass(), form.toString());
        }
      }
    }
  }
}
