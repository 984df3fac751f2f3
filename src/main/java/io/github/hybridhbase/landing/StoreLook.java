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
package io.github.hybridhbase.landing;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.Listed;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.StoragePolicy;
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
final class StoreLook {
  private final StorageNamespace namespace;
  private final Path root;
  private final long archiveMillis;

  /**
   * Makes a reader.
   *
   * @param archiveMillis how long HBase keeps an archived file, at most, where nothing holds it
   */
  StoreLook(StorageNamespace namespace, Path root, long archiveMillis) {
    this.namespace = namespace;
    this.root = root;
    this.archiveMillis = archiveMillis;
  }

  /**
   * Whether files of a directory go to DISK unless they have a policy of their own. Where HDFS's
   * default policy is not HOT the master's word is "left", whatever this says.
   */
  boolean servable(StoreHome home) throws IOException {
    byte policy =
        namespace
            .policy(home.directory())
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
  List<Landed> look(StoreHome home, Set<Path> parents) throws IOException {
    List<Landed> found = new ArrayList<>();
    for (FileBlocks file : files(home.directory())) {
      String name = file.path().getName();
      if (HFileLink.isHFileLink(file.path()) || file.open()) {
        continue;
      }
      if (!StoreFileInfo.isReference(name)) {
        add(home, file, name, false, found);
      } else {
        Path referred = StoreFileInfo.getReferredToFile(file.path());
        if (!HFileLink.isHFileLink(referred)) {
          parents.add(referred.getParent());
        }
      }
    }
    archived(home, home.directory(), found);
    for (Path parent : List.copyOf(parents)) {
      List<FileBlocks> files = files(parent);
      String reference = "." + parent.getParent().getName();
      files.forEach(file -> add(home, file, file.path().getName() + reference, false, found));
      if (archived(home, parent, found) == 0 && files.isEmpty()) {
        parents.remove(parent);
      }
    }
    return found;
  }

  private int archived(StoreHome home, Path directory, List<Landed> into) throws IOException {
    List<FileBlocks> files = files(archive(directory));
    files.forEach(file -> add(home, file, file.path().getName(), true, into));
    return files.size();
  }

  private void add(
      StoreHome home, FileBlocks file, String name, boolean archived, List<Landed> into) {
    boolean sticky = StoragePolicy.isForSsd(file.policy());
    long bytes = file.bytes(StorageType.SSD);
    if (bytes > 0 || sticky) {
      long due = file.modified() + (archived ? archiveMillis : home.maxAgeMillis());
      into.add(new Landed(file.path(), home.table(), name, bytes, due, archived, sticky));
    }
  }

  private List<FileBlocks> files(Path directory) throws IOException {
    List<FileBlocks> files = new ArrayList<>();
    Optional<RemoteIterator<Listed>> listing = namespace.list(directory);
    while (listing.isPresent() && listing.get().hasNext()) {
      Listed listed = listing.get().next();
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
