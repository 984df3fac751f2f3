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

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The active master's state on the SSD tier, kept as the xattr {@value #XATTR} of {@code
 * hbase.rootdir}: whether store files may be written to SSD, and how many bytes of SSD each
 * RegionServer may fill with them (the tier grant). Written when it changes and every five minutes
 * while it is open, read by each server once a period. A reader judges its age by {@link #asOf}.
 */
@InterfaceAudience.Private
public final class TierState extends XattrText {
  /** The xattr that holds it. */
  public static final String XATTR = "user.hbase.hybrid.tier";

  /** An open grant that is older counts as paused; the active master renews it well before. */
  public static final long TRUST_MILLIS = TimeUnit.MINUTES.toMillis(15);

  private enum Kind {
    OPEN,
    /** Nothing more goes to SSD, and what is there leaves it. */
    CLOSED,
    /** Nothing more goes there; what is there is the SSD tier's and stays. */
    PAUSED,
    /** Nothing more goes there; where what is there belongs, others decide. */
    LEFT
  }

  private static final Pattern OPEN =
      Pattern.compile("v2 open (\\d{1,18}) (-?\\d{1,18}) (\\d{1,18}) (\\S+)");
  private static final String CLOSED = "v2 closed ";
  private static final String PAUSED = "v2 paused ";
  private static final String LEFT = "v2 left ";
  private static final int LONGEST = 200;

  private final long share;
  private final long room;
  private final long saidMillis;
  private final String sender;
  private final Kind kind;
  private final String why;

  private TierState(long share, long room, long saidMillis, String sender, Kind kind, String why) {
    this.share = share;
    this.room = room;
    this.saidMillis = saidMillis;
    this.sender = sender;
    this.kind = kind;
    this.why = why.length() > LONGEST ? why.substring(0, LONGEST) : why;
  }

  /**
   * Open, with this for each server.
   *
   * @param share bytes of replicas that it may have on SSD at most
   * @param room bytes of replicas that it may have there more than it has now; negative where it
   *     has to make room
   * @param saidMillis when this is said, in milliseconds since 1970
   * @param sender who says it, without spaces
   */
  public static TierState open(long share, long room, long saidMillis, String sender) {
    return new TierState(Math.max(0, share), room, Math.max(0, saidMillis), sender, Kind.OPEN, "");
  }

  /** Closed: nothing more is written to SSD, and what is there is drained. */
  public static TierState closed(String why) {
    return new TierState(0, 0, 0, "", Kind.CLOSED, why.isEmpty() ? "closed" : why);
  }

  /**
   * Closed until more is known: nothing more is written to SSD, what is there stays, and nobody
   * else moves it. A version that does not know this state reads it as {@link #left}.
   */
  public static TierState paused(String why) {
    return new TierState(0, 0, 0, "", Kind.PAUSED, why.isEmpty() ? "paused" : why);
  }

  /** Closed, and what is on SSD is left there: where it belongs is somebody else's word. */
  public static TierState left(String why) {
    return new TierState(0, 0, 0, "", Kind.LEFT, why.isEmpty() ? "left alone" : why);
  }

  /**
   * This grant as it counts at a time: paused if it is open and the active master has not renewed
   * it for {@link #TRUST_MILLIS}.
   *
   * @param nowMillis milliseconds since 1970
   */
  public TierState asOf(long nowMillis) {
    return open() && nowMillis - saidMillis > TRUST_MILLIS
        ? paused(
            "the master ("
                + sender
                + ") has not renewed the grant since "
                + Instant.ofEpochMilli(saidMillis).truncatedTo(ChronoUnit.SECONDS))
        : this;
  }

  /** Whether store files may be written to SSD. */
  public boolean open() {
    return kind == Kind.OPEN;
  }

  /** Whether what is on SSD is to leave it when it is old, or at once where this is closed. */
  public boolean drains() {
    return kind == Kind.OPEN || kind == Kind.CLOSED;
  }

  /** Whether young files on SSD are the SSD tier's, so that nobody else moves them. */
  public boolean keeps() {
    return kind != Kind.LEFT;
  }

  /** Bytes of replicas that one server may have on SSD. */
  public long share() {
    return share;
  }

  /** Bytes of replicas that one server may have there more than it has; may be negative. */
  public long room() {
    return room;
  }

  /** When it was said, in milliseconds since 1970; 0 where it is closed. */
  public long saidMillis() {
    return saidMillis;
  }

  /** Who said it; empty where it is closed. */
  public String sender() {
    return sender;
  }

  /** Why it is closed, for people; empty where it is open. */
  public String why() {
    return why;
  }

  /**
   * What servers make of a state that was found: one that cannot be read, or none at all, leaves
   * everything as it is.
   */
  public static TierState followed(Found<TierState> found) {
    return found
        .read()
        .orElseGet(
            () ->
                left(
                    found
                        .foreign()
                        .map(text -> "the master's word was written by another version: " + text)
                        .orElse("the master has not opened it")));
  }

  /** Reads a state; empty if it is another version's. */
  static Optional<TierState> parse(String text) {
    Matcher open = OPEN.matcher(text);
    if (open.matches()) {
      return Optional.of(
          open(
              Long.parseLong(open.group(1)),
              Long.parseLong(open.group(2)),
              Long.parseLong(open.group(3)),
              open.group(4)));
    }
    if (text.startsWith(LEFT)) {
      return Optional.of(left(text.substring(LEFT.length())));
    }
    if (text.startsWith(PAUSED)) {
      return Optional.of(paused(text.substring(PAUSED.length())));
    }
    return text.startsWith(CLOSED)
        ? Optional.of(closed(text.substring(CLOSED.length())))
        : Optional.empty();
  }

  @Override
  public String toString() {
    switch (kind) {
      case OPEN:
        return "v2 open " + share + " " + room + " " + saidMillis + " " + sender;
      case CLOSED:
        return CLOSED + why;
      case PAUSED:
        return PAUSED + why;
      default:
        return LEFT + why;
    }
  }
}
