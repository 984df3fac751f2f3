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

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The active master's state on the SSD tier, kept as the xattr {@value #XATTR} of {@code
 * hbase.rootdir}: whether store files may be written to SSD, and how many bytes of SSD each
 * RegionServer may fill with them. Written when it changes, read by each server once a period.
 */
@InterfaceAudience.Private
public final class TierState extends XattrText {
  /** The xattr that holds it. */
  public static final String XATTR = "user.hbase.hybrid.landing";

  private static final Pattern OPEN = Pattern.compile("v1 open (\\d{1,18})");
  private static final String CLOSED = "v1 closed ";
  private static final String LEFT = "v1 left ";
  private static final int LONGEST = 200;

  private final long share;
  private final boolean left;
  private final String why;

  private TierState(long share, boolean left, String why) {
    this.share = share;
    this.left = left;
    this.why = why.length() > LONGEST ? why.substring(0, LONGEST) : why;
  }

  /** Open, with this many bytes of replicas on SSD for each server. */
  public static TierState open(long share) {
    return new TierState(Math.max(0, share), false, "");
  }

  /** Closed: nothing more is written to SSD, and what is there is drained. */
  public static TierState closed(String why) {
    return new TierState(0, false, why.isEmpty() ? "closed" : why);
  }

  /** Closed, and what is on SSD is left there: where it belongs is somebody else's word. */
  public static TierState left(String why) {
    return new TierState(0, true, why.isEmpty() ? "left alone" : why);
  }

  /** Whether store files may be written to SSD. */
  public boolean open() {
    return why.isEmpty();
  }

  /** Whether what is on SSD is to leave it when it is old, or at once where this is closed. */
  public boolean drains() {
    return !left;
  }

  /** Bytes of replicas that one server may have on SSD. */
  public long share() {
    return share;
  }

  /** Why it is closed, for people; empty where it is open. */
  public String why() {
    return why;
  }

  /** Reads a state. What cannot be read is closed. */
  static TierState parse(String text) {
    Matcher open = OPEN.matcher(text);
    if (open.matches()) {
      return open(Long.parseLong(open.group(1)));
    }
    if (text.startsWith(LEFT)) {
      return left(text.substring(LEFT.length()));
    }
    return closed(text.startsWith(CLOSED) ? text.substring(CLOSED.length()) : "cannot be read");
  }

  @Override
  public String toString() {
    return open() ? "v1 open " + share : (left ? LEFT : CLOSED) + why;
  }
}
