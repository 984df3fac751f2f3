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
package io.github.hybridhbase.hdfs;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The bytes that one RegionServer uses on SSD for the tier, stored as the xattr {@value #XATTR} of
 * its WAL directory. Immutable.
 */
@InterfaceAudience.Private
public final class TierUse extends XattrRecord.Value {
  public static final String XATTR = "user.hbase.hybrid.tier.used";

  public static final XattrRecord<TierUse> RECORD = new XattrRecord<>(XATTR, TierUse::parse);

  private static final Pattern TEXT = Pattern.compile("v1 (\\d{1,18})");

  private final long bytes;

  /**
   * @param bytes of replicas
   */
  public TierUse(long bytes) {
    this.bytes = Math.max(0, bytes);
  }

  static Optional<TierUse> parse(String text) {
    Matcher use = TEXT.matcher(text);
    return use.matches()
        ? Optional.of(new TierUse(Long.parseLong(use.group(1))))
        : Optional.empty();
  }

  public long bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return "v1 " + bytes;
  }
}
