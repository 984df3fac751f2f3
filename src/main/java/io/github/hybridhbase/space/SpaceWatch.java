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
package io.github.hybridhbase.space;

import io.github.hybridhbase.hdfs.SsdSpace;
import java.io.IOException;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** What {@link SsdSpaceMonitor} sees of the HDFS it looks after. */
@InterfaceAudience.Private
public interface SpaceWatch {
  /** The space on SSD as it is read now; empty where it cannot be. */
  Optional<SsdSpace> space();

  /** Why it cannot be read, for people. */
  String trouble();

  /** Servers with WALs in use. */
  WalServers servers() throws IOException;
}
