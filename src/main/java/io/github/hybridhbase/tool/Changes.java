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
package io.github.hybridhbase.tool;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.placement.DirectoryAction;
import io.github.hybridhbase.placement.DirectoryEnforcer;
import io.github.hybridhbase.placement.DirectoryPlan;
import io.github.hybridhbase.placement.DirectoryReader;
import io.github.hybridhbase.placement.DirectoryState;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.IoSupplier;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.scan.BlockScanner;
import io.github.hybridhbase.scan.FileContext;
import io.github.hybridhbase.scan.MisplacedFileMover;
import io.github.hybridhbase.tool.cli.Progress;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Session.UnreachableException;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/** The common part of {@code apply} and {@code revert}. */
@InterfaceAudience.Private
final class Changes {
  /**
   * Maximum rounds of undoing, since a server that was about to set a policy may do so after the
   * hold.
   */
  private static final int ROUNDS = 5;

  private final Session session;
  private final ChangeReport report;
  private final boolean dryRun;
  private final boolean debug;
  private final int rate;
  private Optional<Boolean> expected = Optional.empty();
  private boolean overtaken;

  Changes(Session session, CommandLine options, String verb) throws UsageException {
    this.session = session;
    this.dryRun = options.hasOption("dry-run");
    this.debug = options.hasOption("debug");
    this.rate = Verb.wholeNumber(options, "rate", session.settings().moveRate(), 1_000);
    this.report = new ChangeReport(verb, dryRun);
  }

  static Options options() {
    Options options = new Options();
    options.addOption(null, "dry-run", false, "print what would be done, and do nothing");
    options.addOption(
        null,
        "rate",
        true,
        "ask HDFS to move this many files a second, 0 to 1000; 0 = none (the key"
            + " hbase.hybrid.move.rate)");
    options.getOption("rate").setArgName("N");
    return options;
  }

  boolean dryRun() {
    return dryRun;
  }

  boolean consents() {
    return !dryRun && rate > 0;
  }

  ChangeReport report() {
    return report;
  }

  /**
   * Carries out steps of the verb. An error of HDFS ends them; the report then has the error, and
   * what was done until then.
   *
   * @param steps return false if they ended early
   * @return whether they were done to the end
   */
  boolean attempt(IoSupplier<Boolean> steps) {
    try {
      return steps.get();
    } catch (IOException e) {
      if (session.stop().requested()) {
        report.stopped();
      } else {
        report.failed(HdfsError.of(e));
        if (debug) {
          e.printStackTrace(session.err());
        }
      }
      return false;
    }
  }

  StorageNamespace rootNamespace() throws IOException {
    return session
        .namespace(session.keeper())
        .orElseThrow(() -> new UnreachableException(session.keeper() + " is not on HDFS"));
  }

  void carryOut(List<DirectoryAction> actions) {
    long walBlockSize = WalFiles.configuredBlockSize(session.conf());
    if (dryRun) {
      actions.forEach(action -> report.add(new DirectoryAction.Result(action, action.kind(), "")));
    } else {
      DirectoryEnforcer.ofTool(session.namespaces(), walBlockSize)
          .carryOut(actions, () -> session.stop().requested() || mayNotUndo())
          .forEach(report::add);
    }
    if (session.stop().requested()) {
      report.stopped();
    }
  }

  /**
   * Whether another admin's {@code revert} or {@code apply} changed the hold meanwhile. Checked
   * before each write.
   */
  private boolean isOvertaken() {
    try {
      overtaken |= expected.isPresent() && session.namespaces().held() != expected.get();
    } catch (IOException e) {
      report.trouble(HdfsError.of(e).explain());
    }
    return overtaken;
  }

  /**
   * Applies to {@code revert} only: what {@code apply} sets checks the hold itself and reports each
   * directory.
   */
  private boolean mayNotUndo() {
    return expected.filter(held -> held).isPresent() && isOvertaken();
  }

  /**
   * Sets the hold that must stay; any change of it ends this command. Without effect in a dry run.
   */
  void expect(boolean held) {
    expected = dryRun ? Optional.empty() : Optional.of(held);
  }

  /** The last step of {@code revert}: another admin's {@code apply} prevails. */
  void yieldToApply() {
    if (isOvertaken()) {
      report.trouble(
          "Somebody ran 'hbase-hybrid apply' meanwhile: the hold is gone, so this command stopped"
              + " undoing. Settle who is right, then run one of the two again.");
    }
  }

  /**
   * The last step of {@code apply}: under a new hold, undoes this command as {@code revert} would,
   * because its last write may have come after the other admin's last check.
   */
  void yieldToRevert() {
    if (!isOvertaken()) {
      return;
    }
    expect(true);
    overtaken = false;
    report.trouble(
        "Somebody reverted meanwhile: a hold stands, so what this command did is undone. Settle who"
            + " is right, then run 'hbase-hybrid apply' again.");
    attempt(
        () -> {
          undo();
          return true;
        });
  }

