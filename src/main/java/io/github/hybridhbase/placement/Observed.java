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

import io.github.hybridhbase.hdfs.HdfsError;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.yetus.audience.InterfaceAudience;

/** A fact, or the reason why it is unknown. */
@InterfaceAudience.Private
public final class Observed<T> {
  @InterfaceAudience.Private
  public interface Lens<T, R> {
    R see(T from) throws Exception;
  }

  private final T seen;
  private final String why;

  private Observed(T seen, String why) {
    this.seen = seen;
    this.why = why;
  }

  public static <T> Observed<T> at(T seen) {
    return new Observed<>(seen, null);
  }

  public static <T> Observed<T> unknown(String why) {
    return new Observed<>(null, why);
  }

  public static <T> Observed<T> with(Callable<T> eye) {
    try {
      return at(eye.call());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return unknown("interrupted");
    } catch (Exception | LinkageError e) {
      return unknown(e instanceof Exception ? HdfsError.of(e).text : String.valueOf(e));
    }
  }

  public <R> Observed<R> then(Lens<T, R> lens) {
    return why == null ? with(() -> lens.see(seen)) : unknown(why);
  }

  public Optional<T> seen() {
    return Optional.ofNullable(seen);
  }

  public String why() {
    return why;
  }
}
