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
package io.github.hybridhbase.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What was logged last of each subject, so that what stands is logged once, and again when it is
 * something else or comes back. Remembers {@value #MOST} subjects at most; of others nothing is
 * news. Thread-safe.
 */
@InterfaceAudience.Private
public final class LogOnChange {
  private static final int MOST = 1_000;

  private final Map<Object, String> logged = new ConcurrentHashMap<>();

  /**
   * Whether this is to be logged.
   *
   * @param subject what it is of, with {@code equals}
   * @param text what is the matter; empty where nothing is, which is never news
   */
  public boolean isNews(Object subject, String text) {
    if (text.isEmpty()) {
      isOver(subject);
      return false;
    }
    return (logged.size() < MOST || logged.containsKey(subject))
        && !text.equals(logged.put(subject, text));
  }

  /** Notes that nothing is the matter any more; whether something was. */
  public boolean isOver(Object subject) {
    return logged.remove(subject) != null;
  }
}
