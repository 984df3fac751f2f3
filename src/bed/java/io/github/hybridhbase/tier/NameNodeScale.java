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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.hybridhbase.bed.Java;
import io.github.hybridhbase.bed.Ports;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.SsdNodeSearch;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.measure.FilledNameNode;
import io.github.hybridhbase.measure.NameNodeCounters;
import io.github.hybridhbase.placement.ClusterWatch;
import io.github.hybridhbase.placement.ServerPlacement;
import io.github.hybridhbase.placement.TierController;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.scan.ScanChore;
import io.github.hybridhbase.scan.ScanPace;
import io.github.hybridhbase.scan.TierFiles;
import io.github.hybridhbase.scan.TierTotals;
import io.github.hybridhbase.tool.HybridTool;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Measures what the plugin asks of a NameNode process with the files of 100,000 regions: at rest,
 * while all servers restart one after the other, during a scan, and by {@code audit}. The reading
 * code of 300 servers and of a master is the plugin's own, in this JVM; their stores and regions
 * are not there. Started by {@code bench/run namenode}.
 */
@InterfaceAudience.Private
public final class NameNodeScale {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SAMPLE_SECONDS = 10;
  private static final int SAMPLES_A_MINUTE = 60 / SAMPLE_SECONDS;
  private static final int LOOK_SECONDS = 10;

  /** That of a large heap, in place of a bed's. */
  private static final List<String> COLLECTOR = List.of("-XX:-UseSerialGC", "-XX:+UseG1GC");

  private final int regions;
  private final int servers;
  private final int seconds;
  private final int port;
  private final int webPort;
  private final NameNodeCounters counters;
  private final Path directory;
  private final Configuration site = new Configuration(false);
  private final Configuration conf;
  private final HybridSettings settings;
  private final Layout layout;
  private final ObjectNode result = JSON.createObjectNode();
  private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(8);
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile Process nameNode;

  /** The periodic work of each server's tier, by its number. */
  private final Map<Integer, ScheduledFuture<?>> turns = new HashMap<>();

  private NameNodeScale(int regions, int servers, int seconds) throws IOException {
    this.regions = regions;
    this.servers = servers;
    this.seconds = seconds;
    Ports ports = new Ports(System.nanoTime());
    this.port = ports.free();
    this.webPort = ports.free();
    this.counters = new NameNodeCounters(port, webPort);
    this.directory = Files.createTempDirectory("namenode-scale");
    site.set("fs.defaultFS", "hdfs://127.0.0.1:" + port);
    site.set("hbase.rootdir", "hdfs://127.0.0.1:" + port + "/hbase");
    site.set("dfs.namenode.http-address", "127.0.0.1:" + webPort);
    site.set("hbase.zookeeper.quorum", "127.0.0.1");
    site.setInt("hbase.zookeeper.property.clientPort", ports.free());
    site.set("hbase.hybrid.tier.policy", "ALL_SSD");
    site.set("hbase.hybrid.move.existing", "true");
    this.conf = HBaseConfiguration.create(site);
    this.settings = HybridSettings.read(conf);
    this.layout =
        new Layout(
            new org.apache.hadoop.fs.Path(conf.get("hbase.rootdir")),
            new org.apache.hadoop.fs.Path(conf.get("hbase.rootdir")));
  }

  /**
   * Fills a NameNode and measures.
   *
   * @param seconds of a phase
   * @param out file of the results, JSON
   */
  public static void measure(int regions, int servers, int seconds, Path out) throws Exception {
    NameNodeScale scale = new NameNodeScale(regions, servers, seconds);
    try {
      scale.start();
      scale.run(out);
    } finally {
      scale.end();
    }
  }

  private void end() {
    ended.set(true);
    threads.shutdownNow();
    if (nameNode != null) {
      nameNode.destroyForcibly();
    }
    FileUtil.fullyDelete(directory.toFile());
  }

