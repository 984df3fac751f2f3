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

import io.github.hybridhbase.hdfs.StorageNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The active master's state of the SSD tier, stored as the xattr {@value #XATTR} of {@code
 * hbase.rootdir}: whether store files may go to SSD, and each RegionServer's bytes there (the tier
 * grant). While open, the master renews it every five minutes; readers apply {@link #asOf}.
 */
@InterfaceAudience.Private
public final class TierState {
  public static final String XATTR = "user.hbase.hybrid.tier";

  /** Longest life of an open grant without renewal. */
  public static final long TRUST_MILLIS = TimeUnit.MINUTES.toMillis(15);

  private enum Kind {
    OPEN,
    /** No new files on SSD; existing ones leave. */
    CLOSED,
    /** No new files on SSD; existing ones stay. */
    PAUSED,
    /** Like {@link #PAUSED}; another version's, which must not be overwritten. */
    FOREIGN
  }

  private static final Pattern OPEN =
      Pattern.compile("v2 open (\\d{1,18}) (-?\\d{1,18}) (\\d{1,18}) (\\S+)");

  /** Left was an older version's. */
  private static final Pattern OTHER = Pattern.compile("v2 (closed|paused|left) (.*)");

  private static final int LONGEST = 200;

  private final long share;
  private final long room;
  private final long publishedMillis;
  private final String sender;
  private final Kind kind;
  private final String why;

  private TierState(
      long share, long room, long publishedMillis, String sender, Kind kind, String why) {
    this.share = share;
    this.room = room;
    this.publishedMillis = publishedMillis;
    this.sender = sender;
    this.kind = kind;
    this.why = why.length() > LONGEST ? why.substring(0, LONGEST) : why;
  }

  /**
   * @param share bytes of replicas that each server may have on SSD
   * @param room bytes that each may add; negative if it has to free some
   * @param publishedMillis milliseconds since 1970
   * @param sender without spaces
   */
  public static TierState open(long share, long room, long publishedMillis, String sender) {
    return new TierState(
        Math.max(0, share), room, Math.max(0, publishedMillis), sender, Kind.OPEN, "");
  }

  public static TierState closed(String why) {
    return new TierState(0, 0, 0, "", Kind.CLOSED, why.isEmpty() ? "closed" : why);
  }

  public static TierState paused(String why) {
    return new TierState(0, 0, 0, "", Kind.PAUSED, why.isEmpty() ? "paused" : why);
  }

  /**
   * Paused if open but not renewed for {@link #TRUST_MILLIS}.
   *
   * @param nowMillis milliseconds since 1970
   */
  public TierState asOf(long nowMillis) {
    return open() && nowMillis - publishedMillis > TRUST_MILLIS
        ? paused(
            "the master ("
                + sender
                + ") has not renewed the grant since "
                + Instant.ofEpochMilli(publishedMillis).truncatedTo(ChronoUnit.SECONDS))
        : this;
  }

  public boolean open() {
    return kind == Kind.OPEN;
  }

  public boolean drains() {
    return kind == Kind.OPEN || kind == Kind.CLOSED;
  }

  public long share() {
    return share;
  }

  public long room() {
    return room;
  }

  /** 0 unless open. */
  public long publishedMillis() {
    return publishedMillis;
  }

  public String sender() {
    return sender;
  }

  public String why() {
    return why;
  }

  /** Whether another version wrote it: neither overwrite nor remove it. */
  public boolean isForeign() {
    return kind == Kind.FOREIGN;
  }

  /** Empty if absent. One NameNode read. */
  public static Optional<TierState> on(StorageNamespace namespace, Path root) throws IOException {
    Map<String, byte[]> records = namespace.records(root);
    if (!records.containsKey(XATTR)) {
      return Optional.empty();
    }
    // HDFS stores an empty value as null.
    byte[] value = records.get(XATTR);
    String text = value == null ? "" : new String(value, StandardCharsets.UTF_8);
    return parse(text)
        .or(
            () ->
                Optional.of(
                    new TierState(
                        0,
                        0,
                        0,
                        "",
                        Kind.FOREIGN,
                        "the master's word was written by another version: " + text)));
  }

  public void writeTo(StorageNamespace namespace, Path root) throws IOException {
    namespace.setXattr(root, XATTR, toString().getBytes(StandardCharsets.UTF_8));
  }

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
    Matcher other = OTHER.matcher(text);
    if (!other.matches()) {
      return Optional.empty();
    }
    String why = other.group(2);
    return Optional.of(other.group(1).equals("closed") ? closed(why) : paused(why));
  }

  @Override
  public String toString() {
    return open()
        ? "v2 open " + share + " " + room + " " + publishedMillis + " " + sender
        : "v2 " + kind.name().toLowerCase(Locale.ROOT) + " " + why;
  }

  /** If their text is equal. */
  @Override
  public boolean equals(Object other) {
    return other instanceof TierState && toString().equals(other.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }
}
