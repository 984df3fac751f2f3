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
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.directory.DirectoryState;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.RootPolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.RateLimiter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Asks HDFS to move each misplaced closed file that it would move to the right place, within a
 * rate. Streamed by a {@link BlockScanner}; once HDFS says that nobody moves blocks it asks no
 * more, but goes on counting. A file for which HDFS does not take the request is counted and passed
 * over; the walk ends where HDFS as a whole cannot be asked, and asks no more after {@value
 * #IN_A_ROW} failures in a row. Not thread-safe.
 */
@InterfaceAudience.Private
public final class MisplacedFileMover implements BlockScanner.Visitor {
  /** Asks HDFS for one move. */
  @InterfaceAudience.Private
  public interface Satisfier {
    /**
     * Asks; see {@link io.github.hybridhbase.hdfs.StorageNamespace#satisfy}.
     *
     * @param unset whether the file has to lose its own policy first
     */
    void satisfy(Path file, boolean unset) throws IOException;
  }

  private static final int IN_A_ROW = 100;

  private final BiFunction<FileContext, FileBlocks, StoragePolicy> wanted;
  private final Satisfier satisfier;
  private final Optional<RateLimiter> rate;
  private final BooleanSupplier allowed;
  private long files;
  private long bytes;
  private long asked;
  private long unreadable;
  private long failed;
  private long refused;
  private int inARow;
  private String firstFailure = "";
  private String trouble;

  /**
   * Makes a mover.
   *
   * @param wanted the policy each file's replicas should follow
   * @param filesPerSecond 1 or more; 0 asks for no move and only counts
   * @param allowed asked before each request, so that a hold which comes in between stops it
   */
  public MisplacedFileMover(
      BiFunction<FileContext, FileBlocks, StoragePolicy> wanted,
      Satisfier satisfier,
      int filesPerSecond,
      BooleanSupplier allowed) {
    this.wanted = wanted;
    this.satisfier = satisfier;
    this.rate =
        filesPerSecond > 0 ? Optional.of(RateLimiter.create(filesPerSecond)) : Optional.empty();
    this.allowed = allowed;
  }

  /**
   * Where a file belongs once the plugin's policies are gone: what is in force on it, by which HDFS
   * itself would place it. What is declared NONE, or follows an admin's policy above, was never the
   * plugin's to move.
   *
   * @param admins the roots with such a policy, see {@link RootPolicy#roots}
   */
  public static StoragePolicy back(
      HybridSettings settings, List<Path> admins, FileContext context, FileBlocks file) {
    Component component = Expectation.settled(context.component());
    return context.erasureCoded()
            || settings.policy(component) == StoragePolicy.NONE
            || DirectoryState.below(admins, component, file.path())
        ? StoragePolicy.NONE
        : Expectation.inForce(file.policy());
  }

  @Override
  public void file(FileContext context, FileBlocks file) throws IOException {
    StoragePolicy policy = wanted.apply(context, file);
    if (!Expectation.movable(context, file, policy)) {
      return;
    }
    files++;
    bytes += file.misplacedBytes(policy);
    if (rate.isEmpty() || trouble != null || !allowed.getAsBoolean()) {
      return;
    }
    rate.get().acquire();
    try {
      satisfier.satisfy(file.path(), Expectation.mustLose(context, file));
      asked++;
      inARow = 0;
    } catch (FileNotFoundException e) {
      // It went since it was listed: an old WAL, or compacted away.
      files--;
      bytes -= file.misplacedBytes(policy);
    } catch (AccessControlException e) {
      unreadable++;
    } catch (IOException e) {
      refused++;
      HdfsError error = HdfsError.of(e);
      if (error.kind().refusesMoves()) {
        trouble = error.remedy();
      } else {
        pass(file, error, e);
      }
    }
  }

  private void pass(FileBlocks file, HdfsError error, IOException e) throws IOException {
    inARow++;
    if (error.kind().isOfAllFiles()) {
      throw e;
    }
    failed++;
    if (firstFailure.isEmpty()) {
      firstFailure = file.path() + ": " + error.text();
    }
    if (inARow >= IN_A_ROW) {
      trouble =
          "HDFS did not take "
              + inARow
              + " requests to move a file one after the other, and was asked no more; the first"
              + " that failed is "
              + firstFailure;
    }
  }

  @Override
  public void unreadable(Path directory, AccessControlException e) {
    unreadable++;
  }

  /** Misplaced closed files that HDFS would move to the right place. */
  public long files() {
    return files;
  }

  /** Bytes of their replicas on the wrong medium. */
  public long bytes() {
    return bytes;
  }

  /** Files that HDFS was asked to move and took the request for. */
  public long asked() {
    return asked;
  }

  /** Requests that HDFS did not take. */
  public long refused() {
    return refused;
  }

  /** Directories and files that this user has no right to. */
  public long unreadable() {
    return unreadable;
  }

  /** Why HDFS moves nothing, nothing more now, or not all, and what remedies it. */
  public Optional<String> trouble() {
    if (trouble != null || failed == 0) {
      return Optional.ofNullable(trouble);
    }
    return Optional.of(
        "HDFS did not take the request to move some of them, "
            + failed
            + ", and was asked for the others; the first is "
            + firstFailure);
  }
}
