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

import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The consent to move existing data to the medium of one declaration, stored as the xattr {@value
 * #XATTR} of {@code hbase.rootdir}. {@code apply} gives it, {@code revert} removes it. Immutable.
 */
@InterfaceAudience.Private
public final class MoveConsent extends XattrRecord.Value {
  public static final String XATTR = "user.hbase.hybrid.moves";

  public static final XattrRecord<MoveConsent> RECORD =
      new XattrRecord<>(XATTR, MoveConsent::parse);

  private static final Pattern FORM =
      Pattern.compile("v1 (given|waiting) ([^;]{1,4000});([^;]{0,500})");

  private final boolean given;
  private final String declaration;
  private final String waiting;

  private MoveConsent(boolean given, String declaration, String waiting) {
    this.given = given;
    this.declaration = declaration;
    this.waiting = waiting;
  }

  public static MoveConsent given(String declaration) {
    return new MoveConsent(true, declaration, "");
  }

  /**
   * @param what data that would be moved, for people
   */
  public static MoveConsent waiting(String declaration, String what) {
    return new MoveConsent(false, declaration, what);
  }

  public boolean covers(String other) {
    return given && declaration.equals(other);
  }

  public String declaration() {
    return declaration;
  }

  public boolean given() {
    return given;
  }

  /** Empty if the consent is given. Not escaped. */
  public Optional<String> waiting() {
    return given ? Optional.empty() : Optional.of(waiting);
  }

  /**
   * The finding that moves wait for consent.
   *
   * @param what as in {@link #waiting}; names the media
   */
  public static Finding finding(Path root, String what) {
    return Finding.of(FindingId.MOVES_WAITING, root.toUri().getPath(), what)
        .forSsd(what.contains("to SSD") && !what.contains("to DISK"));
  }

  static Optional<MoveConsent> parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(new MoveConsent(form.group(1).equals("given"), form.group(2), form.group(3)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "v1 " + (given ? "given " : "waiting ") + declaration + ";" + waiting;
  }
}
