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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.IntegrationTestingUtility;
import org.apache.hadoop.hbase.test.IntegrationTestLoadAndVerify;
import org.apache.hadoop.util.ToolRunner;

/**
 * HBase's {@code IntegrationTestLoadAndVerify}, which wants three RegionServers at its start, with
 * however many there are: {@code java LoadAndVerify.java -D… load|verify}.
 */
class LoadAndVerify extends IntegrationTestLoadAndVerify {
  @Override
  public void setUpCluster() throws Exception {
    util = getTestingUtil(getConf());
    util.initializeCluster(0);
    setConf(util.getConfiguration());
  }

  public static void main(String[] words) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    IntegrationTestingUtility.setUseDistributedCluster(conf);
    System.exit(ToolRunner.run(conf, new LoadAndVerify(), words));
  }
}
