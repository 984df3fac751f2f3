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

import java.util.Objects;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A lookup result of a record: absent, readable, or foreign, which is one that this version cannot
 * read. A foreign record must not be overwritten, removed, or treated as absent. Immutable.
 */
@InterfaceAudience.Private
public final class Found<T> {
  private static final Found<?> ABSENT = new Found<>(null, null);
  private static final int LONGEST = 200;

  private final T value;
  private final String foreign;

  private Found(T value, String foreign) {
    this.value = value;
    this.foreign = foreign;
  }

  /** No record. */
  @SuppressWarnings("unchecked") // holds no value
  public static <T> Found<T> absent() {
    return (Found<T>) ABSENT;
  }

  /** A readable record. */
  public static <T> Found<T> of(T value) {
    return new Found<>(Objects.requireNonNull(value), null);
  }

  /** A readable record, or an absent one. */
  public static <T> Found<T> of(Optional<T> value) {
    return value.map(Found::of).orElseGet(Found::absent);
  }

  /** A foreign record with this text. */
  public static <T> Found<T> foreign(String text) {
    return new Found<>(null, text);
  }

  /** Empty if the record is absent or foreign, see {@link #isForeign}. */
  public Optional<T> read() {
    return Optional.ofNullable(value);
  }

  /** Whether there is no record at all, readable or foreign. */
  public boolean isAbsent() {
    return value == null && foreign == null;
  }

  /** Whether a record exists that this version cannot read. */
  public boolean isForeign() {
    return foreign != null;
  }

  /** The beginning of a foreign record's text; not escaped. */
  public Optional<String> foreign() {
    return Optional.ofNullable(foreign)
        .map(text -> text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Found
        && Objects.equals(value, ((Found<?>) other).value)
        && Objects.equals(foreign, ((Found<?>) other).foreign);
  }

  @Override
  public int hashCode() {
    return Objects.hash(value, foreign);
  }

  @Override
  public String toString() {
    return isForeign() ? "foreign: " + foreign().get() : String.valueOf(value);
  }
}
