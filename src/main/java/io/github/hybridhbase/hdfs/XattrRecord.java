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

import io.github.hybridhbase.runtime.Text;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** A kind of record: typed text in one xattr. Immutable. */
@InterfaceAudience.Private
public final class XattrRecord<T extends XattrRecord.Value> {
  private final String name;
  private final Function<String, Optional<T>> parse;

  /**
   * @param name the same in all versions; a changed form begins with a new version
   * @param parse empty for an unknown version; keeps reading older ones
   */
  XattrRecord(String name, Function<String, Optional<T>> parse) {
    this.name = name;
    this.parse = parse;
  }

  public Found<T> in(Map<String, byte[]> xattrs) {
    if (!xattrs.containsKey(name)) {
      return Found.absent();
    }
    // HDFS stores an empty value as null.
    byte[] value = xattrs.get(name);
    String text = value == null ? "" : new String(value, StandardCharsets.UTF_8);
    return parse.apply(text).map(Found::of).orElseGet(() -> Found.foreign(text));
  }

  void refuseForeign(Path path, Map<String, byte[]> xattrs) throws ForeignRecordException {
    Optional<String> foreign = in(xattrs).foreign();
    if (foreign.isPresent()) {
      throw new ForeignRecordException(name, path, foreign.get());
    }
  }

  @Override
  public String toString() {
    return name;
  }

  /** A value stored as text; equal if its text is. */
  @InterfaceAudience.Private
  public abstract static class Value {
    Value() {}

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
          && text().equals(((Value) other).text());
    }

    @Override
    public final int hashCode() {
      return text().hashCode();
    }
  }

  /** An exception for a record that another version wrote. */
  public static final class ForeignRecordException extends IOException {
    private static final long serialVersionUID = 1;

    public ForeignRecordException(String name, Path path, String text) {
      super(
          name
              + " on "
              + path.toUri().getPath()
              + " was written by another version of the plugin, or by somebody else: '"
              + text
              + "'. It is left alone. If no server runs that version, remove it: hdfs dfs -setfattr"
              + " -x "
              + name
              + " "
              + Text.quote(path.toUri().getPath()));
    }
  }

  /**
   * A record that is absent, readable, or foreign: unreadable to this version. A foreign record
   * must not be overwritten, removed, or treated as absent. Immutable.
   */
  public static final class Found<T> {
    private static final Found<?> ABSENT = new Found<>(null, null);
    private static final int LONGEST = 200;

    private final T value;
    private final String foreign;

    private Found(T value, String foreign) {
      this.value = value;
      this.foreign = foreign;
    }

    @SuppressWarnings("unchecked") // holds no value
    public static <T> Found<T> absent() {
      return (Found<T>) ABSENT;
    }

    public static <T> Found<T> of(T value) {
      return new Found<>(Objects.requireNonNull(value), null);
    }

    public static <T> Found<T> of(Optional<T> value) {
      return value.map(Found::of).orElseGet(Found::absent);
    }

    public static <T> Found<T> foreign(String text) {
      return new Found<>(null, text);
    }

    /** Empty if absent or foreign. */
    public Optional<T> read() {
      return Optional.ofNullable(value);
    }

    public boolean isAbsent() {
      return value == null && foreign == null;
    }

    public boolean isForeign() {
      return foreign != null;
    }

    /** The beginning of its text; not escaped. */
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
}
