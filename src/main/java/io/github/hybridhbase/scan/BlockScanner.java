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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace.ListingEntry;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.IoSupplier;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A depth-first walker of HBase's directories for a {@link Visitor}.
 *
 * <p>Costs one NameNode call per page ({@value #PAGE} entries or replicas at HDFS's defaults);
 * holds one page per tree level plus those listed ahead. Skips entries that disappear, and what
 * other users have made below {@code staging}.
 */
@InterfaceAudience.Private
public final class BlockScanner {
  @InterfaceAudience.Private
  public interface Visitor {
    void file(FileContext context, FileBlocks file) throws IOException;

    /** Called where the walk begins. */
    default void start(Path directory, PolicyStatus status) {}

    default void directory(FileContext context, ListingEntry directory) throws IOException {}

    default void unreadable(Path directory, AccessControlException e) throws IOException {
      throw e;
    }
  }

  /** HDFS's {@code dfs.ls.limit}. */
  private static final int PAGE = 1_000;

  private final Layout layout;
  private final Namespaces namespaces;
  private final BooleanSupplier stopped;
  private final int ahead;
  private final Optional<ScanPace> pace;

  public BlockScanner(Layout layout, Namespaces namespaces) {
    this(layout, namespaces, () -> false, 0);
  }

  /**
   * @param stopped ends the walk early
   * @param ahead directories to list ahead, on as many threads; 0 for none
   */
  public BlockScanner(Layout layout, Namespaces namespaces, BooleanSupplier stopped, int ahead) {
    this(layout, namespaces, stopped, ahead, Optional.empty());
  }

  public BlockScanner(
      Layout layout, Namespaces namespaces, BooleanSupplier stopped, ScanPace pace) {
    this(layout, namespaces, stopped, 0, Optional.of(pace));
  }

  private BlockScanner(
      Layout layout,
      Namespaces namespaces,
      BooleanSupplier stopped,
      int ahead,
      Optional<ScanPace> pace) {
    this.layout = layout;
    this.namespaces = namespaces;
    this.stopped = stopped;
    this.ahead = ahead;
    this.pace = pace;
  }

  /**
   * @throws IOException if HDFS cannot be read or the visitor throws
   */
  public void walk(Visitor visitor) throws IOException {
    walk(layout.roots(), visitor);
  }

  public void walk(List<Path> starts, Visitor visitor) throws IOException {
    for (Path start : starts) {
      Optional<StorageNamespace> namespace = namespaces.of(start);
      if (namespace.isPresent()) {
        walk(namespace.get(), start, visitor);
      }
    }
  }

  private void walk(StorageNamespace namespace, Path start, Visitor visitor) throws IOException {
    try (DirectoryLister lister = new DirectoryLister(namespace, ahead)) {
      walk(namespace, start, visitor, lister);
    }
  }

  private void walk(StorageNamespace namespace, Path start, Visitor visitor, DirectoryLister lister)
      throws IOException {
    Deque<Frame> stack = new ArrayDeque<>();
    Optional<PolicyStatus> status = patiently(() -> namespace.policy(start));
    status.ifPresent(found -> visitor.start(start, found));
    byte policy = status.map(found -> found.effective).orElse(StoragePolicy.UNSPECIFIED);
    enter(lister.now(start), start, policy, "", visitor, stack);
    while (!stack.isEmpty() && !stopped.getAsBoolean()) {
      Frame frame = stack.peek();
      fill(frame, visitor, lister);
      Entry next = frame.ahead.poll();
      if (next == null) {
        stack.pop();
      } else if (next.listed.file != null) {
        FileBlocks file = next.listed.file;
        Optional<Component> component = layout.componentOf(file.path);
        if (component.isPresent()) {
          visitor.file(context(component.get(), frame, next.listed), file);
        }
      } else {
        directory(frame, next, visitor, stack);
      }
    }
  }

  private void fill(Frame frame, Visitor visitor, DirectoryLister lister) throws IOException {
    while (frame.ahead.size() <= ahead) {
      Optional<ListingEntry> next = next(frame, visitor);
      if (next.isEmpty()) {
        return;
      }
      if (isStrangers(frame, next.get())) {
        continue;
      }
      boolean ours =
          next.get().file == null && layout.componentOfDirectory(next.get().path).isPresent();
      frame.ahead.add(
          new Entry(next.get(), ours ? lister.soon(next.get().path) : DirectoryLister.nothing()));
    }
  }

  /** Whether another user than the directory's owner made it. */
  private boolean isStrangers(Frame in, ListingEntry entry) {
    return !in.owner.isEmpty()
        && !entry.owner.isEmpty()
        && layout.isOpenToOthers(in.path)
        && !entry.owner.equals(in.owner);
  }

  private void directory(Frame frame, Entry entry, Visitor visitor, Deque<Frame> stack)
      throws IOException {
    ListingEntry directory = entry.listed;
    Optional<Component> component = layout.componentOfDirectory(directory.path);
    if (component.isEmpty()) {
      return;
    }
    visitor.directory(context(component.get(), frame, directory), directory);
    enter(entry.listing, directory.path, directory.policy, directory.owner, visitor, stack);
  }

  private static FileContext context(Component component, Frame frame, ListingEntry listed) {
    return new FileContext(component, frame.policy, listed.erasureCoded);
  }

  private void enter(
      IoSupplier<Optional<RemoteIterator<ListingEntry>>> listing,
      Path path,
      byte policy,
      String owner,
      Visitor visitor,
      Deque<Frame> stack)
      throws IOException {
    pace.ifPresent(ScanPace::before);
    try {
      Optional<RemoteIterator<ListingEntry>> entries = patiently(listing::get);
      entries.ifPresent(found -> stack.push(new Frame(path, policy, owner, found)));
    } catch (AccessControlException e) {
      visitor.unreadable(path, e);
    }
  }

  private Optional<ListingEntry> next(Frame frame, Visitor visitor) throws IOException {
    try {
      if (frame.isPageFull()) {
        pace.ifPresent(ScanPace::before);
      }
      if (!patiently(frame.entries::hasNext)) {
        return Optional.empty();
      }
      ListingEntry entry = frame.entries.next();
      frame.count(entry);
      return Optional.of(entry);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (AccessControlException e) {
      visitor.unreadable(frame.path, e);
      return Optional.empty();
    }
  }

  /** Repeats failed calls; "access denied" and "not found" are answers. */
  private <T> T patiently(IoSupplier<T> call) throws IOException {
    for (int failures = 1; ; failures++) {
      try {
        return call.get();
      } catch (FileNotFoundException | AccessControlException e) {
        throw e;
      } catch (IOException e) {
        if (pace.isEmpty() || !pace.get().again(e, failures)) {
          throw e;
        }
      }
    }
  }

  private static final class Frame {
    private final Path path;
    private final byte policy;
    private final String owner;
    private final RemoteIterator<ListingEntry> entries;
    private final Deque<Entry> ahead = new ArrayDeque<>();
    private int inPage;
    private long replicas;

    Frame(Path path, byte policy, String owner, RemoteIterator<ListingEntry> entries) {
      this.path = path;
      this.owner = owner;
      this.policy = policy;
      this.entries = entries;
    }

    private void count(ListingEntry entry) {
      inPage++;
      replicas += entry.file == null ? 0 : entry.file.replicas();
    }

    private boolean isPageFull() {
      boolean full = inPage >= PAGE || replicas >= PAGE;
      if (full) {
        inPage = 0;
        replicas = 0;
      }
      return full;
    }
  }

  private static final class Entry {
    private final ListingEntry listed;
    private final IoSupplier<Optional<RemoteIterator<ListingEntry>>> listing;

    Entry(ListingEntry listed, IoSupplier<Optional<RemoteIterator<ListingEntry>>> listing) {
      this.listed = listed;
      this.listing = listing;
    }
  }
}
