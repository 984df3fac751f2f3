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
package io.github.hybridhbase.testing;

import io.github.hybridhbase.runtime.PluginVersion;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Properties;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Hadoop's and HBase's test classes keep for the whole JVM: system properties, and file
 * systems in a cache. Taken over for a cluster that lives in one directory, and given back after.
 */
@InterfaceAudience.Private
final class JvmState {
  private static final Logger LOG = LoggerFactory.getLogger(JvmState.class);

  private final Properties before = new Properties();

  void takeOver(Path directory) {
    before.putAll(System.getProperties());
    System.setProperty("test.build.data.basedirectory", directory.toString());
    System.clearProperty("hadoop.log.dir");
    System.clearProperty("hadoop.tmp.dir");
    // The cluster deletes; the utility's delete-on-exit would call a NameNode that is gone.
    System.setProperty("hbase.testing.preserve.testdir", "true");
    DefaultMetricsSystem.setMiniClusterMode(true);
    forgetVersion();
    // MiniDFSCluster clears the shutdown hooks when it stops; only an empty cache puts the one back
    // that HBase insists on finding when it next starts in this JVM (ShutdownHook).
    closeFileSystems();
  }

  /** The declaration in the bean is that of the JVM's first server, an earlier cluster's. */
  private static void forgetVersion() {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .unregisterMBean(new ObjectName(PluginVersion.BEAN));
    } catch (JMException e) {
      LOG.debug("No server of the plugin has run in this JVM", e);
    }
  }

  void giveBack() {
    System.setProperties(before);
  }

  /** Each call of closeAll ends at the first output that was left broken, and is nearer the end. */
  private static void closeFileSystems() {
    for (int call = 0; call < 100; call++) {
      try {
        FileSystem.closeAll();
        return;
      } catch (IOException | RuntimeException e) {
        LOG.debug("A file system was left in disorder", e);
      }
    }
  }
}
