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

import io.github.hybridhbase.bed.UserTable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.yetus.audience.InterfaceAudience;

/** A client that asks again at once; HBase's own is told seconds later of a server that is back. */
@InterfaceAudience.Private
final class ImpatientClient {
  private static final int MILLIS = 2_000;

  private ImpatientClient() {}

  /** Returns when every region has answered a read. */
  static void awaitServed(Configuration conf) throws IOException, InterruptedException {
    Configuration impatient = new Configuration(conf);
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    impatient.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, MILLIS);
    impatient.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, MILLIS);
    impatient.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, MILLIS);
    PrintStream errors = System.err;
    // HBase's client prints every refusal of hbase:meta, ten a second.
    System.setErr(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    try (Connection connection = ConnectionFactory.createConnection(impatient)) {
      new UserTable(connection).awaitServed();
    } finally {
      System.setErr(errors);
    }
  }
}