  private Process java(String name, long megabytes, String main, String... arguments)
      throws IOException {
    List<Path> classPath = new ArrayList<>(List.of(directory));
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
      classPath.add(Path.of(part));
    }
    Path file = directory.resolve(name + ".args");
    Java.write(file, megabytes, directory.resolve("tmp"), COLLECTOR, classPath, main, arguments);
    return Java.builder(file)
        .redirectInput(ProcessBuilder.Redirect.PIPE)
        .redirectOutput(log(name).toFile())
        .start();
  }

  private Path log(String name) {
    return directory.resolve(name + ".log");
  }

  private void start() throws Exception {
    nameNode =
        java(
            "namenode",
            4_096,
            FilledNameNode.class.getName(),
            directory.resolve("name").toString(),
            "" + port,
            "" + webPort,
            "" + regions,
            "" + servers);
    while (true) {
      String said = Files.readString(log("namenode"));
      if (said.contains("filled: ")) {
        String line = said.substring(said.indexOf("filled: ")).lines().findFirst().orElse("");
        System.out.println("NameNode " + line);
        result.put("inodes", Long.parseLong(line.split(" ")[1]));
        return;
      }
      if (!nameNode.isAlive()) {
        throw new IOException("the NameNode ended: " + said);
      }
      TimeUnit.SECONDS.sleep(1);
    }
  }

  private void run(Path out) throws Exception {
    result.put("regions", regions).put("servers", servers).put("secondsAPhase", seconds);
    result.put("processors", Runtime.getRuntime().availableProcessors());
    ArrayNode phases = result.putArray("phases");
    phases.add(phase("nothing", () -> sleep(seconds)));
    phases.add(phase("start of all at once", this::startAll));
    phases.add(phase("rest", () -> sleep(seconds)));
    phases.add(phase("restart of all, one a second", this::restartAll));
    ScanChore scan = scan();
    Thread scanning = new Thread(() -> quietly(scan::doWork), "scan");
    phases.add(
        phase(
            "rest with a scan",
            () -> {
              scanning.start();
              sleep(seconds);
            }));
    ended.set(true);
    scanning.join();
    threads.shutdownNow();
    phases.add(phase("audit", () -> audit()));
    Files.writeString(out, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(result) + "\n");
    System.out.println(out);
  }

  private static void sleep(int seconds) throws InterruptedException {
    TimeUnit.SECONDS.sleep(seconds);
  }

  private interface Phase {
    void run() throws Exception;
  }

  /** Counts at the NameNode while something runs, and every ten seconds. */
  private ObjectNode phase(String name, Phase phase) throws Exception {
    Map<String, Long> before = counters.calls();
    long cpu = counters.processorMillis();
    long began = System.nanoTime();
    Deque<Long> counts = new ArrayDeque<>(List.of(sum(before)));
    long[] most = new long[1];
    double[] queue = new double[1];
    ScheduledExecutorService sampler = new ScheduledThreadPoolExecutor(1);
    Runnable sample =
        () ->
            quietly(
                () -> {
                  counts.add(sum(counters.calls()));
                  if (counts.size() > SAMPLES_A_MINUTE) {
                    most[0] = Math.max(most[0], counts.getLast() - counts.removeFirst());
                  }
                  queue[0] = Math.max(queue[0], counters.queueMillis());
                });
    sampler.scheduleAtFixedRate(sample, SAMPLE_SECONDS, SAMPLE_SECONDS, TimeUnit.SECONDS);
    phase.run();
    sampler.shutdownNow();
    double took = (System.nanoTime() - began) / 1e9;
    Map<String, Long> calls = counters.calls();
    before.forEach((call, count) -> calls.merge(call, -count, Long::sum));
    calls.values().removeIf(count -> count == 0);
    ObjectNode made = JSON.createObjectNode();
    made.put("phase", name).put("seconds", Math.round(took));
    made.put("callsASecond", rounded(sum(calls) / took));
    if (most[0] > 0) {
      made.put("callsASecondInTheBusiestMinute", rounded(most[0] / 60.0));
    }
    made.put("processorPercent", rounded((counters.processorMillis() - cpu) / took / 10));
    made.put("longestQueueMillisOfTenSeconds", rounded(queue[0]));
    made.set("calls", JSON.valueToTree(calls));
    System.out.println(made);
    return made;
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }

  private static long sum(Map<String, Long> calls) {
    return calls.values().stream().mapToLong(Long::longValue).sum();
  }

  private static void quietly(Phase what) {
    try {
      what.run();
    } catch (Exception e) {
      System.out.println(e);
    }
  }

  /** Two dozen servers a second, as after a power cut; and the master. */
  private void startAll() throws Exception {
    master();
    for (int number = 0; number < servers; number++) {
      startServer(number);
      TimeUnit.MILLISECONDS.sleep(40);
    }
    sleep(60);
  }

  private void restartAll() throws Exception {
    for (int number = 0; number < servers; number++) {
      turns.remove(number).cancel(false);
      long due = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
      startServer(number);
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
    }
  }

  /** What a server asks when it starts, opens its regions and its first WAL; and its turns. */
  private void startServer(int number) throws Exception {
    org.apache.hadoop.fs.Path root = layout.root();
    FileSystem fs = FileSystem.newInstance(URI.create(conf.get("fs.defaultFS")), conf);
    ServerPlacement.of(conf, settings).ofRegionServer().start(layout.walRules(settings));
    SsdNodeSearch.of(fs).orElseThrow().refresh(layout.wals(), 5_000);
    StorageNamespace hdfs =
        HdfsNamespace.of(fs, new SsdNodeSearch.SsdFiles(fs, layout.wals())).orElseThrow();
    SsdTier tier =
        new SsdTier(
            FilledNameNode.server(number),
            root,
            hdfs,
            new FakeQueue(System::currentTimeMillis),
            settings,
            HybridSettings.TierSettings.archiveMillis(conf),
            System::nanoTime,
            System::currentTimeMillis);
    long age = TimeUnit.SECONDS.toMillis(settings.tier().maxAgeSeconds());
    for (int region = number; region < regions; region += servers) {
      org.apache.hadoop.fs.Path family =
          new org.apache.hadoop.fs.Path(FilledNameNode.family(region));
      FakeStore store = new FakeStore("t", family, age);
      if (region % FilledNameNode.TIERED == 0) {
        org.apache.hadoop.fs.Path file =
            new org.apache.hadoop.fs.Path(family, String.format("%032x", 0));
        store.put(file.getName(), 192L << 20, System.currentTimeMillis());
      }
      tier.attach(store);
    }
    TierService.UseReport report =
        new TierService.UseReport(
            hdfs,
            new org.apache.hadoop.fs.Path(layout.wals(), FilledNameNode.server(number)),
            System::nanoTime);
    long pause = TimeUnit.SECONDS.toMillis(settings.tier().periodSeconds());
    turns.put(
        number,
        every(
            pause + pause * number / servers / 4,
            () -> {
              tier.doWork();
              report.turn(tier.used(), tier.share());
            }));
  }

  private ScheduledFuture<?> every(long millis, Phase what) {
    return threads.scheduleWithFixedDelay(
        () -> quietly(what), millis / 2, millis, TimeUnit.MILLISECONDS);
  }

  private void master() throws IOException {
    ServerPlacement placement = ServerPlacement.of(conf, settings);
    ClusterWatch watch = ClusterWatch.of(conf, settings, layout);
    TierController tier =
        new TierController(
            settings,
            HdfsNamespace.of(layout.root().getFileSystem(conf)).orElseThrow(),
            layout.root(),
            URI.create(conf.get("fs.defaultFS")),
            watch::last,
            () -> ClusterMetricsBuilder.newBuilder().build(),
            consent -> Expectation.movesUserData(consent, settings),
            "master",
            System::nanoTime,
            System::currentTimeMillis);
    placement.place(layout.rules(settings));
    every(
        TimeUnit.SECONDS.toMillis(settings.checkPeriodSeconds()),
        () -> placement.place(layout.rules(settings)));
    every(TimeUnit.SECONDS.toMillis(LOOK_SECONDS), watch::doWork);
    every(TimeUnit.SECONDS.toMillis(60), watch::readReports);
    every(TimeUnit.SECONDS.toMillis(settings.tier().periodSeconds()), tier::doWork);
  }

  private ScanChore scan() {
    Namespaces.OfHBase namespaces = new Namespaces.OfHBase(conf, layout);
    return new ScanChore(
        layout,
        settings,
        namespaces,
        () -> TierFiles.now(namespaces, layout, settings, conf),
        () -> TierTotals.now(settings, conf),
        ended::get,
        ScanPace.of(ScanPace.READS_PER_SECOND));
  }

  private void audit() throws Exception {
    try (var out = Files.newOutputStream(directory.resolve("hbase-site.xml"))) {
      site.writeXml(out);
    }
    long began = System.nanoTime();
    Process audit = java("audit", 512, HybridTool.class.getName(), "audit");
    long peak = 0;
    while (!audit.waitFor(500, TimeUnit.MILLISECONDS)) {
      Path status = Path.of("/proc/" + audit.pid() + "/status");
      if (Files.exists(status)) {
        peak = Math.max(peak, kilobytes(status));
      }
    }
    result.put("auditSeconds", rounded((System.nanoTime() - began) / 1e9));
    result.put("auditExit", audit.exitValue());
    result.put("auditPeakMb", peak >> 10);
    try (BufferedReader in = Files.newBufferedReader(log("audit"))) {
      System.out.println(in.lines().limit(40).collect(Collectors.joining("\n")));
    }
  }

  private static long kilobytes(Path status) {
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith("VmHWM"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0; // it has just ended
    }
  }
}
