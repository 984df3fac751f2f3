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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridKeys;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.directory.DirectoryReader;
import io.github.hybridhbase.directory.DirectoryState;
import io.github.hybridhbase.hdfs.Found;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.metrics.LogOnChange;
import io.github.hybridhbase.placement.Layout;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a scan may move data that was there before, as it stood when the scan began, and what the
 * scan says of that at its end: that all is in place, so that whatever is misplaced later may be
 * moved, or what waits for somebody's word. One thread.
 */
@InterfaceAudience.Private
final class ScanConsent {
  private static final Logger LOG = LoggerFactory.getLogger(ScanConsent.class);

  private final Layout layout;
  private final HybridSettings settings;
  private final Namespaces namespaces;
  private final StorageNamespace root;
  private final Path keeper;
  private final Expectation expectation;
  private final LogOnChange logged;
  private final Found<MoveConsent> before;

  /**
   * Reads what stands.
   *
   * @param root of the HDFS that keeps it
   * @param expectation of the scan
   * @param logged knows what earlier scans have said
   */
  ScanConsent(
      Layout layout,
      HybridSettings settings,
      Namespaces namespaces,
      StorageNamespace root,
      Expectation expectation,
      LogOnChange logged)
      throws IOException {
    this.layout = layout;
    this.settings = settings;
    this.namespaces = namespaces;
    this.root = root;
    this.expectation = expectation;
    this.logged = logged;
    this.keeper = namespaces.keeper(layout);
    this.before = root.consent(keeper);
  }

  /** Whether the scan may move what is misplaced. */
  boolean given() {
    return settings.moveExisting() || covers(before);
  }

  /**
   * Whether a scan has seen this declaration, or somebody agreed to it. Where nobody did, the SSD
   * tier waits for a scan.
   */
  boolean isKnown() {
    return settings.moveExisting()
        || before
            .read()
            .filter(consent -> consent.declaration().equals(expectation.declaration()))
            .isPresent();
  }

  /**
   * A scan has ended.
   *
   * @param pending what it would have moved, had it been allowed to
   * @return what waits for somebody's word; empty where nothing does
   */
  Optional<String> ends(ScanReport scan, PendingMoves pending) throws IOException {
    // Asked for again, since a scan may take hours and 'apply' may have run meanwhile.
    Found<MoveConsent> stands = root.consent(keeper);
    if (stands.isForeign() || covers(stands) || !isItsToSay(stands)) {
      return Optional.empty();
    }
    if (settled(scan) && expectation.whole()) {
      write(MoveConsent.given(expectation.declaration()));
    } else if (settings.moveExisting() || settings.moveRate() == 0 || pending.isEmpty()) {
      // One for another declaration must not be found again when that one returns.
      if (!stands.isAbsent()) {
        root.removeConsent(keeper);
      }
    } else {
      await(pending, stands);
      return Optional.of(pending.toString());
    }
    return Optional.empty();
  }

  private boolean covers(Found<MoveConsent> consent) {
    return consent.read().filter(one -> one.covers(expectation.declaration())).isPresent();
  }

  /**
   * Whether the consent is the scan's to give or to take back at its end: not where the declaration
   * has changed on its way, and not where somebody has given one since it began, whatever for: the
   * next scan judges that.
   */
  private boolean isItsToSay(Found<MoveConsent> stands) throws IOException {
    if (!stands.equals(before) && stands.read().filter(MoveConsent::given).isPresent()) {
      return false;
    }
    List<DirectoryState> found = new DirectoryReader(layout, namespaces).look(settings, false);
    Expectation now = Expectation.of(settings, false, found);
    return now.declaration().equals(expectation.declaration());
  }

  /** Whether all is known to be where it should be. */
  private static boolean settled(ScanReport scan) {
    return scan.anomaly(ScanReport.Anomaly.UNREADABLE).count() == 0
        && Arrays.stream(Component.values())
            .allMatch(
                component ->
                    scan.closed(component).misplacedFiles() == 0
                        && scan.underReplicated(component).count() == 0);
  }

  /** Says what waits, again only when it is of another order of magnitude. */
  private void await(PendingMoves pending, Found<MoveConsent> stands) throws IOException {
    String declaration = expectation.declaration();
    boolean said = stands.read().flatMap(MoveConsent::waiting).isPresent();
    boolean news = logged.isNews("waiting", declaration + pending.magnitude());
    if (news) {
      LOG.warn(
          "Data that was there before is not where it is declared to be ({}): {}. Nothing of it is"
              + " moved until 'hbase-hybrid apply' is run or {}=true is set for the master",
          declaration,
          pending,
          HybridKeys.MOVE_EXISTING);
    }
    MoveConsent waiting = MoveConsent.waiting(declaration, pending.toString());
    boolean differs = !said || news && !stands.equals(Found.of(waiting));
    if (differs && !write(waiting) && news) {
      LOG.warn(
          "HDFS keeps no xattrs, so the scan does not learn of 'apply': only {} counts",
          HybridKeys.MOVE_EXISTING);
    }
  }

  /** Whether HDFS keeps it; it does not where it keeps no xattrs, and then only the key counts. */
  private boolean write(MoveConsent consent) throws IOException {
    try {
      if (!namespaces.held()) {
        root.setConsent(keeper, consent);
      }
      return true;
    } catch (IOException e) {
      if (!HdfsError.of(e).is(HdfsErrorKind.XATTRS_DISABLED)) {
        throw e;
      }
      LOG.debug("{} cannot be kept", consent, e);
      return false;
    }
  }
}
