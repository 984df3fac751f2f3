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
package io.github.hybridhbase.measure;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.hybridhbase.bed.Jmx;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/** What a NameNode on loopback has counted, read from its {@code /jmx}. */
@InterfaceAudience.Private
public final class NameNodeCounters {
  private final int port;
  private final int webPort;

  /**
   * @param port of RPC, which is in the names of beans
   */
  public NameNodeCounters(int port, int webPort) {
    this.port = port;
    this.webPort = webPort;
  }

  private JsonNode bean(String name) throws IOException {
    return Jmx.read("http://127.0.0.1:" + webPort, name);
  }

  /** Mean time of a call in the queue, milliseconds, of the last ten seconds or so. */
  public double queueMillis() throws IOException {
    return bean("Hadoop:service=NameNode,name=RpcActivityForPort" + port)
        .path("RpcQueueTimeAvgTime")
        .asDouble();
  }

  /** Calls so far by name, without those that failed. */
  public Map<String, Long> calls() throws IOException {
    JsonNode all = bean("Hadoop:service=NameNode,name=RpcDetailedActivityForPort" + port);
    Map<String, Long> calls = new TreeMap<>();
    all.fields()
        .forEachRemaining(
            field -> {
              String call = field.getKey().replace("NumOps", "");
              boolean counted = field.getKey().endsWith("NumOps") && !call.endsWith("Exception");
              if (counted && !call.startsWith("Overall")) { // the same, with the time in queues
                calls.put(call, field.getValue().asLong());
              }
            });
    return calls;
  }

  /** Of the process, since its start. */
  public long processorMillis() throws IOException {
    return bean("java.lang:type=OperatingSystem").path("ProcessCpuTime").asLong() / 1_000_000;
  }
}
