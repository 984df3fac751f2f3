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

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.placement.DirectoryAction;
import io.github.hybridhbase.report.Json;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.MisplacedFileMover;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The changes of {@code apply} or {@code revert}, done or planned, as text and JSON (docs/json.md).
 */
@InterfaceAudience.Private
final class ChangeReport {
  private final String verb;
  private final boolean dryRun;
  private final List<String> messages = new ArrayList<>();
  private final List<DirectoryAction.Result> done = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();
  private Optional<MisplacedFileMover> moves = Optional.empty();
  private long unreadable;
  private boolean stopped;
  private boolean failed;

  ChangeReport(String verb, boolean dryRun) {
    this.verb = verb;
    this.dryRun = dryRun;
  }

  void message(String text) {
    messages.add(text);
  }

  void sayOnce(String text) {
    if (!messages.contains(text)) {
      message(text);
    }
  }

  void add(DirectoryAction.Result one) {
    done.add(one);
  }

  void trouble(String text) {
    if (!troubles.contains(text)) {
      troubles.add(text);
    }
  }

  void moves(MisplacedFileMover all) {
    moves = Optional.of(all);
    all.trouble().ifPresent(this::trouble);
    unreadable(all.unreadable());
  }

  /**
   * Each walk meets the same ones, so the largest number counts.
   *
   * @param some directories and files that this user may not read or change
   */
  void unreadable(long some) {
    unreadable = Math.max(unreadable, some);
  }

  void stopped() {
    stopped = true;
  }

  /** HDFS failed before the verb was done. */
  void failed(HdfsError error) {
    failed = true;
    trouble(
        error.kind().isOfAllFiles()
            ? "the rest, since HDFS failed ("
                + error.text()
                + "). Run this again once the NameNode answers and is not in safe mode."
            : error.explain());
  }

  private List<String> troubles() {
    List<String> all = new ArrayList<>(troubles);
    if (unreadable > 0) {
      all.add(
          Text.count(unreadable, "directory or file")
              + " may not be read or changed by this user. Run this as HBase's own user.");
    }
    return all;
  }

  int exit() {
    if (stopped) {
      return Exit.STOPPED;
    }
    boolean right = done.stream().allMatch(ChangeReport::right);
    return right && troubles().isEmpty() ? Exit.FINE : Exit.FINDINGS;
  }

  private static boolean right(DirectoryAction.Result one) {
    return one.kind().holds() && one.kind() != DirectoryAction.Kind.HELD;
  }

  void print(boolean json, PrintStream out) {
    if (json) {
      Json.print(json(), out);
    } else {
      text(out);
    }
  }

  private void text(PrintStream out) {
    messages.forEach(text -> out.println(Text.escape(text)));
    for (DirectoryAction.Result one : done) {
      DirectoryAction action = one.action();
      String what =
          action.kind().name().toLowerCase(java.util.Locale.ROOT)
              + "  "
              + action.path().toUri().getPath()
              + "  "
              + StoragePolicy.describe(action.policy());
      String detail = one.detail().isEmpty() ? "" : "  " + one.detail();
      if (one.kind() == DirectoryAction.Kind.HELD) {
        out.println(
            Text.escape(
                "held  " + action.path().toUri().getPath() + "  Somebody reverted meanwhile."));
      } else {
        out.println(Text.escape((right(one) ? "" : "FAILED  ") + what + detail));
      }
    }
    moves.ifPresent(
        all ->
            out.println(
                Text.count(all.files(), "misplaced closed file")
                    + ", "
                    + Text.bytes(all.bytes())
                    + " of replicas to move"
                    + (dryRun ? "" : "; HDFS was asked for " + all.asked())));
    troubles().forEach(text -> out.println(Text.escape("Not done: " + text)));
    if (stopped || failed) {
      out.println("Stopped before the end; run it again to go on.");
    } else if (dryRun) {
      out.println("This was a dry run: nothing was changed.");
    } else if (done.isEmpty() && messages.isEmpty() && troubles().isEmpty()) {
      out.println("No directory needed a change.");
    }
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", "hbase-hybrid/" + verb + "/1");
    json.put("exit", exit());
    json.put("dryRun", dryRun);
    json.put("complete", !stopped && !failed);
    json.put("messages", messages);
    List<Object> actions = new ArrayList<>();
    for (DirectoryAction.Result one : done) {
      Map<String, Object> action = new LinkedHashMap<>();
      action.put("action", one.action().kind().name());
      action.put("path", one.action().path().toUri().getPath());
      action.put("policy", StoragePolicy.describe(one.action().policy()));
      action.put("right", right(one));
      action.put("detail", one.detail());
      actions.add(action);
    }
    json.put("actions", actions);
    Map<String, Object> moved = new LinkedHashMap<>();
    moved.put("files", moves.map(MisplacedFileMover::files).orElse(0L));
    moved.put("bytes", moves.map(MisplacedFileMover::bytes).orElse(0L));
    moved.put("asked", moves.map(MisplacedFileMover::asked).orElse(0L));
    json.put("moves", moved);
    json.put("troubles", troubles());
    return json;
  }
}
