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
package io.github.hybridhbase.measure;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.hybridhbase.bed.BedSpec;
import io.github.hybridhbase.bed.OwnedBed;
import io.github.hybridhbase.bed.Role;
import io.github.hybridhbase.bed.ServerProcess;
import io.github.hybridhbase.bed.Waiting;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.testing.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The processes of one set-up on two devices: NameNode, DataNode, ZooKeeper, master and
 * RegionServer, one of each. The NameNode's image and all logs are on neither device. For one
 * thread.
 */
@InterfaceAudience.Private
final class BenchBed implements AutoCloseable {
  /** Directory of bucket caches. */
  static final String CACHE = "cache";

  private static final int HANDLERS = 30;
  private static final int TIER_SECONDS = 180;

  final Setup setup;
  final Scale scale;
  final ScratchDirectory hdd;
  final ScratchDirectory ssd;
  final OwnedBed bed;
  private final RunSettings settings;
  private final Map<String, String> above;

  /** By state; the first one is that of the load. */
  private final Map<String, SavedFiles> saved = new LinkedHashMap<>();

  private BenchBed(
      Setup setup,
      RunSettings settings,
      Scale scale,
      Map<String, String> above,
      ScratchDirectory hdd,
      ScratchDirectory ssd,
      OwnedBed bed) {
    this.setup = setup;
    this.settings = settings;
    this.scale = scale;
    this.above = above;
    this.hdd = hdd;
    this.ssd = ssd;
    this.bed = bed;
  }

  /**
   * Makes one; starts nothing.
   *
   * @param keys above those of the set-up, the scale and the settings
   */
  static BenchBed make(
      Setup setup, RunSettings settings, Scale scale, Map<String, String> keys, Machine machine)
      throws IOException, InterruptedException {
    ScratchDirectory onHdd = ScratchDirectory.under(machine.hdd.directory, "bench-");
    ScratchDirectory onSsd = ScratchDirectory.under(machine.ssd.directory, "bench-");
    try {
      Path disk = (setup == Setup.SSD) ? onSsd.path() : onHdd.path();
      Path zooKeeper = setup.stored() == Setup.HDD ? onHdd.path() : onSsd.path();
      BedSpec spec =
          BedSpec.of(Line.built())
              .dataNodes(1)
              .media((setup == Setup.SSD) ? List.of("DISK") : List.of("SSD", "DISK"))
              .device("SSD", onSsd.path())
              .device("DISK", disk)
              .heap(Role.REGIONSERVER, scale.heapMb())
              .set("hbase.zookeeper.property.dataDir", zooKeeper.resolve("zk").toString());
      if (setup.plugin()) {
        spec =
            spec.plugin(
                settings.base.resolve("target/classes"),
                settings.base.resolve("conf/hbase-site.xml"));
      }
      Map<String, String> all = settings.commonKeys();
      all.putAll(setup.keys());
      all.putAll(scale.keys(setup.plugin()));
      all.putAll(settings.keys);
      all.putAll(keys);
      for (Map.Entry<String, String> key : all.entrySet()) {
        spec = spec.set(key.getKey(), key.getValue());
      }
      Path beds = Files.createDirectories(settings.base.resolve("target/beds"));
      return new BenchBed(setup, settings, scale, keys, onHdd, onSsd, OwnedBed.make(spec, beds));
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      onHdd.close();
      onSsd.close();
      throw e;
    }
  }

  /** That of a cell, whose reads may be from memory. */
  Scale scale(Cell cell) {
    return cell.readsHitMemory() ? scale.holdingTheData() : scale;
  }

  ServerProcess regionServer() throws IOException {
    return bed.process(Role.REGIONSERVER.name(0));
  }

  /** Gives the RegionServer, which is down, memory for all blocks until the next cell. */
  void holdTheData() throws IOException {
    Scale held = scale.holdingTheData();
    regionServer().heap(held.heapMb());
    regionServer().set(held.sharesOfHeap());
  }

  /** For a client. */
  Configuration conf() {
    return bed.client();
  }

  /** Keeps what the processes, which are down, have on disk. */
  void save(String state) throws IOException {
    saved.put(state, SavedFiles.of(stored(), saved.size()));
  }

