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
package io.github.hybridhbase.coprocessor;

import io.github.hybridhbase.page.Picture;
import io.github.hybridhbase.page.WebUi;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bridge from a coprocessor to the web UI of its master, and the only user of HBase's private
 * classes, so that the observer also loads on a line of HBase without them.
 */
@InterfaceAudience.Private
final class MasterUi {
  private static final Logger LOG = LoggerFactory.getLogger(MasterUi.class);

  private MasterUi() {}

  /** Logs if this HBase does not allow the page. Never throws. */
  static void show(MasterCoprocessorEnvironment env, Supplier<Picture> pictures) {
    try {
      InfoServer ui = of(env);
      if (ui != null) {
        WebUi.show(ui, pictures);
        LOG.info("The placement page is available at {} of this master's web UI", WebUi.PATH);
      }
    } catch (Exception | LinkageError e) {
      LOG.info(
          "The placement page is not available at {} of the master's web UI, since"
              + " this HBase does not allow it. 'hbase-hybrid audit --html FILE' writes"
              + " the same page. ({})",
          WebUi.PATH,
          e.toString());
      LOG.debug("Why", e);
    }
  }

  /** Null if the web UI is disabled. */
  private static InfoServer of(MasterCoprocessorEnvironment env) {
    if (!(env instanceof HasMasterServices)) {
      throw new IllegalStateException("the coprocessor may not see the master");
    }
    MasterServices master = ((HasMasterServices) env).getMasterServices();
    return ((HMaster) master).getInfoServer();
  }
}
