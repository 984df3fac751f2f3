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
 * Turns the directory of a WAL to HOT before that WAL is first tried on DISK, as often as it takes
 * where the NameNode's answers are lost. One thread.
 */
@InterfaceAudience.Private
final class SsdExit {
  private static final Logger LOG = LoggerFactory.getLogger(SsdExit.class);

  private final WalFallback fallback;
  private final Path path;

  /** Why SSD is to be left, until that is done. */
  private String refusal;

  private HdfsErrorKind cause = HdfsErrorKind.OTHER;

  private boolean turning;

  SsdExit(WalFallback fallback, Path path) {
    this.fallback = fallback;
    this.path = path;
  }

  /** SSD is to be left for this reason. */
  void decide(String reason, HdfsErrorKind kind) {
    refusal = reason;
    cause = kind;
  }

  /**
   * Does it where it was decided and is not done.
   *
   * @throws IOException only where the NameNode cannot be asked, or the opening is over
   */
  void leave() throws IOException {
    if (refusal == null) {
      return;
    }
    try {
      // An answer that did not arrive may have turned it already.
      if (turning || fallback.wantsSsd()) {
        turning = true;
        fallback.leaveSsd(path, refusal, cause);
      }
    } catch (IOException e) {
      HdfsErrorKind kind = HdfsError.of(e).kind();
      if (kind.isNameNodes() || kind.isOver()) {
        throw e; // one that is forbidden says nothing of the WAL
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
