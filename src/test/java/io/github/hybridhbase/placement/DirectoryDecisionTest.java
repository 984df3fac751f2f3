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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.placement.DirectoryAction.Kind;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of one directory, as docs/dev/design.md has them, and what holds in every case. */
@InterfaceAudience.Private
class DirectoryDecisionTest {
  private static final byte[] POLICIES = {0, 2, 5, 7, 10, 12, 14};

  private static DirectoryRule rule(String path) {
    return new Layout(new Path("/hbase"), new Path("/hbase"))
        .rules(HybridSettings.read(new Configuration(false))).stream()
            .filter(rule -> rule.path().equals(new Path(path)))
            .findFirst()
            .orElseThrow();
  }

  private static byte id(String policy) {
    if (policy.equals("-")) {
      return StoragePolicy.UNSPECIFIED;
    }
    return policy.equals("14") ? 14 : StoragePolicy.valueOf(policy).id();
  }

  /** As {@code before set was}, with {@code !} behind it where the space monitor demoted it. */
  private static Optional<PolicyProvenance> provenance(String text) {
    if (text.equals("none")) {
      return Optional.empty();
    }
    String[] parts = text.replace("!", "").split(" ");
    String form =
        String.format(
            "v2 before=%d set=%d was=%d%s",
            id(parts[0]), id(parts[1]), id(parts[2]), text.endsWith("!") ? " by=space" : "");
    return PolicyProvenance.parse(form);
  }

  private static DirectoryAction decide(DirectoryState state) {
    return DirectoryDecision.decide(state, false).orElseThrow();
  }

  /** Declared ALL_SSD, and nothing of an admin's above. */
  @ParameterizedTest(name = "{0} below {1}, provenance {2}: {3}")
  @CsvSource({
    // the declared one, own or inherited
    "ALL_SSD, -, none, RIGHT",
    "ALL_SSD, ALL_SSD, none, RIGHT",
    "ALL_SSD, -, - ALL_SSD -, RIGHT",
    "ALL_SSD, -, - HOT ALL_SSD!, RIGHT",
    // none of its own, no provenance: a first placement
    "-, -, none, SET",
    "HOT, HOT, none, SET",
    // one of its own, no provenance: somebody else's
    "HOT, -, none, CONFLICT",
    "COLD, HOT, none, CONFLICT",
    "14, -, none, CONFLICT",
    // provenance without its policy is repaired
    "-, -, - ALL_SSD -, SET",
    "COLD, -, COLD ALL_SSD COLD, SET",
    "-, -, COLD ALL_SSD ALL_SSD, SET",
    // a declaration that changed
    "HOT, -, - HOT HOT, SET",
    "HOT, -, - ALL_SSD HOT, SET",
    // set by somebody since: stale provenance
    "COLD, -, - ALL_SSD -, CONFLICT",
    "COLD, -, - HOT HOT, CONFLICT",
    "COLD, -, - HOT ALL_SSD!, CONFLICT",
    // the space monitor's
    "HOT, -, - HOT ALL_SSD!, DEMOTED",
    "-, -, - HOT ALL_SSD!, DEMOTED",
  })
  void whatIsDeclared(String found, String parent, String provenance, Kind expected) {
    DirectoryRule wals = rule("/hbase/WALs");
    DirectoryState state =
        DirectoryState.of(
            wals.path(),
            Optional.of(wals),
            Optional.of(new PolicyStatus(id(found), id(parent))),
            provenance(provenance));
    assertEquals(expected, decide(state).kind());
  }

  /** Whoever comes between another server's record and its policy must not speak of a loss. */
  @ParameterizedTest(name = "{0}, provenance {1}: {2}")
  @CsvSource({
    "-, none, ''",
    // first placed from nothing: not set yet, or taken away since
    "-, - ALL_SSD -, did not stand",
    // not set yet
    "COLD, COLD ALL_SSD COLD, ''",
    "HOT, - ALL_SSD HOT, ''",
    // set once, and nothing stands
    "-, COLD ALL_SSD ALL_SSD, had lost",
    "-, - ALL_SSD ALL_SSD, had lost",
    // another declaration
    "HOT, - HOT HOT, ''",
  })
  void whyThePolicyOnRecordDoesNotStand(String own, String provenance, String expected) {
    DirectoryRule wals = rule("/hbase/WALs");
    DirectoryAction action =
        decide(
            DirectoryState.of(
                wals.path(),
                Optional.of(wals),
                Optional.of(new PolicyStatus(id(own), id("-"))),
                provenance(provenance)));
    assertEquals(Kind.SET, action.kind());
    assertEquals(expected.isEmpty(), action.reason().isEmpty(), action.reason());
    assertTrue(action.reason().contains(expected), action.reason());
  }

  /** Declared HOT, below an admin's COLD. */
  @ParameterizedTest(name = "{0} below {1}, provenance {2}: {3} {4}")
  @CsvSource({
    "COLD, COLD, none, FOLLOWED, -",
    "COLD, COLD, - HOT -, FOLLOWED, -",
    "-, -, none, FOLLOWED, -",
    // the plugin's own, directly below the admin's: put back what stood
    "HOT, COLD, - HOT -, RESTORE, -",
    "HOT, COLD, WARM HOT HOT, RESTORE, WARM",
    // within what the plugin placed: the admin's is set
    "ALL_SSD, ALL_SSD, none, SET, COLD",
    "HOT, ALL_SSD, - HOT -, SET, COLD",
    // somebody gave it one of its own
    "HOT, COLD, none, RIGHT, HOT",
    "WARM, COLD, none, CONFLICT, WARM",
    "WARM, COLD, - HOT -, CONFLICT, WARM",
  })
  void whatIsBelowAnAdminsPolicy(
      String found, String parent, String provenance, Kind expected, String policy) {
    DirectoryRule data = rule("/hbase/data");
    DirectoryState state =
        DirectoryState.of(
                data.path(),
                Optional.of(data),
                Optional.of(new PolicyStatus(id(found), id(parent))),
                provenance(provenance))
            .below(Optional.of(StoragePolicy.COLD.id()));
    DirectoryAction action = decide(state);
    assertEquals(expected, action.kind());
    assertEquals(id(policy), action.policy());
    boolean theirs = expected == Kind.RIGHT || expected == Kind.CONFLICT;
    assertEquals(!theirs, DirectoryPlan.follows(state));
  }

