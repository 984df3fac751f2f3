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
package io.github.hybridhbase.page;

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.report.Causes;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Watermarks;
import io.github.hybridhbase.scan.ScanReport.ByteTotals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An immutable snapshot of a cluster's placement, as a page shows it. Each method that adds
 * something returns a copy.
 */
@InterfaceAudience.Private
public final class Picture {
  private final String root;
  private final String source;
  private final long made;
  private Optional<ScanTimes> scan = Optional.empty();
  private String noScan = "";
  private List<ComponentShare> components = List.of();
  private Optional<TierShare> tier = Optional.empty();
  private List<SsdRoom> rooms = List.of();
  private List<Demotion> demotions = List.of();
  private List<Finding> findings = List.of();
  private List<String> notes = List.of();
  private List<String> unknown = List.of();
  private String exclusionAge = "";

  /**
   * @param made milliseconds since 1970
   */
  public Picture(String root, String source, long made) {
    this.root = root;
    this.source = source;
    this.made = made;
  }

  private Picture copy() {
    Picture copy = new Picture(root, source, made);
    copy.scan = scan;
    copy.noScan = noScan;
    copy.components = components;
    copy.tier = tier;
    copy.rooms = rooms;
    copy.demotions = demotions;
    copy.findings = findings;
    copy.notes = notes;
    copy.unknown = unknown;
    copy.exclusionAge = exclusionAge;
    return copy;
  }

  public Picture scanned(ScanTimes times, List<ComponentShare> shares, List<Finding> worstFirst) {
    Picture next = copy();
    next.scan = Optional.of(times);
    next.components = List.copyOf(shares);
    next.findings = List.copyOf(worstFirst);
    return next;
  }

  public Picture found(List<Finding> worstFirst) {
    Picture next = copy();
    next.findings = List.copyOf(worstFirst);
    return next;
  }

  /**
   * @param why a sentence
   */
  public Picture notScanned(String why) {
    Picture next = copy();
    next.noScan = why;
    return next;
  }

  public Picture tier(TierShare share) {
    Picture next = copy();
    next.tier = Optional.of(share);
    return next;
  }

  public Picture rooms(List<SsdRoom> each) {
    Picture next = copy();
    next.rooms = List.copyOf(each);
    return next;
  }

  public Picture demotions(List<Demotion> all) {
    Picture next = copy();
    next.demotions = List.copyOf(all);
    return next;
  }

  /**
   * Before the scan's, with their findings.
   *
   * @param inPlaceOf directories whose entries of the scan are out of date
   */
  public Picture demotions(List<Demotion> newer, List<Finding> found, Set<String> inPlaceOf) {
    Set<String> repeated = newer.stream().map(Demotion::what).collect(Collectors.toSet());
    repeated.addAll(inPlaceOf);
    List<Demotion> all = new ArrayList<>(newer);
    demotions.stream().filter(one -> !repeated.contains(one.what())).forEach(all::add);
    List<Finding> next = new ArrayList<>(found);
    findings.stream()
        .filter(one -> one.id() != FindingId.DEMOTED || !inPlaceOf.contains(one.subject()))
        .forEach(next::add);
    return demotions(all).found(Causes.sorted(next));
  }

  public Picture unknown(List<String> facts) {
    Picture next = copy();
    next.unknown = List.copyOf(facts);
    return next;
  }

  public Picture exclusionAge(String age) {
    Picture next = copy();
    next.exclusionAge = age;
    return next;
  }

  public Picture notes(List<String> sentences) {
    Picture next = copy();
    next.notes = List.copyOf(sentences);
    return next;
  }

  String root() {
    return root;
  }

  String source() {
    return source;
  }

  long made() {
    return made;
  }

  Optional<ScanTimes> scan() {
    return scan;
  }

  String noScan() {
    return noScan;
  }

  List<ComponentShare> components() {
    return components;
  }

  Optional<TierShare> tier() {
    return tier;
  }

  List<SsdRoom> rooms() {
    return rooms;
  }

  List<Demotion> demotions() {
    return demotions;
  }

  List<Finding> findings() {
    return findings;
  }

