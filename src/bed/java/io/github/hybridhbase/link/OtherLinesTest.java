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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the plugin's classes do beside the hbase-server of another line. */
class OtherLinesTest {
  static List<Line> lines() throws IOException {
    return Line.all();
  }

  private static Object known(ServerOfLine other, Class<?> ability) throws Exception {
    return other.loadClass(ability.getName()).getMethod("isKnown").invoke(null);
  }

  /**
   * @param of a class, for a static method, or an object
   */
  private static Object invoke(Object of, String name, Object... arguments) throws Exception {
    Class<?> type = of instanceof Class ? (Class<?>) of : of.getClass();
    Method method =
        Stream.of(type.getDeclaredMethods())
            .filter(
                each -> each.getName().equals(name) && each.getParameterCount() == arguments.length)
            .findFirst()
            .orElseThrow();
    method.setAccessible(true);
    return method.invoke(of, arguments);
  }

  /** HBase 2.5 reads other keys than the lines after it, and in FSHLogProvider a literal. */
  @ParameterizedTest
  @MethodSource("lines")
  void thePluginsWritersAreNamedUnderTheKeysThatAreRead(Line line) throws Exception {
    try (ServerOfLine other = ServerOfLine.of(line)) {
      for (boolean async : new boolean[] {true, false}) {
        Configuration conf = HBaseConfiguration.create();
        conf.setClassLoader(other);
        String name = line.version().startsWith("2.5") ? "hlog" : "wal";
        String key = "hbase.regionserver." + name + (async ? ".async" : "") + ".writer.impl";
        assertEquals(
            true, invoke(other.loadClass(HybridAsyncWriter.class.getName()), "isKnown"), "fields");
        Class<?> provider = async ? AsyncFSWALProvider.class : FSHLogProvider.class;
        String file = provider.getName().replace('.', '/') + ".class";
        try (InputStream bytes = other.findResource(file).openStream()) {
          String text = new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
          assertTrue(text.contains(key), "it reads that key");
        }
        Class<?> delegate =
            other.loadClass(HybridWALProvider.class.getPackageName() + ".DelegateProvider");
        Configuration copy = (Configuration) invoke(delegate, "copy", conf);
        Class<?> writer = async ? HybridAsyncWriter.class : HybridLogWriter.class;
        assertEquals(writer.getName(), copy.getClass(key, null).getName());
        for (String overridden : List.of("initOutput", "writeMagicAndWALHeader")) {
          Method ours =
              Stream.of(other.loadClass(writer.getName()).getDeclaredMethods())
                  .filter(each -> each.getName().equals(overridden))
                  .findFirst()
                  .orElseThrow();
          Class<?> stock = ours.getDeclaringClass().getSuperclass();
          assertEquals(
              overridden, stock.getDeclaredMethod(overridden, ours.getParameterTypes()).getName());
        }
        conf.set(key, "x.SecureProtobufLogWriter");
        copy = (Configuration) invoke(delegate, "copy", conf);
        assertEquals("x.SecureProtobufLogWriter", copy.get(key));
      }
    }
  }

  /** Or no WAL of theirs is ever split or replayed. */
  @ParameterizedTest
  @MethodSource("lines")
  void aHeaderNamesAWriterThatReadersKnow(Line line) throws Exception {
    try (ServerOfLine other = ServerOfLine.of(line)) {
      Method name =
          other
              .loadClass("org.apache.hadoop.hbase.regionserver.wal.AbstractProtobufLogWriter")
              .getDeclaredMethod("getWriterClassName");
      name.setAccessible(true);
      for (Class<?> writer : List.of(HybridLogWriter.class, HybridAsyncWriter.class)) {
        Constructor<?> made = other.loadClass(writer.getName()).getConstructors()[0];
        assertEquals(
            "ProtobufLogWriter",
            name.invoke(made.newInstance(new Object[made.getParameterCount()])));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("lines")
  void storeFilesAreCommittedByTheStoreEngineInEveryForm(Line line) throws Exception {
    try (ServerOfLine other = ServerOfLine.of(line)) {
      if (line.version().startsWith("3")) {
        return; // the engine does not load beside other jars of 2.6
      }
      assertEquals(true, known(other, CommitForm.class));
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
