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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.placement.DirectoryReader;
import io.github.hybridhbase.placement.DirectoryState;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consent to move existing data, read at the start of a scan and updated at its end: if all is
 * in place, later moves are upkeep; otherwise moves await the admin. One thread.
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
   * @param root of the HDFS that stores it
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
    this.before = root.read(MoveConsent.RECORD, keeper);
  }

  boolean given() {
    return settings.moveExisting() || covers(before);
  }

  /**
   * Whether a scan recorded this declaration or an admin consented to it. Until then the SSD tier
   * waits for a scan.
   */
  boolean isKnown() {
    return settings.moveExisting()
        || before
            .read()
            .filter(consent -> consent.declaration().equals(expectation.declaration()))
            .isPresent();
  }

  /**
   * @return the moves that await consent; empty if none
   */
  Optional<String> ends(ScanReport scan, PendingMoves pending) throws IOException {
    // 'apply' may have run during the scan.
    Found<MoveConsent> stands = root.read(MoveConsent.RECORD, keeper);
    if (stands.isForeign() || covers(stands) || !mayChange(stands)) {
      return Optional.empty();
    }
    List<String> why = unsettled(scan);
    if (why.isEmpty() && expectation.whole()) {
      write(MoveConsent.given(expectation.declaration()));
    } else if (settings.moveExisting() || settings.moveRate() == 0 || pending.isEmpty()) {
      logUnsettled(why);
      // Otherwise this consent would apply again if its declaration returned.
      if (!stands.isAbsent()) {
        root.remove(MoveConsent.RECORD, keeper);
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
   * Whether this scan may change the consent: not if the declaration changed or any consent was
   * given meanwhile. The next scan decides then.
   */
  private boolean mayChange(Found<MoveConsent> stands) throws IOException {
    if (!stands.equals(before) && stands.read().filter(MoveConsent::given).isPresent()) {
      return false;
    }
    List<DirectoryState> found = new DirectoryReader(layout, namespaces).look(settings, false);
    Expectation now = Expectation.of(settings, false, found);
    return now.declaration().equals(expectation.declaration());
  }

  /** The kinds of what is not in place, by component. */
  static List<String> unsettled(ScanReport scan) {
    List<String> why = new ArrayList<>();
    ScanReport.Sample unreadable = scan.anomaly(ScanReport.Anomaly.UNREADABLE);
    if (unreadable.count() > 0) {
      why.add(unreadable.count() + " unreadable, such as " + unreadable.examples().get(0));
    }
    for (Component component : Component.values()) {
      if (scan.closed(component).misplacedFiles() > 0) {
        why.add("misplaced files of " + component.label());
      }
      if (scan.underReplicated(component).count() > 0) {
        why.add("under-replicated files of " + component.label());
      }
    }
    return why;
  }

  /** Logs why the SSD tier stays closed though nothing waits for consent. */
  private void logUnsettled(List<String> why) {
    // By kind, or each file more would be news.
    boolean news = logged.changed("unsettled", why.isEmpty() ? "" : String.join(" ", why));
    if (news && !settings.moveExisting()) {
      LOG.warn(
          "The scan could not confirm that existing data is where it is declared to be: {}. No "
              + "data is moved, and the SSD tier stays closed, until a later scan "
              + "(hbase.hybrid.scan.period) finds all of it in place or 'hbase-hybrid apply' is run.",
          String.join("; ", why));
    }
  }

  /** Logged again only if their order of magnitude changes. */
  private void await(PendingMoves pending, Found<MoveConsent> stands) throws IOException {
    String declaration = expectation.declaration();
    boolean recorded = stands.read().flatMap(MoveConsent::waiting).isPresent();
    boolean news = logged.changed("waiting", declaration + pending.magnitude());
    if (news) {
      LOG.warn(
          "Existing data is not where it is declared to be ({}): {}. It is not moved, and the "
              + "SSD tier stays closed, until 'hbase-hybrid apply' is run or {}=true is set for the "
              + "master.",
          declaration,
          pending,
          HybridKeys.MOVE_EXISTING);
    }
    MoveConsent waiting = MoveConsent.waiting(declaration, pending.toString());
    boolean differs = !recorded || news && !stands.equals(Found.of(waiting));
    if (differs && !write(waiting) && news) {
      LOG.warn(
          "HDFS has xattrs disabled, so 'hbase-hybrid apply' cannot record its consent to move "
              + "existing data: that data stays where it is unless {}=true is set for the master. Or "
              + "set dfs.namenode.xattrs.enabled=true on the NameNodes.",
          HybridKeys.MOVE_EXISTING);
    }
  }

  /** False if HDFS has xattrs disabled; only the key gives consent then. */
  private boolean write(MoveConsent consent) throws IOException {
    try {
      if (!namespaces.held()) {
        root.write(MoveConsent.RECORD, keeper, consent);
      }
      return true;
    } catch (IOException e) {
      if (!HdfsError.of(e).is(HdfsError.Kind.XATTRS_DISABLED)) {
        throw e;
      }
      LOG.debug("{} cannot be kept", consent, e);
      return false;
    }
  }

  /**
   * A sum, by target policy, of the closed files that HDFS would move if asked. Not thread-safe.
   */
  static final class PendingMoves {
    private static final class Sum {
      private long files;
      private long bytes;
    }

    private final Map<StoragePolicy, Sum> sums = new EnumMap<>(StoragePolicy.class);

    void add(FileContext context, FileBlocks file, StoragePolicy wanted) {
      if (Expectation.movable(context, file, wanted)) {
        Sum sum = sums.computeIfAbsent(wanted, any -> new Sum());
        sum.files++;
        sum.bytes += file.misplacedBytes(wanted);
      }
    }

    boolean isEmpty() {
      return sums.isEmpty();
    }

    String magnitude() {
      return sums.entrySet().stream()
          .map(one -> one.getKey() + digits(one.getValue().files) + digits(one.getValue().bytes))
          .collect(Collectors.joining());
    }

    private static String digits(long number) {
      return " " + Long.toString(number).length();
    }

    private static String media(StoragePolicy policy) {
      switch (policy) {
        case ALL_SSD:
          return "SSD";
        case ONE_SSD:
          return "SSD and DISK";
        case WARM:
          return "DISK and ARCHIVE";
        case COLD:
          return "ARCHIVE";
        default:
          return "DISK";
      }
    }

    @Override
    public String toString() {
      return sums.entrySet().stream()
          .map(
              one ->
                  one.getValue().files
                      + (one.getValue().files == 1 ? " file with " : " files with ")
                      + Text.bytes(one.getValue().bytes)
                      + " of replicas to "
                      + media(one.getKey()))
          .collect(Collectors.joining(", "));
    }
  }
}
