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
import io.github.hybridhbase.hdfs.StorageNamespace.ListingEntry;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;

/** A sum of a scan in constant memory. Not thread-safe. */
@InterfaceAudience.Private
public final class ScanReport implements BlockScanner.Visitor {
  @InterfaceAudience.Private
  public enum Anomaly {
    /** On a system component's directory or a root; wins over the plugin's. */
    POLICY_ABOVE,
    /** A user data directory's own policy. */
    OWN_POLICY,
    ERASURE_CODED,
    UNREADABLE,
    /** An archived file created for SSD and held there. */
    HELD_ON_SSD
  }

  @InterfaceAudience.Private
  public static final class Sample {
    static final int KEPT = 5;

    private long count;
    private final List<String> examples = new ArrayList<>();

    void add(String example) {
      count++;
      if (examples.size() < KEPT) {
        examples.add(example);
      }
    }

    public long count() {
      return count;
    }

    /** At most {@link #KEPT} examples, unescaped. */
    public List<String> examples() {
      return List.copyOf(examples);
    }
  }

  @InterfaceAudience.Private
  public static final class Misplaced {
    private final Component component;
    private final Path path;
    private final StoragePolicy wanted;
    private final long bytes;

    Misplaced(Component component, Path path, StoragePolicy wanted, long bytes) {
      this.component = component;
      this.path = path;
      this.wanted = wanted;
      this.bytes = bytes;
    }

    public Component component() {
      return component;
    }

    public Path path() {
      return path;
    }

    public StoragePolicy wanted() {
      return wanted;
    }

    public long bytes() {
      return bytes;
    }
  }

  private final Expectation expectation;
  private final int mostWorst;
  private final Map<Component, ByteTotals> closed = each(Component.class, ByteTotals::new);
  private final Map<Component, ByteTotals> open = each(Component.class, ByteTotals::new);
  private final Map<Component, Sample> misplaced = each(Component.class, Sample::new);
  private final Map<Component, Sample> underReplicated = each(Component.class, Sample::new);
  private final Map<Component, Integer> mostMissing = new EnumMap<>(Component.class);
  private final Map<Anomaly, Sample> anomalies = each(Anomaly.class, Sample::new);
  private final PriorityQueue<Misplaced> worst =
      new PriorityQueue<>((a, b) -> Long.compare(a.bytes, b.bytes));

  public ScanReport(Expectation expectation, int mostWorst) {
    this.expectation = expectation;
    this.mostWorst = mostWorst;
  }

  private static <K extends Enum<K>, V> Map<K, V> each(Class<K> keys, Supplier<V> empty) {
    Map<K, V> map = new EnumMap<>(keys);
    for (K key : keys.getEnumConstants()) {
      map.put(key, empty.get());
    }
    return map;
  }

  public BlockScanner.Visitor with(BlockScanner.Visitor other) {
    return new BlockScanner.Visitor() {
      @Override
      public void file(FileContext context, FileBlocks file) throws IOException {
        ScanReport.this.file(context, file);
        other.file(context, file);
      }

      @Override
      public void directory(FileContext context, ListingEntry directory) {
        ScanReport.this.directory(context, directory);
      }

      @Override
      public void start(Path directory, PolicyStatus status) {
        ScanReport.this.start(directory, status);
      }

      @Override
      public void unreadable(Path directory, AccessControlException e) {
        ScanReport.this.unreadable(directory, e);
      }
    };
  }

  @Override
  public void file(FileContext context, FileBlocks file) {
    Component component = context.component();
    if (context.erasureCoded()) {
      anomalies.get(Anomaly.ERASURE_CODED).add(plain(file.path));
      return;
    }
    StoragePolicy wanted = expectation.of(context, file);
    (file.open ? open : closed).get(component).add(file, wanted);
    if (file.underReplicatedBlocks() > 0 && !file.open) {
      underReplicated.get(component).add(plain(file.path));
      mostMissing.merge(component, file.mostMissing(), Math::max);
    }
    if (file.misplaced(wanted) == 0) {
      return;
    }
    misplaced.get(component).add(plain(file.path));
    if (!file.open) {
      remember(new Misplaced(component, file.path, wanted, file.misplacedBytes(wanted)));
    }
  }

  private void remember(Misplaced file) {
    if (mostWorst > 0) {
      worst.add(file);
      if (worst.size() > mostWorst) {
        worst.poll();
      }
    }
  }

  @Override
  public void directory(FileContext context, ListingEntry directory) {
    if (directory.erasureCoded) {
      anomalies.get(Anomaly.ERASURE_CODED).add(plain(directory.path));
    }
    if (directory.policy == context.parent()) {
      return;
    }
    if (FileContext.userData(context.component())) {
      note(Anomaly.OWN_POLICY, directory.path, directory.policy);
    } else {
      above(context.component(), directory.path, directory.policy);
    }
  }

