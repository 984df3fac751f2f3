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
package io.github.hybridhbase.bed;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** A directory of site files, as a server or a tool reads it. */
@InterfaceAudience.Private
public final class SiteFile {
  private static final String[] NAMES = {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"};
  private static final String LOG =
      "log4j.rootLogger=INFO,out\n"
          + "log4j.appender.out=org.apache.log4j.ConsoleAppender\n"
          + "log4j.appender.out.layout=org.apache.log4j.PatternLayout\n"
          + "log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %-5p [%t] %c{2}: %m%n\n"
          // One line for each look at /jmx, and for each block report.
          + "log4j.logger.requests.namenode=WARN\n"
          + "log4j.logger.org.apache.hadoop.hdfs.server.datanode=WARN\n";

  /** A logger of the servers whose TRACE is wanted. */
  private static final String TRACED = System.getProperty("bed.trace", "");

  private SiteFile() {}

  /** The keys of a file, as they are written there. */
  public static Map<String, String> read(Path file) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    Map<String, String> keys = new LinkedHashMap<>();
    for (Map.Entry<String, String> entry : conf) {
      keys.put(entry.getKey(), conf.getRaw(entry.getKey()));
    }
    return keys;
  }

  /** Writes all keys into every site file of a directory, which is made, and says how to log. */
  static void write(Path directory, Map<String, String> keys) throws IOException {
    Configuration conf = new Configuration(false);
    keys.forEach(conf::set);
    Files.createDirectories(directory);
    for (String name : NAMES) {
      try (OutputStream out = Files.newOutputStream(directory.resolve(name))) {
        conf.writeXml(out);
      }
    }
    String trace = TRACED.isEmpty() ? "" : "log4j.logger." + TRACED + "=TRACE\n";
    Files.writeString(directory.resolve("log4j.properties"), LOG + trace);
  }
}
