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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyProvenanceTest {
  private final PolicyProvenance provenance =
      PolicyProvenance.first((byte) 5, StoragePolicy.ALL_SSD).change(StoragePolicy.HOT);

  @Test
  void whatIsWrittenIsReadBack() {
    assertEquals(Optional.of(provenance), PolicyProvenance.parse(provenance.text()));
    assertEquals(5, provenance.before());
    assertEquals(7, provenance.set());
  }

  @Test
  void itExplainsWhatThePluginSetWasAboutToSetAndNothing() {
    assertTrue(provenance.explains((byte) 7));
    assertTrue(provenance.explains((byte) 12));
    assertTrue(provenance.explains((byte) 0));
    assertFalse(provenance.explains((byte) 2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "v3 before=0 set=12 was=0",
        "v2 before=0 set=12 was=0 by=guard",
        "v1 before=0 set=12 was=0",
        "v2 before=0 set=999 was=0",
        "v2 before= set= was="
      })
  void bytesThatAreNotProvenanceAreNone(String text) {
    assertEquals(Optional.empty(), PolicyProvenance.parse(text));
  }
}
