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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.link.ServerOfLine;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The plugin's writers are named under the keys that other lines of HBase read. Whether all of the
 * jar links there is LinkCheckTest's; the other lines' jars are put beside the build by the pom.
 */
class WriterKeysOfOtherLinesTest {
  /** HBase 2.5 reads other keys than the lines after it, and in FSHLogProvider a literal. */
  @ParameterizedTest
  @CsvSource({"2.5.13-hadoop3, hlog", "3.0.0, wal"})
  void theWritersAreNamedUnderTheKeysThatAreRead(String version, String name) throws Exception {
    for (String delegate : new String[] {"asyncfs", "filesystem"}) {
      boolean async = delegate.equals("asyncfs");
      try (ServerOfLine other = ServerOfLine.of(Line.of(version))) {
        Configuration conf = HBaseConfiguration.create();
        conf.setClassLoader(other);
        conf.set("hbase.hybrid.wal.delegate", delegate);
        conf.set("hbase.hybrid.wal.hsync", "auto");
        Class<?> choice = other.loadClass(WriterKind.class.getName());
        Object facts = facts(choice, conf);
        String key = "hbase.regionserver." + name + (async ? ".async" : "") + ".writer.impl";
        assertEquals(key, field(facts, "key"));
        assertEquals("", field(facts, "lacking"));
        assertEquals(async, field(facts, "fields"));
        Class<?> provider =
            other.loadClass((async ? AsyncFSWALProvider.class : FSHLogProvider.class).getName());
        assertTrue(named(other, provider).contains(key), "it reads that key");
        conf.set(key, "x.SecureProtobufLogWriter");
        assertEquals("x.SecureProtobufLogWriter", field(facts(choice, conf), "configured"));
      }
    }
  }

  /** Its writers open their output by another method, which the plugin's do not replace. */
  @ParameterizedTest
  @CsvSource({"asyncfs, async.writer.impl", "filesystem, writer.impl"})
  void noWriterIsInstalledThatWouldNotBeAskedAndThatIsSaid(String delegate, String key)
      throws Exception {
    try (ServerOfLine other = ServerOfLine.of(Line.of("3.0.0-alpha-4"))) {
      Configuration conf = HBaseConfiguration.create();
      conf.setClassLoader(other);
      conf.set("hbase.hybrid.wal.delegate", delegate);
      Class<?> choice = other.loadClass(WriterKind.class.getName());
      assertNull(chosen(choice, conf).get("hbase.regionserver.wal." + key));
      Object writers = writers(choice, conf);
      String shortfalls = writers.getClass().getMethod("shortfalls").invoke(writers).toString();
      assertTrue(shortfalls.contains("initOutput"), shortfalls);
    }
  }

  static List<Line> lines() throws IOException {
    return Line.all();
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
      Object stream =
          other.loadClass(HybridLogWriter.class.getName()).getConstructor().newInstance();
      assertEquals("ProtobufLogWriter", name.invoke(stream));
      Object async =
          other
              .loadClass(HybridAsyncWriter.class.getName())
              .getConstructors()[0]
              .newInstance(null, null);
      assertEquals("ProtobufLogWriter", name.invoke(async));
    }
  }

  private static Object facts(Class<?> choice, Configuration conf) throws Exception {
    return field(writers(choice, conf), "facts");
  }

  private static Object writers(Class<?> choice, Configuration conf) throws Exception {
    Object settings = settings(choice, conf);
    return choice
        .getMethod("support", Configuration.class, settings.getClass())
        .invoke(null, conf, settings);
  }

  /** What the delegate's configuration becomes. */
  private static Configuration chosen(Class<?> choice, Configuration conf) throws Exception {
    Class<?> delegate = choice.getClassLoader().loadClass(DelegateProvider.class.getName());
    Method of =
        Arrays.stream(delegate.getDeclaredMethods())
            .filter(method -> method.getName().equals("of"))
            .findFirst()
            .orElseThrow();
    of.setAccessible(true);
    return (Configuration) field(of.invoke(null, null, conf, settings(choice, conf), null), "copy");
  }

  private static Object settings(Class<?> choice, Configuration conf) throws Exception {
    return choice
        .getClassLoader()
        .loadClass(HybridSettings.class.getName())
        .getMethod("read", Configuration.class)
        .invoke(null, conf);
  }

  private static Object field(Object facts, String name) throws Exception {
    Field field = facts.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(facts);
  }

  /** The strings that a class names, as far as they can be read from its file. */
  private static String named(ServerOfLine other, Class<?> type) throws IOException {
    String file = type.getName().replace('.', '/') + ".class";
    try (InputStream bytes = other.findResource(file).openStream()) {
      return new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  /** As {@code createAsyncWriter} and {@code createWriter} of that version look the class up. */
  @ParameterizedTest
  @CsvSource({"2.5.13-hadoop3, hlog", "3.0.0, wal"})
  void theDelegateFindsThePluginsWriters(String version, String name) throws Exception {
    try (ServerOfLine other = ServerOfLine.of(Line.of(version))) {
      Configuration conf = HBaseConfiguration.create();
      conf.setClassLoader(other);
      Class<?> choice = other.loadClass(WriterKind.class.getName());
      Configuration copy = chosen(choice, conf);
      String prefix = "hbase.regionserver." + name;
      assertEquals(
          HybridAsyncWriter.class.getName(),
          copy.getClass(
                  prefix + ".async.writer.impl",
                  null,
                  other.loadClass(AsyncFSWALProvider.AsyncWriter.class.getName()))
              .getName());
      assertEquals(
          HybridLogWriter.class.getName(),
          copy.getClass(
                  prefix + ".writer.impl",
                  null,
                  other.loadClass(FSHLogProvider.Writer.class.getName()))
              .getName());
    }
  }
}
