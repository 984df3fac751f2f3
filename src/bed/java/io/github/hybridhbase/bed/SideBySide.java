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
package io.github.hybridhbase.bed;

import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Text;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Loads one table with the plugin and once more without it, shows from block locations where each
 * component's replicas are, and lets SSD refuse WALs at the end.
 */
@InterfaceAudience.Private
final class SideBySide {
  /** By which stock HBase puts WALs on SSD. */
  static final String STOCK_KEY = "hbase.wal.storage.policy";

  private static final int REGIONS = 4;
  private static final int BLOCK_BYTES = 64 << 10;

  /** The components whose placement the plugin answers for at creation. */
  private static final List<Component> JUDGED =
      List.of(Component.WAL, Component.MASTER, Component.META, Component.USER);

  private static final List<Component> SHOWN =
      List.of(Component.WAL, Component.MASTER, Component.META, Component.USER, Component.ARCHIVE);

  /** Makes a bed. */
  interface Maker {
    OwnedBed make(BedSpec spec) throws IOException, InterruptedException;
  }

  private final PrintStream out;
  private final Maker maker;
  private final long rows;
  private final long start = System.nanoTime();

  SideBySide(PrintStream out, Maker maker, long rows) {
    this.out = out;
    this.maker = maker;
    this.rows = rows;
  }

  /** Returns whether the plugin placed all as declared, and its servers survived. */
  boolean run(BedSpec plugin, BedSpec stock) throws IOException, InterruptedException {
    out.printf(
        Locale.ROOT,
        "%,d rows of %d x %d bytes, twice, into HBase on %d DataNodes in two racks, all but one"
            + " with an SSD.%n",
        rows,
        UserTable.FIELDS,
        UserTable.FIELD_BYTES,
        plugin.dataNodes);
    out.printf("%n[1/2] With the plugin, enabled by conf/hbase-site.xml%n");
    Half with = half(plugin);
    out.printf("%n[2/2] The same load on stock HBase with %s=ALL_SSD%n", STOCK_KEY);
    Half without = half(stock);
    out.printf("%nSide by side: bytes of all replicas, as HDFS reports each block's location%n");
    block("after the load", with.loaded, without.loaded);
    block("after compaction", with.settled, without.settled);
    out.printf(
        "%n  Both media are directories of one disk here: bytes and their places are what this"
            + " shows.%n  user: new store files are written to SSD, within a budget, and the"
            + " compaction of all of%n  them to DISK; left alone, HBase compacts each to DISK when"
            + " it is an hour old.%n  archive: old WALs and compacted files that wait for deletion."
            + " A rename moves no block,%n  so what was on SSD stays there until HBase's cleaner"
            + " deletes it (10 minutes).%n");
    out.printf(
        "%nNot where declared (WALs, the master's too, and meta on SSD; user on DISK, but for young"
            + " files): %s with the plugin, %s without.%n",
        with.misplaced() == 0 ? "nothing" : size(with.misplaced()),
        without.misplaced() == 0 ? "nothing" : size(without.misplaced()));
    out.printf(
        "%nThe end: SSD refuses new WALs (a quota of SSD is used up), all WALs roll, a client"
            + " writes:%n  plugin: %s%n  stock:  %s%n",
        with.refused, without.refused);
    return with.misplaced() == 0 && with.survived;
  }

  /** Two looks at one run, and its end. */
  private static final class Half {
    private MediaTotals loaded;
    private MediaTotals settled;
    private String refused;
    private boolean survived;

    long misplaced() {
      return JUDGED.stream()
          .mapToLong(
              c -> Math.max(loaded.bytes(c).misplacedBytes(), settled.bytes(c).misplacedBytes()))
          .sum();
    }
  }

  private Half half(BedSpec spec) throws IOException, InterruptedException {
    say("starting HDFS, ZooKeeper and HBase");
    Half half = new Half();
    try (OwnedBed bed = maker.make(spec)) {
      try {
        bed.start();
        try (Load load = new Load(bed);
            FaultMaker faults = new FaultMaker(bed, Load.TABLE, 0)) {
          place(bed, load, spec.plugin != null, half);
          say("using up a quota of SSD on the WALs, and rolling them");
          refuse(bed, load, faults, half);
        }
        say("stopping");
      } catch (IOException | RuntimeException | Error e) {
        bed.keep();
        out.println("The logs are kept: " + bed.directory());
        throw e;
      }
    }
    return half;
  }

