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
package io.github.hybridhbase.wal.fallback;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step that turns a WAL's directory to HOT before the WAL is first tried on DISK; repeated if the
 * NameNode's response is lost. Not thread-safe.
 */
@InterfaceAudience.Private
final class SsdExit {
  private static final Logger LOG = LoggerFactory.getLogger(SsdExit.class);

  private final WalFallback fallback;
  private final Path path;

  /** Why to leave SSD; null once done. */
  private String refusal;

  private HdfsErrorKind cause = HdfsErrorKind.OTHER;

  private boolean turning;

  SsdExit(WalFallback fallback, Path path) {
    this.fallback = fallback;
    this.path = path;
  }

  void decide(String reason, HdfsErrorKind kind) {
    refusal = reason;
    cause = kind;
  }

  /**
   * Turns the directory if that was decided and is not done.
   *
   * @throws IOException only if the NameNode is unavailable, or the opening is over
   */
  void leave() throws IOException {
    if (refusal == null) {
      return;
    }
    try {
      // A lost response may have turned it already.
      if (turning || fallback.wantsSsd()) {
        turning = true;
        fallback.leaveSsd(path, refusal, cause);
      }
    } catch (IOException e) {
      HdfsErrorKind kind = HdfsError.of(e).kind();
      if (kind.isNameNodes() || kind.isOver()) {
        throw e; // a denied policy change does not concern the WAL itself
      }
      notTurned(e);
    } catch (RuntimeException e) {
      notTurned(e);
    }
    refusal = null;
  }

  private void notTurned(Exception e) {
    LOG.warn(
        "SSD refused the WAL {}: {}. {} cannot be turned to HOT; the WAL is tried as it is",
        path,
        refusal,
        fallback.directory(),
        e);
  }
}
