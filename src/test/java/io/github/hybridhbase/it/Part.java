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
package io.github.hybridhbase.it;

import io.github.hybridhbase.runtime.Component;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** A kind of file whose medium is proven on its own, finer than a {@link Component}. */
@InterfaceAudience.Private
public enum Part {
  USER_WAL("user WAL", Component.WAL, path -> !path.endsWith(".meta"), StorageType.SSD),
  META_WAL("meta WAL", Component.WAL, path -> path.endsWith(".meta"), StorageType.SSD),
  MASTER_WAL(
      "master store WAL",
      Component.MASTER,
      path -> path.contains("/MasterData/WALs/"),
      StorageType.SSD),
  HBASE_META("hbase:meta", Component.META, path -> path.contains("/data/hbase/"), StorageType.SSD),
  MASTER_STORE(
      "master:store",
      Component.MASTER,
      path -> path.contains("/MasterData/data/"),
      StorageType.SSD),
  USER_FILES(
      "user store files",
      Component.USER,
      path -> path.contains("/data/default/") && !path.contains("/."),
      StorageType.DISK),
  OLD_WALS(
      "WALs after use (oldWALs)",
      Component.ARCHIVE,
      path -> path.contains("/hbase/oldWALs/"),
      StorageType.DISK),
  ARCHIVED_FILES(
      "archived store files",
      Component.ARCHIVE,
      path -> path.contains("/hbase/archive/"),
      StorageType.DISK);

  /** HBase's own, which belong on SSD. */
  public static final Set<Part> SYSTEM =
      EnumSet.of(USER_WAL, META_WAL, MASTER_WAL, HBASE_META, MASTER_STORE);

  private final String label;
  private final Component component;
  private final Predicate<String> path;
  private final StorageType medium;

  Part(String label, Component component, Predicate<String> path, StorageType medium) {
    this.label = label;
    this.component = component;
    this.path = path;
    this.medium = medium;
  }

  /** Name for people. */
  public String label() {
    return label;
  }

  /** Where every replica of it belongs. */
  public StorageType medium() {
    return medium;
  }

  /** Whether a file, of this component and at this path, is one of this kind. */
  public boolean holds(Component of, String at) {
    return component == of && path.test(at);
  }
}
