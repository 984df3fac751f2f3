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
package io.github.hybridhbase.testing;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Texts that somebody hostile would write: bytes at random, texts that are right but for a place or
 * two, and what parsers are known to stumble over. The seed is printed and may be given, {@code
 * -Dhybrid.seed}. For one thread.
 */
@InterfaceAudience.Private
public final class HostileText {
  private static final List<String> STUMBLES = new ArrayList<>();

  static {
    // The last letters: seven in Arabic digits, one that is two in lower case, half of one.
    String words =
        "-1 +7 00000000000000000007 9223372036854775807 9223372036854775808 -9223372036854775808"
            + " 99999999999999999999999999 1e999999999 1e400 -0 NaN 0x7 true null %s%n $ ${ ${}"
            + " ${a} ${user.home} .. / // <script> \u001b[2J ; \u0000 \u0667 \u0130 \ud800";
    STUMBLES.addAll(List.of(words.split(" ")));
    STUMBLES.addAll(List.of("", " ", "\n", "v1 "));
    STUMBLES.addAll(List.of("x".repeat(5_000), "[".repeat(20_000), "{\"a\":".repeat(5_000)));
  }

  private final Random random;

  /** Says the seed, and goes by it. */
  public HostileText(String who) {
    long seed = Long.getLong("hybrid.seed", System.nanoTime());
    System.out.println(who + ": -Dhybrid.seed=" + seed);
    random = new Random(seed);
  }

  /** What else is to be chosen. */
  public Random random() {
    return random;
  }

  /** One of these, or a hostile text in its place. */
  public String next(String... right) {
    switch (random.nextInt(4)) {
      case 0:
        return STUMBLES.get(random.nextInt(STUMBLES.size()));
      case 1:
        return bytes();
      default:
        String text = right[random.nextInt(right.length)];
        for (int times = random.nextInt(4); times > 0; times--) {
          text = change(text);
        }
        return text;
    }
  }

  private String bytes() {
    byte[] bytes = new byte[random.nextInt(60)];
    random.nextBytes(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Cuts it, doubles a part of it, puts something in, or changes a letter. */
  private String change(String text) {
    int at = random.nextInt(text.length() + 1);
    String before = text.substring(0, at);
    String after = text.substring(at);
    switch (random.nextInt(5)) {
      case 0:
        return before;
      case 1:
        return before + before + after;
      case 2:
        return before + STUMBLES.get(random.nextInt(STUMBLES.size())) + after;
      case 3:
        return before + (char) random.nextInt(0x250) + (after.isEmpty() ? "" : after.substring(1));
      default:
        return before + random.nextInt() + after.replaceFirst("\\d+", "");
    }
  }
}
