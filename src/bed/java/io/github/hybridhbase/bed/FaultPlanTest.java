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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class FaultPlanTest {
  private static List<String> faults(long seed, int many) {
    FaultPlan plan = new FaultPlan(seed);
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      faults.add(plan.next().toString());
    }
    return faults;
  }

  @Test
  void theSeedReplays() {
    assertEquals(faults(7, 300), faults(7, 300));
    assertNotEquals(faults(7, 300), faults(8, 300));
  }

  @Test
  void onlyThoseKindsComeThatWereAskedFor() {
    Set<Fault.Kind> some = EnumSet.of(Fault.Kind.LOSE_SSD, Fault.Kind.FLUSH);
    FaultPlan plan = new FaultPlan(1, some);
    Set<Fault.Kind> come = EnumSet.noneOf(Fault.Kind.class);
    for (int i = 0; i < 100; i++) {
      come.add(plan.next().kind());
    }
    assertEquals(some, come);
  }

  @Test
  void everyKindComesAndAnAdminsDeedTakesNoTime() {
    FaultPlan plan = new FaultPlan(1);
    Map<Fault.Kind, Integer> counts = new EnumMap<>(Fault.Kind.class);
    for (int i = 0; i < 1_000; i++) {
      Fault fault = plan.next();
      counts.merge(fault.kind(), 1, Integer::sum);
      assertEquals(fault.kind().isAdmins(), fault.holdMillis() == 0, fault::toString);
      assertTrue(!fault.kind().isAdmins() || fault.pauseMillis() == 0, fault::toString);
      assertTrue(fault.which(3) >= 0 && fault.which(3) < 3);
    }
    assertEquals(Fault.Kind.values().length, counts.size(), counts::toString);
  }
}
