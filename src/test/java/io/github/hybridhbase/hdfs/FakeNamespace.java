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

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import io.github.hybridhbase.hdfs.StorageNamespace.ListingEntry;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.commons.lang3.function.FailableConsumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.apache.yetus.audience.InterfaceAudience;

/** A {@link StorageNamespace} in memory that inherits policies as HDFS does and logs each write. */
@InterfaceAudience.Private
public final class FakeNamespace extends StorageNamespace {
  private final Map<String, NewFile> placed = new HashMap<>();
  private final Map<Path, Byte> directories = new TreeMap<>();
  private final Map<Path, Map<String, byte[]>> xattrs = new HashMap<>();
  private final Map<Path, FileBlocks> files = new TreeMap<>();
  private final Map<Path, Byte> owns = new HashMap<>();
  private final Set<Path> unreadable = new HashSet<>();
  private final Set<String> erasureCoded = new HashSet<>();
  private final List<String> writes = Collections.synchronizedList(new ArrayList<>());
  private final Map<Path, String> owners = new HashMap<>();
  private final Map<Path, Integer> policyReads = new ConcurrentHashMap<>();
  private long now;
  private Backoff refusals;
  private IOException onSet;
  private IOException onUnset;
  private final Map<Path, Integer> failures = new HashMap<>();

  public FakeNamespace() {
    super(null);
  }

  /** All paths of one HBase on one HDFS. */
  public static Namespaces namespaces(StorageNamespace hdfs) {
    return path -> Optional.of(hdfs);
  }

  /**
   * Makes a directory that exists, with a policy of its own or {@link StoragePolicy#UNSPECIFIED}.
   */
  public FakeNamespace with(String path, int ownPolicy) {
    directories.put(new Path(path), (byte) ownPolicy);
    return this;
  }

  public FakeNamespace refusesPolicies(IOException e) {
    onSet = e;
    return this;
  }

  public FakeNamespace refusesUnset(IOException e) {
    onUnset = e;
    return this;
  }

  public List<String> writes() {
    return writes;
  }

  private byte inForce(Path path) {
    for (Path at = path; at != null; at = at.getParent()) {
      byte own = directories.getOrDefault(at, StoragePolicy.UNSPECIFIED);
      if (own != StoragePolicy.UNSPECIFIED) {
        return own;
      }
    }
    return StoragePolicy.UNSPECIFIED;
  }

  @Override
  public Optional<PolicyStatus> policy(Path path) {
    policyReads.merge(path, 1, Integer::sum);
    return directories.containsKey(path)
        ? Optional.of(new PolicyStatus(inForce(path), coded(path)))
        : Optional.empty();
  }

