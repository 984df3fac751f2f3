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
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An operator's instruction to place nothing, stored as the xattr {@value #XATTR} of {@code
 * hbase.rootdir}. {@code revert} sets it, {@code apply} removes it, running masters obey it.
 */
@InterfaceAudience.Private
public final class Hold extends XattrRecord.Value {
  public static final String XATTR = "user.hbase.hybrid.hold";

  public static final XattrRecord<Hold> RECORD = new XattrRecord<>(XATTR, Hold::parse);

  public static final String REMEDY = "'hbase-hybrid apply' lifts it";

  private static final String VERSION = "v1 ";
  private static final int LONGEST = 200;

  private final String reason;

  public Hold(String reason) {
    this.reason = reason.length() > LONGEST ? reason.substring(0, LONGEST) : reason;
  }

  public String reason() {
    return reason;
  }

  @Override
  String text() {
    return VERSION + reason;
  }

  /** Empty for a hold of another version, which is obeyed as well. */
  static Optional<Hold> parse(String text) {
    return text.startsWith(VERSION)
        ? Optional.of(new Hold(text.substring(VERSION.length())))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return reason;
  }
}
