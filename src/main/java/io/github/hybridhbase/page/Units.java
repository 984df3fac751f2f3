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
package io.github.hybridhbase.page;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/** Formats of times and percentages for display. */
@InterfaceAudience.Private
final class Units {
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;
  private static final int DAY = 24 * HOUR;

  private Units() {}

  static String time(long millis) {
    return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
        .withZone(ZoneOffset.UTC)
        .format(Instant.ofEpochMilli(millis));
  }

  static String seconds(long seconds) {
    if (seconds < MINUTE || seconds < 2 * MINUTE && seconds % MINUTE != 0) {
      return seconds + " s";
    }
    if (seconds < HOUR || seconds < 2 * HOUR && seconds % HOUR != 0) {
      return seconds / MINUTE + " min";
    }
    return seconds < 2 * DAY ? seconds / HOUR + " h" : seconds / DAY + " days";
  }

  /** As {@code 15 min ago}; both in milliseconds since 1970. */
  static String ago(long then, long now) {
    return seconds(Math.max(0, now - then) / 1_000) + " ago";
  }

  static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
