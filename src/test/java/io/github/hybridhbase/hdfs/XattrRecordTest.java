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

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class XattrRecordTest {
  private static final Path ROOT = new Path("/hbase");

  private final FakeNamespace hdfs = new FakeNamespace();

  @Test
  void xattrsDisabled_readsNothing_writesFail() throws IOException {
    hdfs.withForeign("/hbase", TierState.XATTR, "v2 closed new").hasNoXattrs();
    assertTrue(hdfs.read(TierState.RECORD, ROOT).isAbsent());
    assertThrows(
        IOException.class, () -> hdfs.write(TierState.RECORD, ROOT, TierState.closed("new")));
  }
}