  /** How often the policies of a directory and what is below it were asked for. */
  public int policyReads(String path) {
    return policyReads.entrySet().stream()
        .filter(one -> (one.getKey() + "/").startsWith(path + "/"))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  /** Shows the policy of the file at once, as if it were created right after. */
  @Override
  public NewFile place(Path path, StoragePolicy policy, boolean marked) throws IOException {
    if (onSet != null) {
      throw onSet;
    }
    if (marked) {
      writes.add("hot " + path);
    }
    writes.add("set " + path + " " + policy);
    owns.put(path, policy.id());
    NewFile file = new NewFile(path.toUri().getPath(), policy, marked, any -> {}, () -> {});
    placed.put(path.toUri().getPath(), file);
    return file;
  }

  @Override
  public boolean refuses() {
    return refusals != null && refusals.waitNanos(TimeUnit.MILLISECONDS.toNanos(now)) > 0;
  }

  @Override
  public void refused(Object what, long firstNanos) {
    Backoff last = refusals == null ? Backoff.starting(firstNanos) : refusals;
    refusals = last.refused(TimeUnit.MILLISECONDS.toNanos(now));
  }

  /** HDFS has allocated the block of a placed file, of which three replicas are asked for. */
  public void allocates(String path, int replicas, int onSsd) {
    NewFile file = placed.get(path);
    file.created(3);
    file.carried = true;
    file.missing = Math.max(0, file.onSsd() - onSsd);
    file.fewest = replicas;
  }

  @Override
  public void unsetPolicy(Path path) throws IOException {
    if (onUnset != null) {
      throw onUnset;
    }
    if (!files.containsKey(path) && !directories.containsKey(path)) {
      throw new FileNotFoundException(path.toString());
    }
    writes.add("unset " + path);
    (files.containsKey(path) ? owns : directories).put(path, StoragePolicy.UNSPECIFIED);
  }

  /** A record as it stands in HDFS: of another version, or of somebody else. */
  public FakeNamespace withForeign(String path, String xattr, String text) {
    xattrs
        .computeIfAbsent(new Path(path), none -> new TreeMap<>())
        .put(xattr, text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** A namespace that answers as another does, of whose methods each call is heard first. */
  public static StorageNamespace heard(
      Supplier<StorageNamespace> hdfs, FailableConsumer<String, Exception> ear) {
    return mock(
        StorageNamespace.class,
        withSettings()
            .stubOnly()
            .defaultAnswer(
                call -> {
                  ear.accept(call.getMethod().getName());
                  try {
                    return call.getMethod().invoke(hdfs.get(), call.getArguments());
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                }));
  }

  @Override
  public Map<String, byte[]> xattrs(Path path) throws IOException {
    return Map.copyOf(xattrs.getOrDefault(path, Map.of()));
  }

  @Override
  public void setXattr(Path path, String name, byte[] value) throws IOException {
    String text = new String(value, StandardCharsets.UTF_8);
    if (name.equals(TierState.XATTR)) {
      writes.add("say " + path + " " + text);
    }
    withForeign(path.toString(), name, text);
  }

  @Override
  public void removeXattr(Path path, String name) throws IOException {
    xattrs.getOrDefault(path, new TreeMap<>()).remove(name);
  }

  @Override
  public List<String> children(Path directory) {
    return directories.keySet().stream()
        .filter(path -> directory.equals(path.getParent()))
        .map(Path::getName)
        .collect(Collectors.toList());
  }

  @Override
  public boolean takesWrites() {
    return true;
  }

  @Override
  public long defaultBlockSize(Path directory) {
    return 128;
  }

  @Override
  public Optional<FileBlocks> blocks(Path file) {
    return Optional.ofNullable(files.get(file));
  }

  /** Adds a file with three replicas, with its parents; its policy is its directory's. */
  public FakeNamespace file(String path, long length, StorageType... replicas) {
    return file(path, StoragePolicy.UNSPECIFIED, false, new FileBlocks.Block(length, replicas));
  }

  /** Adds a file, with its parents; an own policy of UNSPECIFIED inherits. */
  public FakeNamespace file(String path, int own, boolean open, FileBlocks.Block... blocks) {
    Path file = new Path(path);
    for (Path at = file.getParent(); at != null; at = at.getParent()) {
      directories.putIfAbsent(at, StoragePolicy.UNSPECIFIED);
    }
    long length = Arrays.stream(blocks).mapToLong(block -> block.length).sum();
    owns.put(file, (byte) own);
    files.put(file, new FileBlocks(file, length, 3, (byte) own, open, List.of(blocks), now, false));
    return this;
  }

  /** Files that are added from here on were modified at this time. */
  public FakeNamespace at(long millis) {
    now = millis;
    return this;
  }

  /** Deletes a file. */
  public void delete(String path) {
    files.remove(new Path(path));
    owns.remove(new Path(path));
  }

  /** Makes a directory unreadable. */
  public FakeNamespace unreadable(String path) {
    unreadable.add(new Path(path));
    return this;
  }

  /** The next listings of a directory fail, so many of them. */
  public FakeNamespace failsToList(String path, int times) {
    failures.put(new Path(path), times);
    return this;
  }

  /** Gives a directory or file to another user than HBase's. */
  public FakeNamespace ownedBy(String path, String user) {
    owners.put(new Path(path), user);
    return this;
  }

  /** Makes everything below a path erasure coded. */
  public FakeNamespace erasureCoded(String path) {
    erasureCoded.add(path + "/");
    return this;
  }

  @Override
  public Optional<RemoteIterator<ListingEntry>> list(Path directory) throws IOException {
    if (unreadable.contains(directory)) {
      throw new AccessControlException("Permission denied: user=nobody, access=READ_EXECUTE");
    }
    if (failures.merge(directory, -1, Integer::sum) >= 0) {
      throw new IOException("the NameNode does not answer");
    }
    if (!directories.containsKey(directory)) {
      return Optional.empty();
    }
    List<ListingEntry> entries = new ArrayList<>();
    for (Path at : directories.keySet()) {
      if (directory.equals(at.getParent())) {
        entries.add(entry(at, inForce(at), null));
      }
    }
    for (FileBlocks file : files.values()) {
      if (directory.equals(file.path.getParent())) {
        byte own = owns.get(file.path);
        byte policy = own == StoragePolicy.UNSPECIFIED ? inForce(directory) : own;
        entries.add(
            entry(
                file.path,
                policy,
                new FileBlocks(
                    file.path,
                    file.length,
                    3,
                    policy,
                    file.open,
                    file.blocks,
                    file.modified,
                    false)));
      }
    }
    return Optional.of(RemoteIterators.remoteIteratorFromIterable(entries));
  }

  private ListingEntry entry(Path at, byte policy, FileBlocks file) {
    return new ListingEntry(at, policy, coded(at), owners.getOrDefault(at, "hbase"), file);
  }

  private boolean coded(Path path) {
    return erasureCoded.stream().anyMatch((path.toUri().getPath() + "/")::startsWith);
  }
}
