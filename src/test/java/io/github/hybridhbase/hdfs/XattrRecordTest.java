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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.XattrRecord.ForeignRecordException;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class XattrRecordTest {
  private static final Path ROOT = new Path("/hbase");
  private static final String FORMER = "user.hbase.hybrid.landing";

  private final FakeNamespace hdfs = new FakeNamespace();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void in_formerName_isRead() {
    Map<String, byte[]> xattrs = Map.of(FORMER, bytes("v2 closed because"));
    assertEquals(TierState.closed("because"), TierState.RECORD.in(xattrs).read().orElseThrow());
  }

  @Test
  void in_bothNames_newOneWins() {
    Map<String, byte[]> xattrs =
        Map.of(FORMER, bytes("v2 closed old"), TierState.XATTR, bytes("v2 closed new"));
    assertEquals(TierState.closed("new"), TierState.RECORD.in(xattrs).read().orElseThrow());
  }

  @Test
  void write_formerName_isReplaced() throws IOException {
    hdfs.withForeign("/hbase", FORMER, "v2 closed old");
    hdfs.write(TierState.RECORD, ROOT, TierState.closed("new"));
    assertEquals(Set.of(TierState.XATTR), hdfs.xattrs(ROOT).keySet());
    assertEquals(Found.of(TierState.closed("new")), hdfs.read(TierState.RECORD, ROOT));
  }

  @Test
  void write_foreignFormerName_isRefused() throws IOException {
    hdfs.withForeign("/hbase", FORMER, "v9 whatever");
    assertThrows(
        ForeignRecordException.class,
        () -> hdfs.write(TierState.RECORD, ROOT, TierState.closed("new")));
    assertEquals(Set.of(FORMER), hdfs.xattrs(ROOT).keySet());
  }

  @Test
  void remove_bothNames_areRemoved() throws IOException {
    hdfs.withForeign("/hbase", FORMER, "v2 closed old");
    hdfs.withForeign("/hbase", TierState.XATTR, "v2 closed new");
    hdfs.remove(TierState.RECORD, ROOT);
    assertEquals(Map.of(), hdfs.xattrs(ROOT));
  }

  @Test
  void read_xattrsDisabled_onlyProvenanceFails() throws IOException {
    hdfs.withForeign("/hbase", TierState.XATTR, "v2 closed new").hasNoXattrs();
    assertTrue(hdfs.read(TierState.RECORD, ROOT).isAbsent());
    assertThrows(IOException.class, () -> hdfs.read(PolicyProvenance.RECORD, ROOT));
    assertThrows(
        IOException.class, () -> hdfs.write(TierState.RECORD, ROOT, TierState.closed("new")));
  }
}
