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
package io.github.hybridhbase.runtime;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A JMX bean with the plugin's version and what is not in force: HBase publishes only coprocessors'
 * names, and its metrics only numbers.
 */
@InterfaceAudience.Private
public final class PluginVersion {
  /** Path in the active master's web UI. */
  public static final String PAGE = "/hybrid";

  public static final String BEAN = "Hadoop:service=HBase,name=Hybrid,sub=Version";

  public static final String NOT_PACKAGED = "not packaged";

  private static final Logger LOG = LoggerFactory.getLogger(PluginVersion.class);

  @InterfaceAudience.Private
  public interface VersionMXBean {
    String getVersion();

    List<WriterShortfall> getNotInForce();

    /** The last fall-back or fail-over of a WAL: its time and cause; "" for none. */
    String getLastWalEvent();

    /** The DataNodes that WALs exclude because they stalled, each since when. */
    Map<String, String> getExcludedDataNodes();

    /** By component. */
    Map<String, String> getDeclared();

    /** Of user tables. */
    int getTierEngineStores();

    /** Of user tables, with HBase's engine although no descriptor names one. */
    int getTierEngineMissing();
  }

  private static final class Bean implements VersionMXBean {
    private final Map<String, String> declared;

    Bean(Map<String, String> declared) {
      this.declared = Map.copyOf(declared);
    }

    @Override
    public Map<String, String> getDeclared() {
      return declared;
    }

    @Override
    public Map<String, String> getExcludedDataNodes() {
      return HybridMetrics.get().excluded();
    }

    @Override
    public String getLastWalEvent() {
      return HybridMetrics.get().lastWalEvent();
    }

    @Override
    public String getVersion() {
      return get();
    }

    @Override
    public List<WriterShortfall> getNotInForce() {
      return HybridMetrics.get().shortfalls();
    }

    @Override
    public int getTierEngineStores() {
      return (int) HybridMetrics.get().engines.value("with");
    }

    @Override
    public int getTierEngineMissing() {
      return (int) HybridMetrics.get().engines.value("without");
    }
  }

  private PluginVersion() {}

  /** Once per process. Never throws. */
  public static void announce(Map<String, String> declared) {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(
              new StandardMBean(new Bean(declared), VersionMXBean.class, true),
              new ObjectName(BEAN));
    } catch (InstanceAlreadyExistsException e) {
      LOG.trace("Another server of this process has said so", e);
    } catch (JMException | RuntimeException e) {
      LOG.debug("The version is not shown in JMX", e);
    }
  }

  public static String get() {
    String version = PluginVersion.class.getPackage().getImplementationVersion();
    return version == null ? NOT_PACKAGED : version;
  }
}