  private void place(OwnedBed bed, Load load, boolean tiered, Half half)
      throws IOException, InterruptedException {
    Connection connection = load.connection;
    UserTable table = new UserTable(connection);
    table.create(REGIONS, BLOCK_BYTES);
    if (tiered) {
      say("waiting for the SSD tier to open");
      bed.awaitTier();
    }
    say("loading with YCSB's CoreWorkload");
    table.load(UserTable.properties(rows));
    half.loaded = MediaTotals.take(load.fs, connection.getConfiguration());
    say("flushing and compacting");
    for (TableName name : List.of(TableName.META_TABLE_NAME, UserTable.TABLE)) {
      MajorCompaction compaction = MajorCompaction.begin(connection, name);
      bed.await(compaction.toString(), compaction::ended);
    }
    say("rolling the WALs");
    load.roll();
    half.settled = MediaTotals.take(load.fs, connection.getConfiguration());
    say("counting the rows");
    long counted = table.readAll();
    if (counted != rows) {
      throw new IOException("loaded " + rows + " rows, read back " + counted);
    }
  }

  /** SSD refuses each new WAL: what becomes of the servers and of a client that writes. */
  private static void refuse(OwnedBed bed, Load load, FaultMaker faults, Half half)
      throws IOException, InterruptedException {
    Fault fault = new Fault(Fault.Kind.REFUSE_SSD, 0, 0, 0);
    List<ServerProcess> servers = bed.processes(Role.REGIONSERVER);
    load.createTable();
    SteadyLoad writes = new SteadyLoad(new Load(bed), 0, text -> {});
    try {
      bed.await("a first write", () -> writes.rows() > 0);
      faults.begin(fault);
      load.requestRolls();
      bed.await(
          "servers that abort, or WALs on DISK",
          () -> aborted(servers) == servers.size() || BedWals.of(bed).offSsd());
      long dead = aborted(servers);
      String end = dead + " of " + servers.size() + " RegionServers aborted";
      if (dead == 0) {
        int before = writes.rows() + 1;
        bed.await("a write after it", () -> writes.rows() > before);
        faults.end(fault);
        bed.await("WALs on SSD again", () -> BedWals.of(bed).allOn("SSD"));
        load.expect(writes.end());
        load.assertAllThere();
        end = "no RegionServer aborted; WALs went to DISK, and back to SSD after it";
        half.survived = writes.failed() == 0;
      }
      half.refused =
          String.format(
              Locale.ROOT,
              "%s. %,d writes acknowledged%s, %d failed, the longest took %,d ms.",
              end,
              writes.rows(),
              dead == 0 ? " and read back" : ", then none",
              writes.failed(),
              writes.takeLongestMillis());
    } finally {
      writes.abandon();
    }
  }

  private static long aborted(List<ServerProcess> servers) throws IOException {
    long aborted = 0;
    for (ServerProcess server : servers) {
      aborted += server.said(Bed.ABORTING_SERVER) ? 1 : 0;
    }
    return aborted;
  }

  // ---- what is printed

  private void say(String what) {
    out.printf(Locale.ROOT, "  %4.0f s  %s%n", (System.nanoTime() - start) / 1e9, what);
  }

  private void block(String moment, MediaTotals with, MediaTotals without) {
    out.printf("%n  %-21s %-32s   %s%n", moment, "      with the plugin", "        stock");
    out.printf(
        "  %-10s %-8s %11s %11s   %-8s %11s %11s%n",
        "component", "policy", "on SSD", "on DISK", "policy", "on SSD", "on DISK");
    for (Component component : SHOWN) {
      out.printf(
          "  %-10s %-8s %11s %11s   %-8s %11s %11s%n",
          component.label(),
          with.policies(component),
          size(with.bytes(component).ssdBytes()),
          size(with.bytes(component).diskBytes()),
          without.policies(component),
          size(without.bytes(component).ssdBytes()),
          size(without.bytes(component).diskBytes()));
    }
  }

  /** A dash for nothing. */
  private static String size(long bytes) {
    return bytes == 0 ? "-" : Text.bytes(bytes);
  }
}
