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

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/** The maximum of young store files on SSD: a percentage of all SSD, or bytes. Immutable. */
@InterfaceAudience.Private
public final class TierBudget {
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,2})\\s*%");
  private static final Pattern BYTES = Pattern.compile("(\\d{1,15})\\s*([kmgt]?)b?");
  private static final String UNITS = "kmgt";
  private static final int MOST_PERCENT = 90;

  static final String ALLOWED =
      "1% to " + MOST_PERCENT + "% of all SSD, or bytes with k, m, g or t";

  private final int percent;
  private final long bytes;

  private TierBudget(int percent, long bytes) {
    this.percent = percent;
    this.bytes = bytes;
  }

  /** Such as {@code 20%} or {@code 500g}; empty if invalid. */
  static Optional<TierBudget> parse(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    Matcher share = PERCENT.matcher(lower);
    if (share.matches()) {
      int percent = Integer.parseInt(share.group(1));
      return percent >= 1 && percent <= MOST_PERCENT
          ? Optional.of(new TierBudget(percent, 0))
          : Optional.empty();
    }
    Matcher size = BYTES.matcher(lower);
    if (!size.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(size.group(1));
    int shift = size.group(2).isEmpty() ? 0 : 10 * (1 + UNITS.indexOf(size.group(2)));
    boolean fits = number > 0 && number <= Long.MAX_VALUE >> (shift + 1);
    return fits ? Optional.of(new TierBudget(0, number << shift)) : Optional.empty();
  }

  /** Bytes of replicas, at most the maximum percentage. */
  public long of(long capacity) {
    long most = capacity / 100 * MOST_PERCENT;
    return percent > 0 ? capacity / 100 * percent : Math.min(bytes, most);
  }

  @Override
  public String toString() {
    return percent > 0 ? percent + "%" : Long.toString(bytes);
  }
}