  private void above(Component component, Path directory, byte policy) {
    StoragePolicy declared = expectation.declared(component);
    boolean free = policy == StoragePolicy.UNSPECIFIED || policy == StoragePolicy.HOT.id();
    if (declared.wantsSsd() && !free && declared.id() != policy) {
      note(Anomaly.POLICY_ABOVE, directory, policy);
    }
  }

  @Override
  public void start(Path directory, PolicyStatus status) {
    above(Component.WAL, directory, status.effective);
  }

  public void heldOnSsd(FileBlocks file) {
    note(Anomaly.HELD_ON_SSD, file.path, file.policy);
  }

  @Override
  public void unreadable(Path directory, AccessControlException e) {
    anomalies.get(Anomaly.UNREADABLE).add(plain(directory));
  }

  private void note(Anomaly anomaly, Path path, byte policy) {
    anomalies.get(anomaly).add(plain(path) + " (" + StoragePolicy.describe(policy) + ")");
  }

  private static String plain(Path path) {
    return path.toUri().getPath();
  }

  public long misplacedFiles() {
    return closed.values().stream().mapToLong(ByteTotals::misplacedFiles).sum();
  }

  public ByteTotals closed(Component component) {
    return closed.get(component);
  }

  /** As far as the NameNode knows the length of open files. */
  public ByteTotals open(Component component) {
    return open.get(component);
  }

  public ByteTotals all(Component component) {
    ByteTotals sum = new ByteTotals();
    sum.add(closed(component));
    sum.add(open(component));
    return sum;
  }

  public Sample misplaced(Component component) {
    return misplaced.get(component);
  }

  public Sample underReplicated(Component component) {
    return underReplicated.get(component);
  }

  /** Replicas that the closed block with the fewest lacks. */
  public int mostMissing(Component component) {
    return mostMissing.getOrDefault(component, 0);
  }

  public Sample anomaly(Anomaly anomaly) {
    return anomalies.get(anomaly);
  }

  public List<Misplaced> worst() {
    List<Misplaced> list = new ArrayList<>(worst);
    list.sort(
        (a, b) -> a.bytes == b.bytes ? a.path.compareTo(b.path) : Long.compare(b.bytes, a.bytes));
    return list;
  }

  public long files() {
    return closed.keySet().stream().mapToLong(component -> all(component).files()).sum();
  }

  /**
   * As JSON has it. In bytes of all replicas; misplaced ones are on a medium that the wanted policy
   * excludes. Not thread-safe.
   */
  public static final class ByteTotals {
    private long files;
    private long ssdFiles;
    private long mixedFiles;
    private long ssdBytes;
    private long diskBytes;
    private long otherBytes;
    private long misplacedFiles;
    private long misplacedBytes;
    private long underReplicatedBlocks;

    /**
     * @param wanted {@link StoragePolicy#NONE} accepts any medium
     */
    public void add(FileBlocks file, StoragePolicy wanted) {
      files++;
      long onSsd = file.replicas(StorageType.SSD);
      if (onSsd > 0) {
        ssdFiles += onSsd == file.replicas() ? 1 : 0;
        mixedFiles += onSsd < file.replicas() ? 1 : 0;
      }
      long ssd = file.bytes(StorageType.SSD);
      long disk = file.bytes(StorageType.DISK);
      ssdBytes += ssd;
      diskBytes += disk;
      otherBytes += file.blocks.stream().mapToLong(b -> b.length * b.replicas.size()).sum();
      otherBytes -= ssd + disk;
      if (file.misplaced(wanted) > 0) {
        misplacedFiles++;
        misplacedBytes += file.misplacedBytes(wanted);
      }
      underReplicatedBlocks += file.underReplicatedBlocks();
    }

    private void add(ByteTotals other) {
      files += other.files;
      ssdFiles += other.ssdFiles;
      mixedFiles += other.mixedFiles;
      ssdBytes += other.ssdBytes;
      diskBytes += other.diskBytes;
      otherBytes += other.otherBytes;
      misplacedFiles += other.misplacedFiles;
      misplacedBytes += other.misplacedBytes;
      underReplicatedBlocks += other.underReplicatedBlocks;
    }

    public long files() {
      return files;
    }

    public long ssdFiles() {
      return ssdFiles;
    }

    public long mixedFiles() {
      return mixedFiles;
    }

    public long ssdBytes() {
      return ssdBytes;
    }

    public long diskBytes() {
      return diskBytes;
    }

    public long otherBytes() {
      return otherBytes;
    }

    public long bytes() {
      return ssdBytes + diskBytes + otherBytes;
    }

    public long misplacedFiles() {
      return misplacedFiles;
    }

    public long misplacedBytes() {
      return misplacedBytes;
    }

    public long underReplicatedBlocks() {
      return underReplicatedBlocks;
    }
  }
}
