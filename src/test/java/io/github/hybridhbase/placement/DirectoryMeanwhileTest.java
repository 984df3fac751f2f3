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

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Between the look at all directories and what is done about one, others act too. */
@InterfaceAudience.Private
class DirectoryMeanwhileTest {
  private static final byte UNSET = StoragePolicy.UNSPECIFIED;
  private static final byte HOT = StoragePolicy.HOT.id();
  private static final byte COLD = StoragePolicy.COLD.id();
  private static final byte ALL_SSD = StoragePolicy.ALL_SSD.id();
  private static final String DATA = "/hbase/data";
  private static final String META = "/hbase/data/hbase";
  private static final Layout LAYOUT = new Layout(new Path("/hbase"), new Path("/hbase"));

  private final FakeNamespace hdfs = new FakeNamespace().with("/hbase", UNSET);
  private final Namespaces namespaces = path -> Optional.of(hdfs);
  private final Configuration conf = new Configuration(false);

  private List<DirectoryRule> rules(String... paths) {
    return LAYOUT.rules(HybridSettings.read(conf)).stream()
        .filter(rule -> List.of(paths).contains(rule.path().toString()))
        .collect(Collectors.toList());
  }

  private DirectoryEnforcer enforcer() {
    return new DirectoryEnforcer(namespaces, 0, false);
  }

  private List<DirectoryAction.Result> apply() throws IOException {
    List<DirectoryState> found =
        new DirectoryReader(LAYOUT, namespaces).look(HybridSettings.read(conf), false);
    return enforcer().carryOut(DirectoryPlan.of(found, false).changes(), () -> false);
  }

  private static DirectoryAction.Kind of(String path, List<DirectoryAction.Result> results) {
    return results.stream()
        .filter(one -> one.action().path().toString().equals(path))
        .findFirst()
        .orElseThrow()
        .kind();
  }

  /** Does something at the first write whose description starts like this. */
  private void at(String write, Runnable does) {
    AtomicBoolean did = new AtomicBoolean();
    hdfs.tell(
        what -> {
          if (what.startsWith(write) && did.compareAndSet(false, true)) {
            does.run();
          }
        });
  }

  /** Of the same HDFS; whether there is a hold is asked right before each write. */
  private Namespaces beforeEachWrite(Runnable does) {
    return new Namespaces() {
      @Override
      public Optional<StorageNamespace> of(Path path) {
        return Optional.of(hdfs);
      }

      @Override
      public boolean held() {
        does.run();
        return false;
      }
    };
  }

  /** The policy of user data, after something has been set elsewhere. */
  private void isToBeUndoneAfterAnother() {
    conf.set("hbase.hybrid.user.policy", "NONE");
    hdfs.with(DATA, ALL_SSD)
        .withProvenance(DATA, PolicyProvenance.first(UNSET, StoragePolicy.ALL_SSD))
        .with("/hbase/MasterData", UNSET)
        .with("/hbase/MasterData/oldWALs", UNSET);
  }

  @Test
  void anAdminsPolicyIsNotTakenAwayByAnUndo() throws IOException {
    isToBeUndoneAfterAnother();
    at("provenance /hbase/MasterData", () -> hdfs.with(DATA, COLD));
    apply();
    assertEquals(COLD, hdfs.own(DATA));
    assertEquals(Optional.empty(), hdfs.provenanceOf(DATA));
  }

