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
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;

/** What the plugin keeps in one xattr of a path. Immutable; each call is one or two RPCs. */
@InterfaceAudience.Private
final class XattrRecord<T extends XattrText> {
  private static final EnumSet<XAttrSetFlag> OVER =
      EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE);

  private final String name;
  private final Function<String, Optional<T>> parse;

  /**
   * Describes it.
   *
   * @param name of the xattr
   * @param parse empty for a text that is none of ours
   */
  XattrRecord(String name, Function<String, Optional<T>> parse) {
    this.name = name;
    this.parse = parse;
  }

  /** All xattrs; none where the path does not exist or the NameNode has xattrs disabled. */
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

  /** The record among these xattrs. */
  Optional<T> in(Map<String, byte[]> xattrs) {
    return Optional.ofNullable(xattrs.get(name))
        .map(value -> new String(value, StandardCharsets.UTF_8))
        .flatMap(parse);
  }

  /** Writes it over what stood there; throws where the NameNode has xattrs disabled. */
  void write(DistributedFileSystem dfs, Path path, T value) throws IOException {
    dfs.setXAttr(path, name, value.toBytes(), OVER);
  }

  /** Removes it where there is one. */
  void remove(DistributedFileSystem dfs, Path path) throws IOException {
    if (all(dfs, path).containsKey(name)) {
      dfs.removeXAttr(path, name);
    }
  }
}