  /** Facts that the verdict needs and that are unknown, one phrase each. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    if (scan.isEmpty()) {
      missing.add("where the blocks are. " + noScan);
    } else if (!scan.get().complete()) {
      missing.add("the rest of the files. The scan ended early");
    } else if (!noScan.isEmpty()) {
      missing.add("where the blocks are now. " + noScan);
    }
    missing.addAll(unknown);
    return missing;
  }

  String exclusionAge() {
    return exclusionAge;
  }

  List<String> notes() {
    return notes;
  }

  public static final class Demotion {
    private final String what;
    private final OptionalLong since;
    private final String why;

    /**
     * @param since milliseconds since 1970; empty if unknown
     */
    public Demotion(String what, OptionalLong since, String why) {
      this.what = what;
      this.since = since;
      this.why = why;
    }

    /** Its WALs fell back to DISK. */
    public static Demotion ofServer(String directory) {
      return new Demotion(
          directory,
          OptionalLong.empty(),
          "SSD refused a WAL of this server, so its next ones go to DISK. It asks SSD again by itself"
              + " (hbase.hybrid.ssd.retry); its log says why at 'SSD refused the WAL'.");
    }

    String what() {
      return what;
    }

    OptionalLong since() {
      return since;
    }

    String why() {
      return why;
    }
  }

  public static final class ScanTimes {
    private final long began;
    private final long millis;
    private final long files;
    private final long directories;
    private final boolean complete;

    /**
     * @param began milliseconds since 1970
     */
    public ScanTimes(long began, long millis, long files, long directories, boolean complete) {
      this.began = began;
      this.millis = millis;
      this.files = files;
      this.directories = directories;
      this.complete = complete;
    }

    long began() {
      return began;
    }

    long millis() {
      return millis;
    }

    long files() {
      return files;
    }

    long directories() {
      return directories;
    }

    boolean complete() {
      return complete;
    }
  }

  /** The space on the SSDs of one HDFS beside what the plugin requires free. Immutable. */
  public static final class SsdRoom {
    private final Optional<SsdSpace> space;
    private final long at;
    private final String trouble;
    private final long headroom;
    private final Watermarks watermarks;

    /**
     * @param space empty if unreadable
     * @param at when it was read, milliseconds since 1970
     * @param trouble why the space is unreadable or uncertain; otherwise empty
     * @param headroom bytes required free on a DataNode; 0 if unknown
     */
    public SsdRoom(
        Optional<SsdSpace> space, long at, String trouble, long headroom, Watermarks watermarks) {
      this.space = space;
      this.at = at;
      this.trouble = trouble;
      this.headroom = headroom;
      this.watermarks = watermarks;
    }

    Optional<SsdSpace> space() {
      return space;
    }

    /** 0 if unknown. */
    public long capacity() {
      return space.map(SsdSpace::capacity).orElse(0L);
    }

    long at() {
      return at;
    }

    String trouble() {
      return trouble;
    }

    long headroom() {
      return headroom;
    }

    Watermarks watermarks() {
      return watermarks;
    }
  }

  /**
   * A component's declared policy and the location of its replicas, in bytes of all replicas.
   * Immutable.
   */
  public static final class ComponentShare {
    private final Component component;
    private final StoragePolicy declared;
    private final String inForce;
    private final long files;
    private final ByteTotals open;
    private final long ssd;
    private final long disk;
    private final long other;
    private final long misplaced;
    private final long underReplicated;

    /**
     * @param inForce names of its directories' policies; empty if unknown
     */
    public ComponentShare(
        Component component,
        StoragePolicy declared,
        Set<String> inForce,
        ByteTotals closed,
        ByteTotals open) {
      this.component = component;
      this.declared = declared;
      this.inForce = inForce.isEmpty() ? "-" : String.join(" + ", inForce);
      this.open = open;
      this.files = closed.files() + open.files();
      this.ssd = closed.ssdBytes() + open.ssdBytes();
      this.disk = closed.diskBytes() + open.diskBytes();
      this.other = closed.otherBytes() + open.otherBytes();
      this.misplaced = closed.misplacedBytes() + open.misplacedBytes();
      this.underReplicated = closed.underReplicatedBlocks() + open.underReplicatedBlocks();
    }

    Component component() {
      return component;
    }

    StoragePolicy declared() {
      return declared;
    }

    String inForce() {
      return inForce;
    }

    ByteTotals open() {
      return open;
    }

    long files() {
      return files;
    }

    long ssd() {
      return ssd;
    }

    long disk() {
      return disk;
    }

    long other() {
      return other;
    }

    long misplaced() {
      return misplaced;
    }

    long underReplicated() {
      return underReplicated;
    }

    long bytes() {
      return ssd + disk + other;
    }
  }
}
