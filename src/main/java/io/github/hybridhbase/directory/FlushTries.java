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
package io.github.hybridhbase.directory;

import io.github.hybridhbase.hdfs.HdfsErrorKind;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells the flushes of one region that fail, and asks a {@link FlushFallback} for help. HBase
 * reports each try of a store's flush and says nothing of one that failed: a second try without an
 * end of the first is one that failed. Safe to call from any thread; never blocks.
 */
@InterfaceAudience.Private
public final class FlushTries {
  /** Of the ten tries that HBase makes; from then on a probe is not trusted any more. */
  private static final int TRUSTED = 4;

  private final FlushFallback fallback;

  /** Tries of the flush that is under way, by family. */
  private final Map<String, Integer> tries = new ConcurrentHashMap<>();

  /** No flush was tried yet. */
  public FlushTries(FlushFallback fallback) {
    this.fallback = fallback;
  }

  /**
   * A flush of a family is tried.
   *
   * @param failure what failed the try before; empty if that is not known, which counts as SSD's
   */
  public void tried(String family, Optional<HdfsErrorKind> failure) {
    int now = tries.merge(family, 1, Integer::sum);
    if (now > 1 && failure.map(HdfsErrorKind::mayBeSsds).orElse(true)) {
      fallback.call(now > TRUSTED);
    }
  }

  /** A flush of a family is done. */
  public void done(String family) {
    tries.remove(family);
  }
}
