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
package io.github.hybridhbase.hdfs;

import io.github.hybridhbase.hdfs.NameNodeWeb.BlockStats;
import io.github.hybridhbase.hdfs.NameNodeWeb.BoundedGet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A reader of the NameNode's view of each live DataNode: rack, state, media and load. Superusers
 * get it in one RPC; others read the {@code /jmx} of the NameNode and of each DataNode, for at most
 * {@value #MOST_SECONDS} s. What does not respond is unknown.
 */
@InterfaceAudience.Private
public final class DataNodeReader {
  private static final int MOST_SECONDS = 20;
  private static final int MOST_BYTES = 16 << 20;
  private static final int MOST_MILLIS = 5_000;
  private static final int MOST_MILLIS_A_NODE = 2_000;
  private static final String DATA_NODE = "/jmx?qry=Hadoop:service=DataNode,name=DataNodeInfo";

  private final DistributedFileSystem dfs;
  private final Configuration conf;

  public DataNodeReader(FileSystem fs, Configuration conf) throws IOException {
    this.dfs = FailFastClient.unwrap(fs).orElseThrow(() -> new IOException(fs + " is no HDFS"));
    this.conf = conf;
  }

  public List<DataNodeState> read() throws IOException {
    try {
      return reported(dfs.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE));
    } catch (AccessControlException e) {
      return fromWeb();
    } catch (RemoteException e) {
      if (e.unwrapRemoteException() instanceof AccessControlException) {
        return fromWeb();
      }
      throw e;
    }
  }

  private static List<DataNodeState> reported(DatanodeStorageReport[] reports) {
    List<DataNodeState> nodes = new ArrayList<>();
    for (DatanodeStorageReport report : reports) {
      DatanodeInfo info = report.getDatanodeInfo();
      Set<StorageType> types = EnumSet.noneOf(StorageType.class);
      long roomiest = 0;
      for (StorageReport storage : report.getStorageReports()) {
        if (!storage.isFailed()) {
          StorageType type = storage.getStorage().getStorageType();
          types.add(type);
          roomiest =
              type == StorageType.SSD ? Math.max(roomiest, storage.getRemaining()) : roomiest;
        }
      }
      nodes.add(
          new DataNodeState(
                  info.getXferAddrWithHostname(),
                  info.getNetworkLocation(),
                  info.getAdminState().toString(),
                  types,
                  OptionalInt.of(info.getXceiverCount()))
              .at(info.getXferAddr(), OptionalLong.of(roomiest)));
    }
    return nodes;
  }

  List<DataNodeState> fromWeb() throws IOException {
    IOException last = new IOException("no web address of a NameNode is known");
    try (BoundedGet web = new BoundedGet(conf, MOST_BYTES, MOST_MILLIS)) {
      for (String address : NameNodeWeb.addresses(conf, dfs.getUri())) {
        try {
          String state = web.read(address + BlockStats.query("NameNodeStatus", "State"));
          if (BlockStats.attribute(state, "State").filter("active"::equals).isPresent()) {
            return each(web.read(address + BlockStats.query("NameNodeInfo", "LiveNodes")));
          }
          last = new IOException(address + " is not active");
        } catch (IOException e) {
          last = e;
        }
      }
    }
    throw last;
  }

  private List<DataNodeState> each(String json) throws IOException {
    String live =
        BlockStats.attribute(json, "LiveNodes")
            .orElseThrow(() -> new IOException("the NameNode's /jmx has no LiveNodes"));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    List<DataNodeState> nodes = new ArrayList<>();
    try (BoundedGet web = new BoundedGet(conf, MOST_BYTES, MOST_MILLIS_A_NODE)) {
      for (Map.Entry<String, JsonElement> entry :
          JsonParser.parseString(live).getAsJsonObject().entrySet()) {
        JsonObject node = entry.getValue().getAsJsonObject();
        String own = "";
        if (end - System.nanoTime() > 0) {
          own = ask(web, node);
        }
        nodes.add(
            parse(
                    entry.getKey(),
                    node.get("location").getAsString(),
                    node.get("adminState").getAsString(),
                    own)
                .at(node.get("xferaddr").getAsString(), OptionalLong.empty()));
      }
    } catch (RuntimeException e) {
      throw new IOException("LiveNodes is not what Hadoop 3 writes there", e);
    }
    return nodes;
  }

  private static String ask(BoundedGet web, JsonObject node) {
    String plain = node.get("infoAddr").getAsString();
    boolean http = !plain.endsWith(":0");
    String address =
        http ? "http://" + plain : "https://" + node.get("infoSecureAddr").getAsString();
    try {
      return web.read(address + DATA_NODE);
    } catch (IOException e) {
      return "";
    }
  }

  static DataNodeState parse(String name, String rack, String state, String jmx) {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    OptionalInt load = OptionalInt.empty();
    // Several DataNodes in one JVM share its beans.
    if (!BlockStats.attribute(jmx, "DataPort").filter(name::endsWith).isPresent()) {
      return new DataNodeState(name, rack, state, types, load);
    }
    try {
      // The load that heartbeats report; older lines of Hadoop use the other name.
      load =
          BlockStats.attribute(jmx, "ActiveTransferThreadCount")
              .or(() -> BlockStats.attribute(jmx, "XceiverCount"))
              .map(text -> OptionalInt.of(Integer.parseInt(text)))
              .orElse(OptionalInt.empty());
      JsonObject volumes =
          JsonParser.parseString(BlockStats.attribute(jmx, "VolumeInfo").orElse("{}"))
              .getAsJsonObject();
      for (Map.Entry<String, JsonElement> volume : volumes.entrySet()) {
        JsonElement type = volume.getValue().getAsJsonObject().get("storageType");
        types.add(StorageType.valueOf(type.getAsString()));
      }
    } catch (RuntimeException e) {
      types.clear();
    }
    return new DataNodeState(name, rack, state, types, load);
  }
}
