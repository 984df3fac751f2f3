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
package io.github.hybridhbase.tier;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * A pure decision of a store file's medium. Any reason against SSD wins, and then the file is
 * written exactly as stock would.
 */
@InterfaceAudience.Private
final class TierDecision {
  /** One compaction may take this part of a server's share at most. */
  static final int PART = 4;

  enum Verdict {
    SSD,
    STORE_OFF,
    /** Closed by the master, the space monitor or a hold, or nothing compacts. */
    CLOSED,
    REFUSED,
    /** The output of a major compaction goes to DISK. */
    MAJOR,
    EXIT,
    OLD,
    LARGE,
    /** No space within the budget, or none for this table. */
    OVER_BUDGET
  }

  static final class Conditions {
    private final boolean serves;
    private final boolean open;
    private final boolean refused;
    private final TierQuota quota;
    private final long maxAgeMillis;

    /**
     * @param open whether files may go to SSD at all
     * @param refused whether SSD refused a file recently
     */
    Conditions(boolean serves, boolean open, boolean refused, TierQuota quota, long maxAgeMillis) {
      this.serves = serves;
      this.open = open;
      this.refused = refused;
      this.quota = quota;
      this.maxAgeMillis = maxAgeMillis;
    }
  }

  private TierDecision() {}

  static Verdict decide(String table, NewStoreFile newFile, Conditions now) {
    if (!now.serves) {
      return Verdict.STORE_OFF;
    }
    if (!now.open) {
      return Verdict.CLOSED;
    }
    if (now.refused) {
      return Verdict.REFUSED;
    }
    if (newFile.kind() == NewStoreFile.Kind.HOT) {
      return now.quota.hasHot(newFile) ? Verdict.SSD : Verdict.OVER_BUDGET;
    }
    if (newFile.kind() == NewStoreFile.Kind.MAJOR) {
      return Verdict.MAJOR;
    }
    if (newFile.kind() == NewStoreFile.Kind.EXIT) {
      return Verdict.EXIT;
    }
    if (newFile.oldestMillis() >= now.maxAgeMillis) {
      return Verdict.OLD;
    }
    if (newFile.kind() == NewStoreFile.Kind.MINOR && newFile.bytes() > now.quota.bytes() / PART) {
      return Verdict.LARGE;
    }
    return now.quota.has(table, newFile) ? Verdict.SSD : Verdict.OVER_BUDGET;
  }
}
