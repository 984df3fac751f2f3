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

import java.nio.charset.StandardCharsets;
import org.apache.yetus.audience.InterfaceAudience;

/** A value stored as text in an xattr; equal if its text is. */
@InterfaceAudience.Private
public abstract class XattrText {
  XattrText() {}

  String text() {
    return toString();
  }

  final byte[] toBytes() {
    return text().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public final boolean equals(Object other) {
    return other != null
        && other.getClass() == getClass()
        && text().equals(((XattrText) other).text());
  }

  @Override
  public final int hashCode() {
    return text().hashCode();
  }
}
