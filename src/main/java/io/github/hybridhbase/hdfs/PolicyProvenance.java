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

import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The provenance of a directory's policy: what the plugin set and what was there before, stored as
 * the directory's xattr {@value #XATTR}, for example {@code v2 before=0 set=12 was=12}.
 *
 * <p>Implementation note: the record is written before the policy. {@code was} is the plugin's
 * previous policy, which after a crash between the two is still recognised as the plugin's; once
 * the policy is set, it becomes {@code set}. {@code by=space} marks a demotion, which only the
 * space monitor restores.
 */
@InterfaceAudience.Private
public final class PolicyProvenance extends XattrRecord.Value {
  public static final String XATTR = "user.hbase.hybrid.placed";

  public static final XattrRecord<PolicyProvenance> RECORD =
      new XattrRecord<>(XATTR, PolicyProvenance::parse).strict();

  private static final Pattern FORM =
      Pattern.compile("v2 before=(-?\\d{1,3}) set=(-?\\d{1,3}) was=(-?\\d{1,3})( by=space)?");

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

  public static PolicyProvenance first(byte before, StoragePolicy set) {
    return new PolicyProvenance(before, set.id(), before, false);
  }

  public PolicyProvenance change(StoragePolicy next) {
    return new PolicyProvenance(before, next.id(), set, false);
  }

  /** Once the policy is set: earlier policies of the plugin no longer count as its own. */
  public PolicyProvenance settled() {
    return was == StoragePolicy.UNSPECIFIED
        ? this
        : new PolicyProvenance(before, set, set, demoted);
  }

  public PolicyProvenance asDemoted() {
    return new PolicyProvenance(before, set, was, true);
  }

  public boolean demoted() {
    return demoted;
  }

  public byte before() {
    return before;
  }

  public byte set() {
    return set;
  }

  /** Whether an own policy of this id is the plugin's, finished or not. */
  public boolean explains(byte own) {
    return own == set || own == was || own == StoragePolicy.UNSPECIFIED;
  }

  /**
   * Whether the plugin may change an own policy of this id: the record explains it, or there is
   * none.
   */
  public static boolean isOurs(Optional<PolicyProvenance> found, byte own) {
    return found
        .map(provenance -> provenance.explains(own))
        .orElse(own == StoragePolicy.UNSPECIFIED);
  }

  public boolean mayBeUnfinished() {
    return was != set;
  }

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
    return "v2 before=" + before + " set=" + set + " was=" + was + (demoted ? " by=space" : "");
  }
}
