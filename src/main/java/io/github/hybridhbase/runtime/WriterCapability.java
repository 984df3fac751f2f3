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
package io.github.hybridhbase.runtime;

import org.apache.yetus.audience.InterfaceAudience;

/** A capability of the plugin's WAL writers, with the gauge of the servers that lack it. */
@InterfaceAudience.Private
public enum WriterCapability {
  FALLBACK(
      "walFallbackNotInForce",
      "the fall-back to DISK",
      "a WAL that SSD refuses fails, and HBase aborts a server whose WAL cannot be rolled"),
  COALESCING(
      "walCoalescingNotInForce",
      "coalescing",
      "hsyncs of asyncfs WALs are not shared, as in stock HBase"),
  AUTO(
      "walAutoNotInForce",
      "hbase.hybrid.wal.hsync=auto",
      "acknowledged edits may be in page caches only, as in stock HBase");

  private final String gauge;
  private final String title;
  private final String without;

  WriterCapability(String gauge, String title, String without) {
    this.gauge = gauge;
    this.title = title;
    this.without = without;
  }

  public String gauge() {
    return gauge;
  }

  public String title() {
    return title;
  }

  public String without() {
    return without;
  }
}
