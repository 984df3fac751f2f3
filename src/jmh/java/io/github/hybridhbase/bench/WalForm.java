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
package io.github.hybridhbase.bench;

import java.util.Map;
import org.apache.hadoop.hbase.io.crypto.KeyProviderForTesting;
import org.apache.yetus.audience.InterfaceAudience;

/** How entries are written into a log. */
@InterfaceAudience.Private
public enum WalForm {
  PLAIN(Map.of()),
  COMPRESSED(Map.of("hbase.regionserver.wal.enablecompression", "true")),
  /** As HBase 2.6 encrypts, by whatever writer; the key is a test's. */
  ENCRYPTED(
      Map.of(
          "hbase.regionserver.wal.encryption", "true",
          "hbase.crypto.keyprovider", KeyProviderForTesting.class.getName(),
          "hbase.crypto.master.key.name", "hbase"));

  private final Map<String, String> settings;

  WalForm(Map<String, String> settings) {
    this.settings = settings;
  }

  /** The settings that choose it. */
  Map<String, String> settings() {
    return settings;
  }
}
