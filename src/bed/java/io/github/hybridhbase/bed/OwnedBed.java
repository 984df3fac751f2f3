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

import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.testing.ScratchDirectory;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A bed that this JVM has made, and that ends with it: by {@link #close()}, else by a hook when the
 * JVM ends, else, where it was killed, by a {@link Reaper}.
 */
@InterfaceAudience.Private
public final class OwnedBed extends Bed implements AutoCloseable {
  private final ScratchDirectory scratch;
  private final Reaper reaper;
  private final Thread hook = new Thread(this::closeQuietly, "bed-end");
  private boolean closed;

  private OwnedBed(ScratchDirectory scratch, Reaper reaper) {
    super(scratch.path());
    this.scratch = scratch;
    this.reaper = reaper;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Writes all site files and formats the NameNode; starts nothing.
   *
   * @param parent where its directory is made
   */
  public static OwnedBed make(BedSpec spec, Path parent) throws IOException, InterruptedException {
    ScratchDirectory scratch = ScratchDirectory.under(parent, "bed-" + spec.line + "-");
    Pid.of(ProcessHandle.current().pid()).write(scratch.path().resolve("owner"));
    OwnedBed bed = new OwnedBed(scratch, Reaper.start(scratch.path()));
    try {
      bed.lay(spec);
      return bed;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      bed.close();
      throw e;
    }
  }

  /** The same below {@code target/beds}. */
  public static OwnedBed make(BedSpec spec) throws IOException, InterruptedException {
    return make(spec, TypedCluster.usable(Line.base().resolve("target/beds")));
  }

  private void lay(BedSpec spec) throws IOException, InterruptedException {
    List<Path> jars = spec.line.serverJars();
    Files.write(
        directory().resolve("jars"),
        jars.stream().map(Path::toString).collect(Collectors.toList()));
    PrivateNetwork network = spec.remoteDataNode ? PrivateNetwork.make(directory()) : null;
    long seed = System.nanoTime();
    Ports ports = network == null ? new Ports(seed) : new Ports(seed, network.near());
    BedSite site = new BedSite(spec, directory(), ports, network);
    Map<String, String> common = site.common();
    SiteFile.write(conf(), common);
    copy(spec.files, conf());
    Files.write(directory().resolve("flags"), spec.flags);
    lay(spec, site, common, jars, Role.NAMENODE, spec.nameNodes);
    lay(spec, site, common, jars, Role.DATANODE, spec.dataNodes);
    lay(spec, site, common, jars, Role.ZOOKEEPER, spec.masters > 0 ? 1 : 0);
    lay(spec, site, common, jars, Role.MASTER, spec.masters);
    lay(spec, site, common, jars, Role.REGIONSERVER, spec.regionServers);
    format();
  }

  private void lay(
      BedSpec spec, BedSite site, Map<String, String> common, List<Path> jars, Role role, int count)
      throws IOException, InterruptedException {
    for (int number = 0; number < count; number++) {
      ServerProcess process = new ServerProcess(directory().resolve(role.name(number)));
      Map<String, String> own = site.own(role, process.name());
      own.putAll(spec.keys);
      SiteFile.write(process.conf(), common);
      copy(spec.files, process.conf());
      process.set(own);
      if (role.runsPlugin()) {
        // HBase's jars are without its web applications; what it tells at /jmx needs none of them.
        for (String application : new String[] {"master", "regionserver", "static"}) {
          Files.createDirectories(process.conf().resolve("hbase-webapps").resolve(application));
        }
      }
      if (site.isRemote(role, process.name())) {
        process.within(PrivateNetwork.of(directory()));
      }
      boolean plugged = role.runsPlugin() && spec.plugin != null;
      process.command(
          jars, plugged ? List.of(spec.plugin) : List.of(), spec.heap(role), spec.flags);
      if (role == Role.DATANODE
          && spec.ssdMegabytes > 0
          && spec.media(process.name()).contains("SSD")) {
        Volumes.mount(spec.volume(process.directory(), "SSD"), spec.ssdMegabytes);
      }
    }
  }

  private static void copy(List<Path> files, Path into) throws IOException {
    for (Path file : files) {
      Files.copy(file, into.resolve(file.getFileName()));
    }
  }

  private void format() throws IOException, InterruptedException {
    List<ServerProcess> nameNodes = processes(Role.NAMENODE);
    ServerProcess first = nameNodes.get(0);
    once(first, "-format", "-nonInteractive", "-force");
    if (nameNodes.size() > 1) {
      first.start();
      String address = BedSite.webOf(keys(), first.name());
      await(
          first.name(),
          () -> !Jmx.read(address, "Hadoop:service=NameNode,name=NameNodeStatus").isMissingNode());
      once(nameNodes.get(1), "-bootstrapStandby", "-nonInteractive", "-force");
    }
  }

  /** Runs a process's own command line with other arguments, to its end. */
  static void once(ServerProcess process, String... arguments)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(Files.readAllLines(process.arguments()));
    words.addAll(List.of(arguments));
    Tool.run(Files.write(process.directory().resolve("once.args"), words)).fine();
  }

  /** Gives every SSD in memory another size. */
  public void resizeSsds(int megabytes) throws IOException, InterruptedException {
    for (Path at : Volumes.below(directory())) {
      Volumes.resize(at, megabytes);
    }
  }

  /** Leaves the directory with its logs where it is, after the end too. */
  public void keep() throws IOException {
    Files.writeString(directory().resolve("keep"), "");
  }

  /** Kills all that runs and deletes the directory. Safe to call twice, and from any thread. */
  @Override
  public synchronized void close() throws IOException, InterruptedException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It is the hook that calls.
    }
    for (ServerProcess process : processes()) {
      process.kill();
    }
    Volumes.unmountBelow(directory());
    PrivateNetwork network = PrivateNetwork.of(directory());
    if (network != null) {
      network.delete();
    }
    if (Files.notExists(directory().resolve("keep"))) {
      scratch.close();
    }
    reaper.close();
  }

  private void closeQuietly() {
    try {
      close();
    } catch (IOException | RuntimeException | Error e) {
      System.err.println("The bed could not be ended in good order; its reaper does it: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
