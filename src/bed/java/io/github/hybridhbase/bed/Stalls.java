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
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What {@link StallBench} does to a bed, and takes back. One at a time, from one thread. SSDs that
 * are devices of their own need Linux, root, mkfs.ext4 and cgroup v1 ({@code
 * bench/throttled-ssd.sh}).
 */
@InterfaceAudience.Private
final class Stalls {
  /** What they are. */
  enum Kind {
    /** One DataNode of three stops. */
    ONE,
    /** All DataNodes stop. */
    ALL,
    /** All SSDs write 20 requests a second. */
    SLOW,
    /** One SSD writes one request a second. */
    SSD,
    /** The NameNode stops. */
    NAMENODE,
    /** The active NameNode is killed, and the other one takes its place. */
    FAILOVER,
    /** The RegionServer stops. */
    SERVER,
    /** Nothing does. */
    CALM
  }

  private static final int HARDLY_ANY = 1;
  private static final int ENOUGH_TO_LIVE = 20;

  private final Kind kind;
  private final Random random;
  private final int iops;
  private Bed bed;
  private List<ServerProcess> victims = List.of();

  /**
   * Makes stalls.
   *
   * @param iops what each SSD writes in a second all the time; 0 for SSDs without a limit
   */
  Stalls(Kind kind, Random random, int iops) {
    this.kind = kind;
    this.random = random;
    this.iops = iops;
  }

  Kind kind() {
    return kind;
  }

  /** Before the bed is started: SSDs that can be throttled are devices of their own. */
  void prepare(Bed made) throws IOException, InterruptedException {
    bed = made;
    for (ServerProcess node : throttled()) {
      run("prepare", node, "0");
      if (iops > 0) {
        run("share", node, "0");
      }
    }
  }

  /** Once it serves: HDFS's own first files are not waited for. */
  void limit() throws IOException, InterruptedException {
    for (ServerProcess node : throttled()) {
      run("throttle", node, Integer.toString(iops));
    }
  }

  private List<ServerProcess> throttled() throws IOException {
    if (iops > 0 || kind == Kind.SLOW) {
      return bed.processes(Role.DATANODE);
    }
    return kind == Kind.SSD ? List.of(bed.process("dn0")) : List.of();
  }

  /** Begins one, and names whom it befalls. */
  String begin() throws IOException, InterruptedException {
    victims = choose();
    for (ServerProcess victim : victims) {
      if (kind == Kind.SSD || kind == Kind.SLOW) {
        run("throttle", victim, Integer.toString(kind == Kind.SSD ? HARDLY_ANY : ENOUGH_TO_LIVE));
      } else if (kind == Kind.FAILOVER) {
        bed.failOver(victim);
      } else {
        victim.stop();
      }
    }
    return victims.isEmpty() ? "nobody" : victims.size() > 1 ? "all" : victims.get(0).name();
  }

  /** Ends it. */
  void end() throws IOException, InterruptedException {
    // Who stopped last goes on first: the one that others are ahead of has to be waited for.
    List<ServerProcess> last = new ArrayList<>(victims);
    Collections.reverse(last);
    for (ServerProcess victim : last) {
      if (kind == Kind.SSD || kind == Kind.SLOW) {
        run("throttle", victim, Integer.toString(iops));
      } else if (kind == Kind.FAILOVER) {
        victim.start();
      } else {
        victim.resume();
      }
    }
  }

  private List<ServerProcess> choose() throws IOException {
    switch (kind) {
      case ALL:
      case SLOW:
        return bed.processes(Role.DATANODE);
      case NAMENODE:
        return bed.processes(Role.NAMENODE);
      case FAILOVER:
        return List.of(bed.activeNameNode());
      case SERVER:
        return bed.processes(Role.REGIONSERVER);
      case CALM:
        return List.of();
      case SSD:
        return List.of(bed.process("dn0"));
      default:
        return List.of(bed.processes(Role.DATANODE).get(random.nextInt(3)));
    }
  }

  private static void run(String verb, ServerProcess node, String writes)
      throws IOException, InterruptedException {
    Path script = Line.base().resolve("bench/throttled-ssd.sh");
    Path at = BedSite.volume(node.directory(), "SSD");
    Process process =
        new ProcessBuilder("bash", script.toString(), verb, at.toString(), writes)
            .inheritIO()
            .start();
    if (process.waitFor() != 0) {
      throw new IOException(script + " " + verb + " failed");
    }
  }
}
