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
import java.util.Set;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.rsgroup.RSGroupAdminClient;

/** Puts a RegionServer and a table into a group of their own: port of the server, table. */
public final class GroupClient {
  private GroupClient() {}

  public static void main(String[] args) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      RSGroupAdminClient groups = new RSGroupAdminClient(connection);
      groups.addRSGroup("apart");
      for (ServerName server : connection.getAdmin().getRegionServers()) {
        if (server.getPort() == Integer.parseInt(args[0])) {
          groups.moveServers(Set.of(server.getAddress()), "apart");
        }
      }
      groups.moveTables(Set.of(TableName.valueOf(args[1])), "apart");
      System.out.println("done: " + groups.getRSGroupInfo("apart"));
    }
  }
}