  @Test
  void whatIsMissingOrCannotBeAsked() {
    DirectoryRule wals = rule("/hbase/WALs");
    DirectoryRule master = rule("/hbase/MasterData");
    Optional<PolicyStatus> no = Optional.empty();
    assertEquals(
        Kind.ABSENT,
        decide(DirectoryState.of(wals.path(), Optional.of(wals), no, Optional.empty())).kind());
    assertEquals(
        Kind.SET,
        decide(DirectoryState.of(master.path(), Optional.of(master), no, Optional.empty())).kind(),
        "HBase writes into it as soon as it has made it");
    DirectoryAction failed =
        decide(DirectoryState.unread(wals.path(), Optional.of(wals), "no permission"));
    assertEquals(Kind.FAILED, failed.kind());
    assertEquals("no permission", failed.reason());
    assertEquals(
        Kind.NO_POLICIES,
        decide(DirectoryState.withoutPolicies(wals.path(), Optional.of(wals))).kind());
  }

  private static List<DirectoryState> everyState() {
    List<Optional<PolicyProvenance>> provenances = new ArrayList<>();
    provenances.add(Optional.empty());
    for (byte before : POLICIES) {
      for (StoragePolicy set : List.of(StoragePolicy.HOT, StoragePolicy.ALL_SSD)) {
        PolicyProvenance first = PolicyProvenance.first(before, set);
        provenances.add(Optional.of(first));
        provenances.add(Optional.of(first.settled()));
        provenances.add(Optional.of(first.asDemoted()));
        provenances.add(Optional.of(first.change(StoragePolicy.COLD)));
      }
    }
    List<DirectoryState> states = new ArrayList<>();
    for (String path : List.of("/hbase/WALs", "/hbase/data")) {
      Optional<DirectoryRule> rule = Optional.of(rule(path));
      for (byte effective : POLICIES) {
        for (byte parent : POLICIES) {
          Optional<PolicyStatus> status = Optional.of(new PolicyStatus(effective, parent));
          for (Optional<PolicyProvenance> provenance : provenances) {
            DirectoryState state = DirectoryState.of(rule.get().path(), rule, status, provenance);
            states.add(state);
            for (byte above : POLICIES) {
              states.add(state.below(Optional.of(above)));
            }
          }
        }
      }
    }
    return states;
  }

  private static boolean isTheirs(DirectoryState state) {
    byte own = state.status().get().own();
    return state.provenance().map(any -> !any.explains(own)).orElse(own != 0);
  }

  @Test
  void nothingOfSomebodyElsesIsWrittenTo() {
    everyState().stream()
        .filter(DirectoryDecisionTest::isTheirs)
        .map(DirectoryDecisionTest::decide)
        .forEach(action -> assertTrue(!action.changes(), action::toString));
  }

  @Test
  void underAHoldNothingIsDecided() {
    for (DirectoryState state : everyState()) {
      assertEquals(Kind.HELD, DirectoryDecision.decide(state, true).orElseThrow().kind());
      assertEquals(Optional.empty(), DirectoryDecision.decide(state.undeclared(), true));
    }
  }

  /** A server that dies between two writes leaves nothing that looks like somebody else's hand. */
  @Test
  void whatIsRecordedFirstExplainsWhatStandsAndWhatIsSet() {
    for (DirectoryState state : everyState()) {
      DirectoryAction action = decide(state);
      byte own = state.status().get().own();
      // A record can name one earlier policy: not two declarations that were both cut off.
      boolean cutOff = state.provenance().filter(p -> own != 0 && own != p.set()).isPresent();
      if (action.kind() == Kind.SET && !cutOff) {
        PolicyProvenance next = action.provenance().orElseThrow();
        assertTrue(next.explains(own), action::toString);
        assertEquals(action.policy(), next.set(), action::toString);
        byte before =
            state.provenance().map(PolicyProvenance::before).orElse(state.status().get().own());
        assertEquals(before, next.before(), "what stood before the plugin stays on record");
      }
    }
  }

  @Test
  void onceDoneThereIsNothingLeftToDo() {
    for (DirectoryState state : everyState()) {
      DirectoryAction action = decide(state);
      if (action.changes()) {
        byte parent = state.status().get().parent();
        byte own = action.policy() == StoragePolicy.UNSPECIFIED ? parent : action.policy();
        DirectoryState after =
            state
                .with(new PolicyStatus(own, parent))
                .with(action.kind() == Kind.SET ? Found.of(action.provenance()) : Found.absent());
        DirectoryAction then = decide(after);
        assertTrue(!then.changes(), () -> state.status() + " " + action + ", then " + then);
      }
    }
  }

  @Test
  void revertLeavesNoProvenance() {
    for (DirectoryState state : everyState()) {
      Optional<DirectoryAction> action = DirectoryDecision.decide(state.undeclared(), false);
      assertEquals(state.provenance().isPresent(), action.isPresent());
      action.ifPresent(
          undo -> assertEquals(isTheirs(state) ? Kind.FORGET : Kind.RESTORE, undo.kind()));
    }
  }
}
