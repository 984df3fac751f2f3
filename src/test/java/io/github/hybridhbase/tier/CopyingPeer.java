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
package io.github.hybridhbase.tier;

import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.replication.BaseReplicationEndpoint;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.yetus.audience.InterfaceAudience;

/** A replication peer that puts each row into a copy of its table in the same cluster. */
@InterfaceAudience.Private
public final class CopyingPeer extends BaseReplicationEndpoint {
  /** The table that receives a table's rows. */
  static String copyOf(TableName table) {
    return "copy-of-" + table.getNameAsString();
  }

  @Override
  public boolean replicate(ReplicateContext context) {
    try (Connection connection = ConnectionFactory.createConnection(ctx.getConfiguration())) {
      for (WAL.Entry entry : context.getEntries()) {
        TableName to = TableName.valueOf(copyOf(entry.getKey().getTableName()));
        try (Table table = connection.getTable(to)) {
          for (Cell cell : entry.getEdit().getCells()) {
            table.put(new Put(CellUtil.cloneRow(cell)).add(cell));
          }
        }
      }
      return true;
    } catch (IOException e) {
      return false; // HBase sends them again
    }
  }

  @Override
  public boolean canReplicateToSameCluster() {
    return true;
  }

  @Override
  public UUID getPeerUUID() {
    return ctx.getClusterId();
  }

  @Override
  public void start() {
    startAsync();
  }

  @Override
  public void stop() {
    stopAsync();
  }

  @Override
  protected void doStart() {
    notifyStarted();
  }

  @Override
  protected void doStop() {
    notifyStopped();
  }
}
