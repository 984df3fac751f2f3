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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;

/** A typed record in one xattr of a path. Immutable; each call is one to three RPCs. */
@InterfaceAudience.Private
final class XattrRecord<T extends XattrText> {
  private static final EnumSet<XAttrSetFlag> OVER =
      EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE);

  private static final String PREFIX = "user.hbase.hybrid.";

  private final String name;
  private final String formerName;
  private final Function<String, Optional<T>> parse;

  /**
   * @param name of the xattr, the same in all versions; a changed form gets a new version at the
   *     beginning of its text, and {@code parse} keeps reading older ones
   * @param parse empty for a text that this version cannot read
   */
  XattrRecord(String name, Function<String, Optional<T>> parse) {
    this(name, "", parse);
  }

  private XattrRecord(String name, String formerName, Function<String, Optional<T>> parse) {
    this.name = name;
    this.formerName = formerName;
    this.parse = parse;
  }

  /** Returns a record that is also read under a former name, which a write removes. */
  XattrRecord<T> formerly(String former) {
    return new XattrRecord<>(name, former, parse);
  }

  /** Empty also if the path does not exist or the NameNode has xattrs disabled. */
  static Map<String, byte[]> all(DistributedFileSystem dfs, Path path) throws IOException {
    try {
      return dfs.getXAttrs(path);
    } catch (FileNotFoundException e) {
      return Map.of();
    } catch (IOException e) {
      if (HdfsError.of(e).is(HdfsErrorKind.XATTRS_DISABLED)) {
        return Map.of();
      }
      throw e;
    }
  }

  /**
   * Unreadable records, and unknown xattrs of the plugin's prefix, see {@link
   * StorageNamespace#foreignRecords}.
   */
  static Map<String, String> foreign(List<XattrRecord<?>> known, Map<String, byte[]> xattrs) {
    Map<String, String> foreign = new TreeMap<>();
    xattrs.forEach(
        (name, value) -> {
          Optional<XattrRecord<?>> record =
              known.stream().filter(one -> one.isNamed(name)).findFirst();
          if (record.isPresent()) {
            record.get().in(xattrs).foreign().ifPresent(text -> foreign.put(name, text));
          } else if (name.startsWith(PREFIX)) {
            foreign.put(name, "a record that this version does not know");
          }
        });
    return foreign;
  }

  Found<T> in(Map<String, byte[]> xattrs) {
    String found = xattrs.containsKey(name) ? name : formerName;
    if (!xattrs.containsKey(found)) {
      return Found.absent();
    }
    // HDFS stores an empty value as null.
    byte[] value = xattrs.get(found);
    String text = value == null ? "" : new String(value, StandardCharsets.UTF_8);
    return parse.apply(text).map(Found::of).orElseGet(() -> Found.foreign(text));
  }

  /**
   * Replaces the record, after reading it.
   *
   * @throws ForeignRecordException if the existing one is foreign
   * @throws IOException also if the NameNode has xattrs disabled
   */
  void write(DistributedFileSystem dfs, Path path, T value) throws IOException {
    Map<String, byte[]> xattrs = all(dfs, path);
    ours(path, xattrs);
    dfs.setXAttr(path, name, value.toBytes(), OVER);
    if (xattrs.containsKey(formerName)) {
      dfs.removeXAttr(path, formerName);
    }
  }

  private boolean isNamed(String one) {
    return one.equals(name) || one.equals(formerName);
  }

  /**
   * @throws ForeignRecordException if the existing record is foreign
   */
  void remove(DistributedFileSystem dfs, Path path) throws IOException {
    Map<String, byte[]> xattrs = all(dfs, path);
    ours(path, xattrs);
    for (String one : xattrs.keySet()) {
      if (isNamed(one)) {
        dfs.removeXAttr(path, one);
      }
    }
  }

  private Found<T> ours(Path path, Map<String, byte[]> xattrs) throws ForeignRecordException {
    Found<T> found = in(xattrs);
    if (found.isForeign()) {
      throw new ForeignRecordException(name, path, found.foreign().get());
    }
    return found;
  }
}