  /** Removes the records on HBase's root, except the hold and those of other versions. */
  void forgetRoot() throws IOException {
    Path root = session.keeper();
    StorageNamespace namespace = rootNamespace();
    if (!TierState.on(namespace, root).isForeign()) {
      namespace.remove(TierState.RECORD, root);
    }
    if (!namespace.read(MoveConsent.RECORD, root).isForeign()) {
      namespace.remove(MoveConsent.RECORD, root);
    }
  }

  void undo() throws IOException {
    if (!dryRun && !session.stop().requested() && session.namespaces().held()) {
      forgetRoot();
    }
    for (int round = 0; round < ROUNDS && undoOnce(); round++) {
      // repeats for what was set meanwhile
    }
  }

  private boolean undoOnce() throws IOException {
    List<DirectoryState> found =
        new DirectoryReader(session.layout(), session.namespaces()).look(session.settings(), true);
    found.forEach(one -> one.trouble().ifPresent(report::trouble));
    List<DirectoryAction> actions = DirectoryPlan.toRevert(found).changes();
    carryOut(actions);
    return !dryRun && !session.stop().requested() && !overtaken && !actions.isEmpty();
  }

  void consent(String declaration) throws IOException {
    if (!consents() || session.stop().requested()) {
      return;
    }
    if (isOvertaken()) {
      return;
    }
    Path root = session.keeper();
    try {
      Optional<MoveConsent> stands = rootNamespace().read(MoveConsent.RECORD, root).read();
      if (stands.filter(one -> one.covers(declaration)).isEmpty()) {
        rootNamespace().write(MoveConsent.RECORD, root, MoveConsent.given(declaration));
        report.message("The master's scan may move what is not where it is declared to be.");
      }
    } catch (IOException e) {
      if (HdfsError.of(e).is(HdfsError.Kind.XATTRS_DISABLED)) {
        report.message(
            "HDFS keeps no xattrs, so the master's scan does not learn of this: it moves existing"
                + " data only with "
                + HybridKeys.MOVE_EXISTING
                + "=true.");
      } else {
        report.trouble(HdfsError.of(e).explain());
      }
    }
  }

  /** Or only counts them in a dry run. */
  void freeTieredFiles() throws IOException {
    TieredFiles files = new TieredFiles();
    try {
      new BlockScanner(session.layout(), session.namespaces(), session.stop()::requested, 0)
          .walk(files);
    } finally {
      report.unreadable(files.unreadable);
      if (files.freed > 0) {
        report.message(
            "Store files that "
                + (dryRun ? "would lose" : "lost")
                + " the policy the SSD tier wrote them under: "
                + files.freed
                + ". HBase writes them to DISK when it compacts them.");
      }
    }
  }

  private final class TieredFiles implements BlockScanner.Visitor {
    private long freed;
    private long unreadable;

    @Override
    public void file(FileContext context, FileBlocks file) throws IOException {
      if (!file.open() && context.isPinned(file) && (dryRun || free(file.path()))) {
        freed++;
      }
    }

    private boolean free(Path file) throws IOException {
      try {
        Optional<StorageNamespace> namespace = session.namespace(file);
        if (namespace.isPresent()) {
          namespace.get().unsetPolicy(file);
        }
        return namespace.isPresent();
      } catch (FileNotFoundException e) {
        return false; // compacted away meanwhile
      } catch (AccessControlException e) {
        unreadable++;
        return false;
      }
    }

    @Override
    public void unreadable(Path directory, AccessControlException e) {
      unreadable++;
    }
  }

  /** Or only counts them in a dry run. */
  void move(BiFunction<FileContext, FileBlocks, StoragePolicy> wanted) throws IOException {
    if (session.stop().requested()) {
      report.stopped();
      return;
    }
    Progress progress = new Progress(session.err(), "looking for files to move", System::nanoTime);
    MisplacedFileMover moves =
        new MisplacedFileMover(
            (context, file) -> {
              progress.step();
              return wanted.apply(context, file);
            },
            this::satisfy,
            dryRun ? 0 : rate,
            () -> !session.stop().requested() && !overtaken);
    try {
      new BlockScanner(session.layout(), session.namespaces(), session.stop()::requested, 0)
          .walk(moves);
    } finally {
      report.moves(moves);
    }
    if (!dryRun && rate == 0 && moves.files() > 0) {
      report.message("The rate of moves is 0: nothing was asked to move.");
    }
    if (session.stop().requested()) {
      report.stopped();
    }
  }

  private void satisfy(Path file, boolean unset) throws IOException {
    if (isOvertaken()) {
      throw new FileNotFoundException(file + " is held");
    }
    Optional<StorageNamespace> namespace = session.namespace(file);
    if (namespace.isEmpty()) {
      throw new FileNotFoundException(file.toString());
    }
    if (unset) {
      namespace.get().unsetPolicy(file);
    }
    // Again, since HDFS may still be carrying out an opposite request of a previous command.
    namespace.get().satisfyAgain(file);
  }

  int finish() {
    report.print(session.json(), session.out());
    return report.exit();
  }
}
