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
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.RateLimiter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A {@link BlockScanner} visitor that requests, at a limited rate, the move of each misplaced
 * closed file that HDFS would place correctly. Not thread-safe.
 *
 * <p>A failed request is counted and skipped. Requests end, and counting goes on, once HDFS reports
 * that nothing moves blocks, or after {@value #IN_A_ROW} consecutive failures. An error that
 * concerns all of HDFS ends the walk.
 */
@InterfaceAudience.Private
public final class MisplacedFileMover implements BlockScanner.Visitor {
  @InterfaceAudience.Private
  public interface Satisfier {
    /**
     * Requests a move; see {@link io.github.hybridhbase.hdfs.StorageNamespace#satisfy}.
     *
     * @param unset whether to remove the file's own policy first
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
   * @param filesPerSecond maximum rate; 0 only counts
   * @param allowed checked before each request, since a hold may begin meanwhile
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
      // Deleted since it was listed: an old WAL, or compacted away.
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

  public long files() {
    return files;
  }

  public long bytes() {
    return bytes;
  }

  public long asked() {
    return asked;
  }

  public long refused() {
    return refused;
  }

  public long unreadable() {
    return unreadable;
  }

  /** Empty if HDFS was asked to move all. */
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