  boolean has(String state) {
    return saved.containsKey(state);
  }

  private List<Path> stored() throws IOException {
    Path image = bed.process(Role.NAMENODE.name(0)).directory().resolve("image");
    Path onHdd = hdd.path().resolve(Role.DATANODE.name(0));
    Path onSsd = ssd.path().resolve(Role.DATANODE.name(0));
    return List.of(
        image,
        hdd.path().resolve("zk"),
        ssd.path().resolve("zk"),
        onHdd.resolve("disk"),
        onSsd.resolve("disk"),
        onSsd.resolve("ssd"));
  }

  /**
   * Puts back the cell's state, else that of its load, and tells the processes, which are down,
   * what a cell needs.
   */
  void prepare(Cell cell) throws IOException {
    saved.getOrDefault(cell.state(), saved.get(cell.load())).restore();
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("hbase.wal.hsync", Boolean.toString(cell.durable()));
    keys.put("dfs.datanode.synconclose", Boolean.toString(cell.durable()));
    int handlers = Math.max(HANDLERS, cell.number(Axis.THREADS));
    keys.put("hbase.regionserver.handler.count", Integer.toString(handlers));
    Scale own = scale(cell);
    keys.putAll(own.sharesOfHeap());
    keys.putAll(cell.setup().keys());
    keys.putAll(settings.keys);
    keys.putAll(above);
    keys.putAll(scale.hotKeys(cell.hotPercent()));
    regionServer().heap(own.heapMb());
    for (ServerProcess process : bed.processes()) {
      process.set(keys);
    }
    cache(scale.cacheMb(cell.cachePercent()));
  }

  /** Gives the RegionServer a new bucket cache, with the keys that the verb plan sets. */
  private void cache(long megabytes) throws IOException {
    SavedFiles.delete(ssd.path().resolve(CACHE));
    Path file = ssd.path().resolve(CACHE).resolve("blocks");
    Files.createDirectories(file.getParent());
    regionServer()
        .set(
            Map.of(
                "hbase.bucketcache.ioengine",
                megabytes == 0 ? "" : "file:" + file,
                "hbase.bucketcache.size",
                Long.toString(megabytes)));
  }

  void start() throws IOException, InterruptedException {
    bed.startHdfs();
    if (setup.plugin()) {
      renewTier();
    }
    bed.startHBase();
  }

  /**
   * The master's word of the SSD tier came back with the state, as old as that. A RegionServer that
   * finds it too old looks again a minute later, when a short cell is over.
   */
  private void renewTier() throws IOException {
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(conf().get("hbase.rootdir"));
    try (FileSystem fs = FileSystem.newInstance(root.toUri(), conf())) {
      StorageNamespace namespace = StorageNamespace.of(fs).orElseThrow();
      TierState state = TierState.on(namespace, root).orElse(TierState.closed(""));
      if (state.open()) {
        long now = System.currentTimeMillis();
        TierState.open(state.share(), state.room(), now, state.sender()).writeTo(namespace, root);
      }
    }
  }

  /**
   * Returns when the RegionServer writes young store files to SSD.
   *
   * @throws IOException where it does not in time: what is measured then is another set-up
   */
  void awaitTier() throws IOException, InterruptedException {
    Waiting.until(
        "the SSD tier to open", TIER_SECONDS, () -> plugin().path("TierShare").asLong() > 0);
  }

  /** What the plugin tells of the RegionServer. */
  JsonNode plugin() throws IOException {
    return bed.plugin(regionServer());
  }

  /** Bounds the page caches of the processes that run: the RegionServer reads blocks itself. */
  void bound(MemoryGroups memory) throws IOException {
    if (scale.bounded()) {
      memory.bound(bed.process(Role.DATANODE.name(0)), Scale.LEAST_PAGE_CACHE);
      memory.bound(regionServer(), scale.pageCacheMb());
    }
  }

  /** Ends all at once, whatever that leaves on disk. */
  void kill() throws IOException, InterruptedException {
    for (ServerProcess process : bed.processes()) {
      if (process.isAlive()) {
        process.kill();
      }
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    try {
      bed.close();
    } finally {
      hdd.close();
      ssd.close();
    }
  }
}
