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
import io.github.hybridhbase.hdfs.PlacedDirectory;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that dies between any two writes of a {@link PlacedDirectory}. */
@InterfaceAudience.Private
class PlacedDirectoryCrashTest {
  private static final Path ROOT = new Path("/hbase");
  private static final String WALS = "/hbase/WALs";
  private static final String SERVER = WALS + "/a,1,1";
  private static final int UNSET = StoragePolicy.UNSPECIFIED;

  private final HybridSettings settings = HybridSettings.read(new Configuration(false));
  private final Layout layout = new Layout(ROOT, ROOT);
  private final DirectoryRule rule = layout.walRules(settings).get(0);
  private FakeNamespace hdfs;
  private Namespaces namespaces;

  /** Who writes. */
  private enum Writer {
    ENFORCER,
    DEMOTION,
    RESTORATION,
    FALLBACK,
    RETURN,
    REVERT
  }

  private void begin(Writer writer) throws IOException {
    hdfs = new FakeNamespace().with("/hbase", 0).with(WALS, UNSET).with(SERVER, UNSET);
    namespaces = path -> Optional.of(hdfs);
    if (writer != Writer.ENFORCER) {
      write(Writer.ENFORCER);
    }
    if (writer == Writer.RESTORATION) {
      write(Writer.DEMOTION);
    }
    if (writer == Writer.RETURN) {
      write(Writer.FALLBACK);
    }
  }

  private void write(Writer writer) throws IOException {
    PlacedDirectory server = new PlacedDirectory(namespaces, hdfs, new Path(SERVER));
    switch (writer) {
      case ENFORCER:
        new DirectoryEnforcer(namespaces, 0, false).place(List.of(rule));
        break;
      case DEMOTION:
        new SsdDemoter(namespaces, 0).demote(rule);
        break;
      case RESTORATION:
        new SsdDemoter(namespaces, 0).restore(rule);
        break;
      case FALLBACK:
        server.leaveSsd(rule.policy());
        break;
      case RETURN:
        server.inherit();
        server.forget();
        break;
      default:
        revert();
    }
  }

  private void revert() throws IOException {
    List<DirectoryState> found = new DirectoryReader(layout, namespaces).look(settings, true);
    DirectoryEnforcer.ofTool(namespaces, 0)
        .carryOut(DirectoryPlan.toRevert(found).changes(), () -> false);
  }

  @ParameterizedTest
  @EnumSource(Writer.class)
  void policyIsExplainedAndCanBeUndone(Writer writer) throws IOException {
    int cuts = 0;
    boolean died = true;
    for (int cut = 0; died; cut++) {
      begin(writer);
      int before = hdfs.writes().size();
      hdfs.diesAfter(before + cut);
      try {
        write(writer);
      } catch (IOException e) {
        assertEquals("died", e.getMessage());
      }
      died = hdfs.writes().size() >= before + cut; // probes are writes too, which do not die
      hdfs.diesAfter(Integer.MAX_VALUE);
      String context = writer + " died after " + cut + " writes: " + hdfs.writes();
      for (String path : new String[] {WALS, SERVER}) {
        assertTrue(PolicyProvenance.isOurs(hdfs.provenanceOf(path), hdfs.own(path)), context);
      }
      revert();
      for (String path : new String[] {WALS, SERVER}) {
        assertEquals(UNSET, hdfs.own(path), context);
        assertEquals(Optional.empty(), hdfs.provenanceOf(path), context);
      }
      cuts = cut;
    }
    assertTrue(cuts >= 2, writer + " makes " + cuts + " writes");
  }
}
