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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.placement.DirectoryAction;
import io.github.hybridhbase.placement.DirectoryEnforcer;
import io.github.hybridhbase.placement.DirectoryPlan;
import io.github.hybridhbase.placement.DirectoryReader;
import io.github.hybridhbase.placement.SsdDemoter;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.scan.ScanChore;
import io.github.hybridhbase.scan.ScanPace;
import io.github.hybridhbase.scan.TierFiles;
import io.github.hybridhbase.scan.TierTotals;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Versions × deeds: each thing that is done with a record is done with this version's own, and with
 * an older or a newer one nothing is done and the record stays. What else holds for the other
 * versions' records is in {@link RecordVersionsTest}.
 */
@InterfaceAudience.Private
class RecordTableTest {
  private static final Path ROOT = new Path("/hbase");
  private static final Path WALS = new Path("/hbase/WALs");
  private static final ServerName SERVER = ServerName.valueOf("a,1,1");

  private final Configuration conf = new Configuration(false);
  private final HybridSettings settings = HybridSettings.read(conf);
  private final Layout layout = new Layout(ROOT, ROOT);
  private final DirectoryRule rule = layout.walRules(settings).get(0);
  private final FakeNamespace hdfs =
      new FakeNamespace().with("/hbase", 0).with("/hbase/WALs", 0).with("/hbase/WALs/a,1,1", 0);
  private final Namespaces namespaces = FakeNamespace.namespaces(hdfs, ROOT);

  /** Who wrote the record. */
  private enum Version {
    OLDER("v0"),
    THIS(""),
    NEWER("v9");

    private final String number;

    Version(String number) {
      this.number = number;
    }
  }

  /** What is done. */
  private enum Deed {
    PLACE,
    DEMOTE,
    RETURN,
    REVERT,
    APPLY,
    AUDIT,
    SCAN,
    GRANT
  }

  static Stream<Arguments> cells() {
    return EnumSet.allOf(Deed.class).stream()
        .flatMap(
            deed -> EnumSet.allOf(Version.class).stream().map(from -> Arguments.of(deed, from)));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void isDoneWithThisVersionsRecordAndWithNoOther(Deed deed, Version from) throws IOException {
    assertEquals(from == Version.THIS, does(deed, from), deed + " of " + from);
  }

  /** A placed directory, whose record this version can read or not. */
  private void placed(int own, PolicyProvenance record, Version from) {
    hdfs.with(WALS.toString(), own);
    if (from == Version.THIS) {
      hdfs.withProvenance(WALS.toString(), record);
    } else {
      foreign(WALS, PolicyProvenance.XATTR, record.toString(), from);
    }
  }

  private void foreign(Path path, String xattr, String text, Version from) {
    hdfs.withForeign(path.toString(), xattr, text.replaceFirst("^v\\d", from.number));
  }

  private boolean does(Deed deed, Version from) throws IOException {
    PolicyProvenance ours = PolicyProvenance.first((byte) 0, StoragePolicy.ALL_SSD);
    PolicyProvenance hot = ours.change(StoragePolicy.HOT).settled();
    int ssd = StoragePolicy.ALL_SSD.id();
    switch (deed) {
      case PLACE:
        placed(0, ours, from);
        return new DirectoryEnforcer(namespaces, 0, false).place(List.of(rule)).get(0).kind()
                == DirectoryAction.Kind.SET
            && kept(ssd);
      case DEMOTE:
        placed(ssd, ours, from);
        return new SsdDemoter(namespaces, 0).demote(rule) && kept(StoragePolicy.HOT.id());
      case RETURN:
        placed(StoragePolicy.HOT.id(), hot.asDemoted(), from);
        return new SsdDemoter(namespaces, 0).restore(rule) && kept(ssd);
      case REVERT:
        placed(ssd, ours, from);
        carryOut(DirectoryPlan.toRevert(found()));
        return kept(0);
      case APPLY:
        placed(StoragePolicy.HOT.id(), hot, from);
        carryOut(DirectoryPlan.of(found(), false));
        return kept(ssd);
      case AUDIT:
        placed(StoragePolicy.HOT.id(), hot.asDemoted(), from);
        return Expectation.of(settings, false, found()).of(Component.WAL) == StoragePolicy.HOT;
      case SCAN:
        return scan(from);
      default:
        return grant(from);
    }
  }

  private boolean kept(int own) {
    return hdfs.own(WALS.toString()) == own;
  }

  private List<io.github.hybridhbase.placement.DirectoryState> found() throws IOException {
    return new DirectoryReader(layout, namespaces).look(settings, true);
  }

  private void carryOut(DirectoryPlan plan) {
    DirectoryEnforcer.ofTool(namespaces, 0).carryOut(plan.changes(), () -> false);
  }

  /** Whether a scan takes an old consent away: it would say so of what it read. */
  private boolean scan(Version from) throws IOException {
    MoveConsent old = MoveConsent.waiting("wal=WARM", "7 files");
    if (from == Version.THIS) {
      hdfs.write(MoveConsent.RECORD, ROOT, old);
    } else {
      foreign(ROOT, MoveConsent.XATTR, old.toString(), from);
    }
    Found<MoveConsent> before = hdfs.read(MoveConsent.RECORD, ROOT);
    new ScanChore(
            layout,
            settings,
            namespaces,
            () -> new TierFiles(layout, Long.MAX_VALUE, Long.MAX_VALUE),
            () -> TierTotals.now(settings, conf),
            () -> false,
            ScanPace.of(1_000))
        .doWork();
    return !hdfs.read(MoveConsent.RECORD, ROOT).equals(before);
  }

  private boolean grant(Version from) throws IOException {
    TierState open = TierState.open(1_000, 1_000, 1, "m");
    if (from == Version.THIS) {
      hdfs.write(TierState.RECORD, ROOT, open);
    } else {
      foreign(ROOT, TierState.XATTR, open.toString(), from);
    }
    TierState followed = TierState.followed(TierState.on(hdfs, ROOT));
    return followed.open();
  }
}
