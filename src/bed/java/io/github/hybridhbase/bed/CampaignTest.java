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

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class CampaignTest {
  @Test
  void faultsAreNotWaitedForWhereOnlyAnAdminsDeedsCome() {
    Set<Fault.Kind> deeds = EnumSet.of(Fault.Kind.ROLL, Fault.Kind.SPLIT);
    Campaign campaign = new Campaign(null, 1, true, Set.of(), deeds, false);
    Path nowhere = Path.of("nowhere.md");
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> campaign.run(nowhere, Duration.ZERO, 200));
    assertTrue(e.getMessage().contains("200 faults are wanted"), e::getMessage);
  }
}
