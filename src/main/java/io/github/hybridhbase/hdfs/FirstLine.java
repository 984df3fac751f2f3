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

import org.apache.yetus.audience.InterfaceAudience;

/** The first line of an exception's message: after it HDFS sends its own stack trace. */
@InterfaceAudience.Private
public final class FirstLine {
  private FirstLine() {}

  /** That line; the name of the exception's class where it has no message. */
  public static String of(Exception e) {
    String message = e.getMessage() == null ? e.getClass().getName() : e.getMessage();
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
