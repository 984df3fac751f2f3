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
package io.github.hybridhbase.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.apache.yetus.audience.InterfaceAudience;

/** The lines that a class logs while this is open, each with its level before it. */
@InterfaceAudience.Private
public final class LoggedLines implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final AppenderSkeleton ear =
      new AppenderSkeleton() {
        @Override
        protected void append(LoggingEvent event) {
          lines.add(event.getLevel() + " " + event.getRenderedMessage());
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
          return false;
        }
      };

  private LoggedLines(Class<?> of) {
    this.logger = Logger.getLogger(of);
    logger.addAppender(ear);
  }

  /** Takes down what this class logs from now on. */
  public static LoggedLines of(Class<?> logging) {
    return new LoggedLines(logging);
  }

  /** Lines so far. */
  public List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    logger.removeAppender(ear);
  }
}
