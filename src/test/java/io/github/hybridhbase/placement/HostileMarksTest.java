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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.testing.HostileText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Whatever policies and records directories have, there is a plan for them. */
@InterfaceAudience.Private
class HostileMarksTest {
  private static final int CASES = 3_000;

  private final HostileText text = new HostileText(getClass().getSimpleName());
  private final Random random = text.random();

  private byte policy() {
    byte[] usual = {0, 0, 7, 12, 10, 2};
    return random.nextInt(6) == 0 ? (byte) random.nextInt() : usual[random.nextInt(usual.length)];
  }

  private DirectoryState state(DirectoryRule rule) {
    String record =
        random.nextInt(4) == 0
            ? String.format("v2 before=%d set=%d was=%d", policy(), policy(), policy())
            : text.next("v2 before=0 set=12 was=12", "v2 before=7 set=7 was=12 by=space");
    DirectoryState state =
        DirectoryState.of(
            rule.path(),
            random.nextInt(8) == 0 ? Optional.empty() : Optional.of(rule),
            random.nextInt(8) == 0
                ? Optional.empty()
                : Optional.of(new PolicyStatus(policy(), policy())),
            Optional.empty());
    Optional<PolicyProvenance> read = PolicyProvenance.parse(record);
    // A text that is none of ours stands there all the same.
    if (record.length() % 3 > 0 || read.isPresent()) {
      state = state.with(read.map(Found::of).orElseGet(() -> Found.foreign(record)));
    }
    return random.nextInt(3) == 0 ? state.below(Optional.of(policy())) : state;
  }

  @Test
  void thereIsAPlanAndItNeverTouchesWhatNoRecordExplains() {
    List<DirectoryRule> rules =
        new Layout(new Path("/hbase"), new Path("/wal"))
            .rules(HybridSettings.read(new Configuration(false)));
    for (int i = 0; i < CASES; i++) {
      List<DirectoryState> found = new ArrayList<>();
      rules.forEach(rule -> found.add(state(rule)));
      for (DirectoryPlan plan :
          List.of(
              DirectoryPlan.of(found, false),
              DirectoryPlan.of(found, true),
              DirectoryPlan.toRevert(found))) {
        for (DirectoryAction action : plan.changes()) {
          assertNotNull(action.toString());
          assertTrue(
              action.waits()
                  || action.state().status().isEmpty()
                  || !action.state().record().isForeign(),
              "planned over " + action);
          action
              .state()
              .status()
              .filter(status -> action.kind() == DirectoryAction.Kind.SET)
              .ifPresent(
                  status ->
                      assertTrue(
                          action.waits()
                              || status.own() == 0
                              || action.state().provenance().get().explains(status.own()),
                          action::toString));
        }
      }
    }
  }
}