  @Test
  void anUndoThatAnotherHasDoneIsNotTakenForAMissingDirectory() throws IOException {
    isToBeUndoneAfterAnother();
    at(
        "provenance /hbase/MasterData",
        () -> {
          try {
            hdfs.with(DATA, UNSET).remove(PolicyProvenance.RECORD, new Path(DATA));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    DirectoryAction.Result result =
        apply().stream()
            .filter(one -> one.action().path().toString().equals(DATA))
            .findFirst()
            .orElseThrow();
    assertEquals("Its record went meanwhile; nothing is left to undo.", result.detail());
  }

  @Test
  void aRecordThatCannotBeReadIsNotOverwritten() throws IOException {
    PolicyProvenance record =
        PolicyProvenance.first(COLD, StoragePolicy.ALL_SSD).change(StoragePolicy.HOT);
    hdfs.with("/hbase/WALs", UNSET)
        .withProvenance("/hbase/WALs", record)
        .hidesRecords("/hbase/WALs");
    assertEquals(DirectoryAction.Kind.FAILED, of("/hbase/WALs", apply()));
    assertEquals(Optional.of(record), hdfs.provenanceOf("/hbase/WALs"));
    assertEquals(UNSET, hdfs.own("/hbase/WALs"));
  }

  /** The policy in force is HOT before and after. */
  @Test
  void aDemotionThatThePolicyDoesNotShowStands() throws IOException {
    hdfs.with(DATA, HOT).with(META, UNSET).with("/hbase/MasterData/oldWALs", UNSET);
    DirectoryRule meta = rules(META).get(0);
    at(
        "set /hbase/MasterData/oldWALs",
        () -> {
          try {
            assertTrue(new SsdDemoter(namespaces, 0).demote(meta));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    List<DirectoryAction.Result> results =
        enforcer().place(rules("/hbase/MasterData/oldWALs", META));
    assertEquals(DirectoryAction.Kind.DEMOTED, of(META, results));
    assertTrue(hdfs.provenanceOf(META).orElseThrow().demoted());
    assertEquals(HOT, hdfs.own(META));
  }

  @Test
  void whatAnotherServerDidMeanwhileIsDone() {
    hdfs.with("/hbase/WALs", UNSET).with("/hbase/oldWALs", UNSET);
    at(
        "provenance /hbase/WALs",
        () ->
            hdfs.with("/hbase/oldWALs", HOT)
                .withProvenance(
                    "/hbase/oldWALs", PolicyProvenance.first(UNSET, StoragePolicy.HOT)));
    List<DirectoryAction.Result> results = enforcer().place(rules("/hbase/WALs", "/hbase/oldWALs"));
    assertEquals(DirectoryAction.Kind.SET, of("/hbase/WALs", results));
    assertEquals(DirectoryAction.Kind.RIGHT, of("/hbase/oldWALs", results));
  }

  /** Both of a set's writes fall between a look of the tool's and what it does next. */
  @Test
  void aSetThatAnotherServerIsInTheMiddleOfIsNoFailure() {
    hdfs.with("/hbase/WALs", UNSET);
    Deque<Runnable> writes =
        new ArrayDeque<>(
            List.of(
                () ->
                    hdfs.withProvenance(
                        "/hbase/WALs", PolicyProvenance.first(UNSET, StoragePolicy.ALL_SSD)),
                () -> hdfs.with("/hbase/WALs", ALL_SSD)));
    Namespaces beside =
        beforeEachWrite(
            () -> {
              if (!writes.isEmpty()) {
                writes.remove().run();
              }
            });
    DirectoryState found = DirectoryReader.look(beside, rules("/hbase/WALs").get(0));
    List<DirectoryAction.Result> results =
        DirectoryEnforcer.ofTool(beside, 0)
            .carryOut(DirectoryPlan.of(List.of(found), false).actions(), () -> false);
    assertEquals(DirectoryAction.Kind.RIGHT, of("/hbase/WALs", results));
    assertEquals(ALL_SSD, hdfs.own("/hbase/WALs"));
  }

  @Test
  void whatChangesAtEachLookIsLeftToTheNextOne() {
    hdfs.with("/hbase", UNSET).with("/hbase/WALs", UNSET);
    AtomicBoolean cold = new AtomicBoolean();
    Namespaces restless =
        beforeEachWrite(
            () -> {
              cold.set(!cold.get());
              hdfs.with("/hbase", cold.get() ? COLD : UNSET);
            });
    DirectoryAction action =
        DirectoryPlan.of(
                List.of(DirectoryReader.look(restless, rules("/hbase/WALs").get(0))), false)
            .actions()
            .get(0);
    DirectoryAction.Result result =
        new DirectoryEnforcer(restless, 0, false).carryOut(List.of(action), () -> false).get(0);
    assertEquals(DirectoryAction.Kind.FAILED, result.kind());
    assertTrue(result.detail().contains("changed meanwhile"), result.detail());
    assertEquals(UNSET, hdfs.own("/hbase/WALs"));
  }

  @Test
  void whereNoHoldCanBeAskedForAMissingFileSystemIsStillThat() {
    Namespaces local =
        new Namespaces() {
          @Override
          public Optional<StorageNamespace> of(Path path) {
            return Optional.empty();
          }

          @Override
          public boolean held() throws IOException {
            throw new IOException("Connection refused");
          }
        };
    List<DirectoryAction.Result> results =
        new DirectoryEnforcer(local, 0, false).place(rules("/hbase/WALs"));
    assertEquals(DirectoryAction.Kind.NO_POLICIES, of("/hbase/WALs", results));
  }

  @Test
  void aParentThatIsMadeAlongIsPlacedAtTheSameLook() {
    List<DirectoryAction.Result> results = enforcer().place(rules(DATA, META, "/hbase/oldWALs"));
    assertEquals(DirectoryAction.Kind.SET, of(DATA, results));
    assertEquals(DirectoryAction.Kind.SET, of(META, results));
    assertEquals(DirectoryAction.Kind.ABSENT, of("/hbase/oldWALs", results));
    assertEquals(HOT, hdfs.own(DATA));
    assertEquals(ALL_SSD, hdfs.own(META));
  }

  /**
   * A server demotes what the master restores: after the master has set the policy, and before the
   * master looks at its record.
   */
  @Test
  void aDemotionBesideARestorationKeepsItsRecord() throws IOException {
    hdfs.with(DATA, UNSET).with(META, ALL_SSD);
    DirectoryRule meta = rules(META).get(0);
    SsdDemoter server = new SsdDemoter(namespaces, 0);
    assertTrue(server.demote(meta));
    AtomicBoolean set = new AtomicBoolean();
    at("set " + META, () -> set.set(true));
    StorageNamespace ofMaster =
        (StorageNamespace)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {StorageNamespace.class},
                (proxy, method, arguments) -> {
                  if (FakeNamespace.call(method, arguments).equals("read user.hbase.hybrid.placed")
                      && set.getAndSet(false)) {
                    assertTrue(server.demote(meta));
                  }
                  return method.invoke(hdfs, arguments);
                });
    new SsdDemoter(path -> Optional.of(ofMaster), 0).restore(meta);
    assertEquals(HOT, hdfs.own(META));
    assertEquals(DirectoryAction.Kind.DEMOTED, of(META, enforcer().place(List.of(meta))));
  }
}
