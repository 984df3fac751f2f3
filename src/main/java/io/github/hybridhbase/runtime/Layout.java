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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A table of HBase's directories and their components. Names as in {@code
 * org.apache.hadoop.hbase.HConstants} and {@code MasterRegionFactory}.
 */
@InterfaceAudience.Private
public final class Layout {
  public static final String MASTER_DATA = "MasterData";

  private static final String WALS = "WALs";
  private static final String OLD_WALS = "oldWALs";
  private static final String DATA = "data";
  private static final String SYSTEM_NAMESPACE = "hbase";
  private static final String ARCHIVE = "archive";
  private static final String TMP = ".tmp";
  private static final String STAGING = "staging";
  private static final String MOB = "mobdir";

  /** As {@code StoreFileInfo.HFILE_NAME_PATTERN}. */
  private static final Pattern STORE_FILE = Pattern.compile("[0-9a-f]+(_SeqId_[0-9]+_)?");

  /** A system table that grows without bound. */
  private static final String SLOWLOG = "slowlog";

  private final Path root;
  private final Path walRoot;

  /**
   * @param root {@code hbase.rootdir}, qualified
   * @param walRoot {@code hbase.wal.dir}, qualified; equal to root if not set
   */
  public Layout(Path root, Path walRoot) {
    this.root = root;
    this.walRoot = walRoot;
  }

  public Path root() {
    return root;
  }

  public Path walRoot() {
    return walRoot;
  }

  public Path wals() {
    return new Path(walRoot, WALS);
  }

  public Path masterData() {
    return new Path(root, MASTER_DATA);
  }

  /** Of the catalogs. */
  public Path meta() {
    return new Path(new Path(root, DATA), SYSTEM_NAMESPACE);
  }

  public List<Path> roots() {
    return root.equals(walRoot) ? List.of(root) : List.of(root, walRoot);
  }

  /** Whether it is the root of the master's local store. */
  public static boolean isMasters(Path root) {
    return root.getName().equals(MASTER_DATA);
  }

  /**
   * Including archived and temporary files.
   *
   * @param namespace {@code default} for a table without one
   */
  public List<Path> tableDirectories(String namespace, String qualifier) {
    String below = DATA + "/" + namespace + "/" + qualifier;
    List<Path> paths = new ArrayList<>();
    roots().forEach(base -> paths.add(new Path(base, below)));
    for (String holder : List.of(MOB, ARCHIVE, TMP)) {
      paths.add(new Path(root, holder + "/" + below));
    }
    return paths;
  }

  /** Empty outside both roots and for files that are not placed (e.g. hbase.version). */
  public Optional<Component> componentOf(Path file) {
    for (Path base : roots()) {
      Optional<Component> component = relative(base, file).flatMap(Layout::componentOf);
      if (component.isPresent()) {
        return component;
      }
    }
    return Optional.empty();
  }

  /** Whether HBase's cleaners delete the file once unreferenced. */
  public boolean isDeletedSoon(Path file) {
    return roots().stream()
        .flatMap(base -> relative(base, file).stream())
        .map(parts -> parts[parts[0].equals(MASTER_DATA) && parts.length > 1 ? 1 : 0])
        .anyMatch(holder -> holder.equals(OLD_WALS) || holder.equals(ARCHIVE));
  }

  /**
   * Whether the plugin's writers create the file: a WAL or a store file, not {@code .tabledesc},
   * {@code .regioninfo} and references.
   */
  public boolean isPlaced(Path file) {
    return isStoreFile(file) || placed(file).anyMatch(parts -> parts[0].equals(WALS));
  }

  /** Also of the master; false for references. */
  public boolean isStoreFile(Path file) {
    return placed(file)
        .anyMatch(
            parts ->
                parts.length == 6
                    && parts[0].equals(DATA)
                    && !parts[4].startsWith(".")
                    && !parts[4].equals(HConstants.RECOVERED_EDITS_DIR)
                    && STORE_FILE.matcher(file.getName()).matches());
  }

  /** Its path below each root, or below the master's store there. */
  private Stream<String[]> placed(Path file) {
    return roots().stream()
        .flatMap(base -> relative(base, file).stream())
        .map(parts -> parts[0].equals(MASTER_DATA) ? tail(parts) : parts);
  }

  /**
   * HBase creates MOB files in {@code mobdir/.tmp}, which keeps the policy of the family that wrote
   * there last ({@code StoreFileWriter.Builder}).
   */
  public boolean isMob(Path file) {
    return relative(root, file).filter(parts -> parts[0].equals(MOB)).isPresent();
  }

  private static String[] tail(String[] parts) {
    return Arrays.copyOfRange(parts, 1, Math.max(2, parts.length));
  }

  /** Whether a path is an old WAL or holds such. */
  public static boolean isOldWal(Path file) {
    return file.toUri().getPath().contains("/" + OLD_WALS + "/");
  }

  /** Whether other users may make directories there ({@code staging}). */
  public boolean isOpenToOthers(Path file) {
    return relative(root, file).filter(parts -> parts[0].equals(STAGING)).isPresent();
  }

  /** Of a directory's direct content; empty for the roots. */
  public Optional<Component> componentOfDirectory(Path directory) {
    return componentOf(new Path(directory, "file"));
  }

  private static Optional<Component> componentOf(String[] parts) {
    if (parts.length < 2) {
      return Optional.empty();
    }
    switch (parts[0]) {
      case WALS:
        return Optional.of(Component.WAL);
      case MASTER_DATA:
        boolean kept = parts[1].equals(OLD_WALS) || parts[1].equals(ARCHIVE);
        return Optional.of(kept ? Component.ARCHIVE : Component.MASTER);
      case OLD_WALS:
      case "corrupt":
      case ARCHIVE:
      case ".hbase-snapshot":
        return Optional.of(Component.ARCHIVE);
      case DATA:
        return Optional.of(dataComponent(parts));
      case MOB:
      case STAGING:
        return Optional.of(Component.USER);
      case TMP:
        return Optional.of(Component.TIER);
      default:
        return Optional.empty();
    }
  }

  /** {@code data/<namespace>/<table>/<region>/…} */
  private static Component dataComponent(String[] parts) {
    boolean temporary =
        parts.length > 5
            && (parts[4].equals(TMP) || parts[4].equals(HConstants.RECOVERED_EDITS_DIR));
    if (temporary && !parts[1].equals(SYSTEM_NAMESPACE)) {
      return Component.TIER;
    }
    return componentOfTable(parts[1], parts.length > 2 ? parts[2] : "");
  }

  public static Component componentOfTable(String namespace, String table) {
    return namespace.equals(SYSTEM_NAMESPACE) && !table.equals(SLOWLOG)
        ? Component.META
        : Component.USER;
  }

  private static Optional<String[]> relative(Path base, Path file) {
    String prefix = Path.getPathWithoutSchemeAndAuthority(base).toString();
    String path = Path.getPathWithoutSchemeAndAuthority(file).toString();
    String start = prefix.endsWith("/") ? prefix : prefix + "/";
    return path.startsWith(start)
        ? Optional.of(path.substring(start.length()).split("/", -1))
        : Optional.empty();
  }
}
