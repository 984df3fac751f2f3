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
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/** HBase's Thrift server on a bed, and Python's clients of it. */
@InterfaceAudience.Private
final class ThriftServer {
  private static final String PORT = "hbase.regionserver.thrift.port";
  private static final long PATIENCE_MINUTES = 5;

  private final ServerProcess process;

  private ThriftServer(ServerProcess process) {
    this.process = process;
  }

  /** Starts one; it ends with the bed. */
  static ThriftServer start(Bed bed, List<Path> jars) throws IOException, InterruptedException {
    ServerProcess process = new ServerProcess(bed.directory().resolve(Role.THRIFT.name(0)));
    SiteFile.write(process.conf(), bed.keys());
    process.set(
        Map.of(
            "hbase.regionserver.thrift.ipaddress",
            Ports.LOOPBACK,
            PORT,
            Integer.toString(new Ports(System.nanoTime()).free()),
            "hbase.thrift.info.port",
            "-1"));
    List<Path> classPath = new ArrayList<>(bed.jars());
    classPath.addAll(jars);
    process.command(classPath, List.of());
    process.start();
    ThriftServer server = new ThriftServer(process);
    bed.await("a Thrift server", server::listens);
    return server;
  }

  private boolean listens() throws IOException {
    new Socket(Ports.LOOPBACK, Integer.parseInt(port())).close();
    return true;
  }

  String port() {
    return process.get(PORT);
  }

  /** Runs Python to its end; its exit code, -1 where there is none or it takes minutes. */
  static int python(String... words) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3"));
    command.addAll(List.of(words));
    try {
      Path out = Files.createTempFile("python", ".out");
      Process python =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      boolean ended = python.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
      python.destroyForcibly();
      System.out.print(Files.readString(out));
      Files.delete(out);
      return ended ? python.exitValue() : -1;
    } catch (IOException e) {
      return -1; // there is none
    }
  }
}
