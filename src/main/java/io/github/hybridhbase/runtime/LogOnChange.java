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
package io.github.hybridhbase.runtime;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A filter that logs a condition once per subject, and again when its text changes or it recurs.
 * Subjects beyond {@value #MOST} are never logged. Thread-safe.
 */
@InterfaceAudience.Private
public final class LogOnChange {
  private static final int MOST = 1_000;

  private final Map<Object, String> logged = new ConcurrentHashMap<>();

  /**
   * Returns whether to log.
   *
   * @param subject with {@code equals}
   * @param text empty for none
   */
  public boolean changed(Object subject, String text) {
    if (text.isEmpty()) {
      clear(subject);
      return false;
    }
    return (logged.size() < MOST || logged.containsKey(subject))
        && !text.equals(logged.put(subject, text));
  }

  public boolean clear(Object subject) {
    return logged.remove(subject) != null;
  }
}
