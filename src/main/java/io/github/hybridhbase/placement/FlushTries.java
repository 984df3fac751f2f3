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

import io.github.hybridhbase.hdfs.HdfsErrorKind;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A detector of failing flushes of one region, which calls a {@link FlushFallback}. HBase reports
 * each attempt of a store's flush but no failure, so a second attempt before an end means that the
 * first failed. Any thread; never blocks.
 */
@InterfaceAudience.Private
public final class FlushTries {
  /** Attempts, of HBase's ten, after which probes are no longer trusted. */
  private static final int TRUSTED = 4;

  private final FlushFallback fallback;

  /** Attempts of flushes in flight, by family. */
  private final Map<String, Integer> tries = new ConcurrentHashMap<>();

  public FlushTries(FlushFallback fallback) {
    this.fallback = fallback;
  }

  /**
   * Records an attempt.
   *
   * @param failure of the previous attempt; empty if unknown, which counts as SSD's
   */
  public void tried(String family, Optional<HdfsErrorKind> failure) {
    int now = tries.merge(family, 1, Integer::sum);
    if (now > 1 && failure.map(HdfsErrorKind::mayBeSsds).orElse(true)) {
      fallback.call(now > TRUSTED);
    }
  }

  /** Records a successful flush. */
  public void done(String family) {
    tries.remove(family);
  }
}
