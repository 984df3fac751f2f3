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
package io.github.hybridhbase.tool.cli;

import io.github.hybridhbase.runtime.Action;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An atomic and durable file replacement: a new file is written beside the old one and renamed, so
 * that readers, also after a power cut, find either the old or the new content.
 */
@InterfaceAudience.Private
public final class WholeFile {
  private static final Logger LOG = LoggerFactory.getLogger(WholeFile.class);

  /** For a file of another user, whose ownership only root can restore. */
  @InterfaceAudience.Private
  public enum Owner {
    MUST_STAY,
    /** It becomes this user's, with the same permissions. */
    MAY_CHANGE
  }

  private static final int STICKY = 01000;
  private static final int OTHERS_WRITE = 0002;

  /** As in Linux. */
  private static final int MOST_LINKS = 40;

  private WholeFile() {}

  /**
   * Resolves every link of a path under the rule of Linux's {@code fs.protected_symlinks}: in a
   * sticky, world-writable directory a link counts only if this user or the directory's owner
   * created it. The kernel cannot enforce its rule here, since {@link #write} opens no link.
   *
   * @param path absolute and existing
   * @throws IOException if a link cannot or must not be followed; the message names the link
   */
  public static Path follow(Path path) throws IOException {
    Path at = path.getRoot();
    Deque<Path> rest = new ArrayDeque<>();
    path.forEach(rest::add);
    for (int links = 0; !rest.isEmpty(); ) {
      Path next = at.resolve(rest.pop()).normalize();
      if (Files.isSymbolicLink(next)) {
        if (++links > MOST_LINKS) {
          throw new FileSystemLoopException(path.toString());
        }
        mayFollow(next);
        Path target = Files.readSymbolicLink(next);
        for (int i = target.getNameCount() - 1; i >= 0; i--) {
          rest.push(target.getName(i));
        }
        next = target.isAbsolute() ? target.getRoot() : next.getParent();
      }
      at = next;
    }
    return at.toRealPath();
  }

  private static void mayFollow(Path link) throws IOException {
    Path directory = link.getParent();
    if (!Files.getFileStore(directory).supportsFileAttributeView("unix")) {
      return;
    }
    int mode = (Integer) Files.getAttribute(directory, "unix:mode");
    if ((mode & STICKY) == 0 || (mode & OTHERS_WRITE) == 0) {
      return;
    }
    Object maker = Files.getAttribute(link, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (!maker.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
        && !maker.equals(Files.getAttribute(directory, "unix:uid"))) {
      throw new AccessDeniedException(
          link.toString(), null, "a link of another user in a directory that everybody may write");
    }
  }

  /**
   * Keeps a file's permissions, extended attributes, access control list and, if possible, owner
   * and group; a new file gets the umask's permissions.
   *
   * <p>Java has no access to the list. But {@link Files#copy} copies it with the attributes, so the
   * new file begins as a copy of the old one.
   *
   * @param file not a link, which would be replaced itself
   * @throws IOException if the file was not written; the old one stays
   */
  public static void write(Path file, byte[] content, Owner owner, Action<IOException> look)
      throws IOException {
    // This user's only: until the copy has its owner, its permissions are for the wrong users.
    Path own = Files.createTempDirectory(file.toAbsolutePath().getParent(), ".hybrid-");
    Path fresh = own.resolve("new");
    boolean posix = Files.getFileAttributeView(file, PosixFileAttributeView.class) != null;
    boolean keeps = posix && Files.exists(file);
    try {
      if (keeps && (owner == Owner.MUST_STAY || Files.isReadable(file))) {
        Files.copy(file, fresh, StandardCopyOption.COPY_ATTRIBUTES);
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
      }
      fill(fresh, content);
      if (keeps) {
        keepOwner(file, fresh, owner);
        Files.setPosixFilePermissions(fresh, Files.getPosixFilePermissions(file));
      }
      look.run();
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
      Files.deleteIfExists(own);
    }
    if (posix) {
      settle(file.resolveSibling("."));
    }
  }

  /** Best effort, since the rename is done: without it a power cut may undo the rename. */
  private static void settle(Path directory) {
    try (FileChannel channel = FileChannel.open(directory)) {
      channel.force(true);
    } catch (IOException e) {
      LOG.debug("{} could not be made to reach the disk", directory, e);
    }
  }

  private static void fill(Path fresh, byte[] content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  private static void keepOwner(Path file, Path fresh, Owner owner) throws IOException {
    PosixFileAttributes was = Files.readAttributes(file, PosixFileAttributes.class);
    PosixFileAttributeView view = Files.getFileAttributeView(fresh, PosixFileAttributeView.class);
    PosixFileAttributes is = view.readAttributes();
    // The group first: only the owner may set a group.
    if (!is.group().equals(was.group())) {
      keep(owner, () -> view.setGroup(was.group()));
    }
    if (!is.owner().equals(was.owner())) {
      keep(owner, () -> view.setOwner(was.owner()));
    }
  }

  private static void keep(Owner owner, Action<IOException> change) throws IOException {
    try {
      change.run();
    } catch (FileSystemException e) {
      if (owner == Owner.MUST_STAY) {
        throw e;
      }
    }
  }
}
