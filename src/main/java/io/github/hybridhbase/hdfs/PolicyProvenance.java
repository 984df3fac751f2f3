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

import io.github.hybridhbase.config.StoragePolicy;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Provenance of a policy: what the plugin set on a directory and what stood there before. Kept on
 * the directory itself as the xattr {@value #XATTR}, for example {@code v1 before=0 set=12 was=12}.
 *
 * <p>A provenance record and a policy are two NameNode writes. The provenance is written first;
 * {@code was} is what the plugin had set until then, so that a server that dies between the two
 * leaves nothing that looks like somebody else's hand; once the policy is set, {@code was} is the
 * same as {@code set}. {@code by=guard} at its end says that the space monitor demoted the
 * directory from SSD, and that nobody but the space monitor restores it.
 */
@InterfaceAudience.Private
public final class PolicyProvenance extends XattrText {
  /** The xattr that holds a provenance record. */
  public static final String XATTR = "user.hbase.hybrid.placed";

  private static final Pattern FORM =
      Pattern.compile("v1 before=(-?\\d{1,3}) set=(-?\\d{1,3}) was=(-?\\d{1,3})( by=guard)?");

  private final byte before;
  private final byte set;
  private final byte was;
  private final boolean demoted;

  private PolicyProvenance(byte before, byte set, byte was, boolean demoted) {
    this.before = before;
    this.set = set;
    this.was = was;
    this.demoted = demoted;
  }

  /** The first provenance on a directory whose own policy is {@code before}. */
  public static PolicyProvenance first(byte before, StoragePolicy set) {
    return new PolicyProvenance(before, set.id(), before, false);
  }

  /**
   * The provenance for a changed declaration. What stood before the plugin came stays on record.
   */
  public PolicyProvenance change(StoragePolicy next) {
    return new PolicyProvenance(before, next.id(), set, false);
  }

  /**
   * The provenance once its policy is set: no earlier policy of the plugin's is its doing any more.
   */
  public PolicyProvenance settled() {
    return was == StoragePolicy.UNSPECIFIED
        ? this
        : new PolicyProvenance(before, set, set, demoted);
  }

  /** The same provenance, as left by the space monitor when it demotes a directory from SSD. */
  public PolicyProvenance asDemoted() {
    return new PolicyProvenance(before, set, was, true);
  }

  /** Whether the space monitor keeps the directory away from SSD. */
  public boolean demoted() {
    return demoted;
  }

  /** Id of the directory's own policy before the plugin set any. */
  public byte before() {
    return before;
  }

  /** Id of the policy the plugin set, or was about to set. */
  public byte set() {
    return set;
  }

  /** Whether a directory's own policy of this id is the plugin's doing, finished or not. */
  public boolean explains(byte own) {
    return own == set || own == was || own == StoragePolicy.UNSPECIFIED;
  }

  /** Reads a provenance record, empty where the text is not one of ours. */
  public static Optional<PolicyProvenance> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new PolicyProvenance(
              Byte.parseByte(form.group(1)),
              Byte.parseByte(form.group(2)),
              Byte.parseByte(form.group(3)),
              form.group(4) != null));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return "v1 before=" + before + " set=" + set + " was=" + was + (demoted ? " by=guard" : "");
  }
}
