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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What {@link StallIT} does to a bed, and takes back. One at a time, from one thread. An SSD that
 * is a device of its own needs Linux, root, mkfs.ext4 and cgroup v1 ({@code
 * bench/throttled-ssd.sh}).
 */
@InterfaceAudience.Private
final class Stalls {
  /** What they are. */
  enum Kind {
    /** One DataNode of three stops. */
    ONE(Role.DATANODE),

    /** All DataNodes stop. */
    ALL(Role.DATANODE),

    /** One SSD writes one request a second. */
    SSD(Role.DATANODE),

    /** The NameNode stops. */
    NAMENODE(Role.NAMENODE),

    /** The active NameNode is killed, and the other one takes its place. */
    FAILOVER(Role.NAMENODE),

    /** The RegionServer stops. */
    SERVER(Role.REGIONSERVER);

    private final Role role;

    Kind(Role role) {
      this.role = role;
    }
  }

  final Kind kind;
  private final Random random;
  private Bed bed;
  private List<ServerProcess> victims = List.of();

  Stalls(Kind kind, Random random) {
    this.kind = kind;
    this.random = random;
  }

  /** Before the bed is started: an SSD that can be throttled is a device of its own. */
  void prepare(Bed made) throws IOException, InterruptedException {
    bed = made;
    if (kind == Kind.SSD) {
      run("prepare", 0);
    }
  }

  /** Begins one, and names whom it befalls. */
  String begin() throws IOException, InterruptedException {
    victims = choose();
    for (ServerProcess victim : victims) {
      if (kind == Kind.SSD) {
        run("throttle", 1);
      } else if (kind == Kind.FAILOVER) {
        bed.failOver(victim);
      } else {
        victim.stop();
      }
    }
    return victims.size() > 1 ? "all" : victims.get(0).name();
  }

  /** Ends it. */
  void end() throws IOException, InterruptedException {
    // Who stopped last goes on first: the one that others are ahead of has to be waited for.
    Collections.reverse(victims);
    for (ServerProcess victim : victims) {
      if (kind == Kind.SSD) {
        run("throttle", 0);
      } else if (kind == Kind.FAILOVER) {
        victim.start();
      } else {
        victim.resume();
      }
    }
  }

  private List<ServerProcess> choose() throws IOException {
    List<ServerProcess> all = bed.processes(kind.role);
    switch (kind) {
      case ONE:
        return all.subList(random.nextInt(3), 3).subList(0, 1);
      case FAILOVER:
        return Arrays.asList(bed.activeNameNode());
      case SSD:
        return all.subList(0, 1);
      default:
        return all;
    }
  }

  private void run(String verb, int writes) throws IOException, InterruptedException {
    Path script = Line.base().resolve("bench/throttled-ssd.sh");
    Path at = BedSite.volume(bed.process("dn0").directory(), "SSD");
    Command.run("bash", script.toString(), verb, at.toString(), Integer.toString(writes));
  }
}
