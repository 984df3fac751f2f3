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
package io.github.hybridhbase.tier;

import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.ListingEntry;
import io.github.hybridhbase.hdfs.StorageNamespace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reads what one store has on SSD: its files, those of a parent that it refers to after a split,
 * and those in the archive that HBase has not deleted yet. Costs one NameNode call for each of the
 * two directories, and two a parent.
 */
@InterfaceAudience.Private
final class StoreFilesReader {
  private final StorageNamespace namespace;
  private final Path root;
  private final long archiveMillis;

  /**
   * Makes a reader.
   *
   * @param archiveMillis how long HBase keeps an archived file, at most, where nothing holds it
   */
  StoreFilesReader(StorageNamespace namespace, Path root, long archiveMillis) {
    this.namespace = namespace;
    this.root = root;
    this.archiveMillis = archiveMillis;
  }

  /**
   * Whether files of a directory go to DISK unless they have a policy of their own. Where HDFS's
   * default policy is not HOT the master's state is "left", whatever this says.
   */
  boolean servable(StoreTierConfig config) throws IOException {
    byte policy =
        namespace
            .policy(config.directory())
            .map(status -> status.effective())
            .orElse(StoragePolicy.UNSPECIFIED);
    return policy == StoragePolicy.UNSPECIFIED || policy == StoragePolicy.HOT.id();
  }

  /**
   * The store's files that have a replica on SSD, or a policy of their own.
   *
   * @param parents directories of split parents; those found anew are added, those that hold
   *     nothing any more removed. HBase archives a parent's files some minutes after nobody refers
   *     to them.
   */
  List<TieredFile> look(StoreTierConfig config, Set<Path> parents) throws IOException {
    List<TieredFile> found = new ArrayList<>();
    for (FileBlocks file : files(config.directory())) {
      String name = file.path().getName();
      if (HFileLink.isHFileLink(file.path()) || file.open()) {
        continue;
      }
      if (!StoreFileInfo.isReference(name)) {
        add(config, file, name, false, found);
      } else {
        Path referred = StoreFileInfo.getReferredToFile(file.path());
        if (!HFileLink.isHFileLink(referred)) {
          parents.add(referred.getParent());
        }
      }
    }
    archived(config, config.directory(), found);
    for (Path parent : List.copyOf(parents)) {
      List<FileBlocks> files = files(parent);
      String reference = "." + parent.getParent().getName();
      files.forEach(file -> add(config, file, file.path().getName() + reference, false, found));
      if (archived(config, parent, found) == 0 && files.isEmpty()) {
        parents.remove(parent);
      }
    }
    return found;
  }

  private int archived(StoreTierConfig config, Path directory, List<TieredFile> into)
      throws IOException {
    List<FileBlocks> files = files(archive(directory));
    files.forEach(file -> add(config, file, file.path().getName(), true, into));
    return files.size();
  }

  private void add(
      StoreTierConfig config,
      FileBlocks file,
      String name,
      boolean archived,
      List<TieredFile> into) {
    boolean sticky = StoragePolicy.isForSsd(file.policy());
    long bytes = file.bytes(StorageType.SSD);
    if (bytes > 0 || sticky) {
      long due = file.modified() + (archived ? archiveMillis : config.maxAgeMillis());
      into.add(new TieredFile(file.path(), config.table(), name, bytes, due, archived, sticky));
    }
  }

  private List<FileBlocks> files(Path directory) throws IOException {
    List<FileBlocks> files = new ArrayList<>();
    Optional<RemoteIterator<ListingEntry>> listing = namespace.list(directory);
    while (listing.isPresent() && listing.get().hasNext()) {
      ListingEntry listed = listing.get().next();
      if (!listed.erasureCoded()) {
        listed.file().ifPresent(files::add);
      }
    }
    return files;
  }

  /** Where HBase puts the files of a store once it is done with them. */
  Path archive(Path directory) {
    String base = root.toUri().getPath();
    String path = directory.toUri().getPath();
    return path.startsWith(base + "/")
        ? new Path(root, "archive" + path.substring(base.length()))
        : new Path(root, "archive");
  }
}
