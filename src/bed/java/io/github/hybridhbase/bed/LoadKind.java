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
package io.github.hybridhbase.bed;

import java.io.IOException;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/** The foreign loads that a campaign may have beside its own. */
@InterfaceAudience.Private
enum LoadKind {
  /** HBase's {@code IntegrationTestBigLinkedList}. */
  ITBLL {
    @Override
    ForeignLoad begin(Bed bed) throws IOException {
      return new BigLinkedList(bed);
    }
  },
  /** HBase's {@code IntegrationTestLoadAndVerify}. */
  VERIFY {
    @Override
    ForeignLoad begin(Bed bed) throws IOException {
      return new LoadAndVerify(bed);
    }
  },
  /** YCSB's core workload. */
  YCSB {
    @Override
    ForeignLoad begin(Bed bed) throws IOException, InterruptedException {
      return new YcsbCore(bed);
    }
  };

  /** Makes it, with what it needs before the first round; all servers are up. */
  abstract ForeignLoad begin(Bed bed) throws IOException, InterruptedException;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
