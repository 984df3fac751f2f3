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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A network namespace of Linux and a pair of veth devices as the cable to it: processes in there
 * are one hop away, and can be cut off. Nothing is forwarded, so nobody else is reached by it. It
 * is there as long as a file with its name, which the bed's end deletes it by. Needs root.
 */
@InterfaceAudience.Private
final class PrivateNetwork {
  /** In a bed's directory; has the namespace's name. */
  static final String FILE = "netns";

  private static final int TRIES = 50;
  private static final int SUBNETS = 64;
  private static final int ADDRESSES = 4; // of a /30

  private final String name;

  private PrivateNetwork(String name) {
    this.name = name;
  }

  /** Makes one for a bed. */
  static PrivateNetwork make(Path bed) throws IOException, InterruptedException {
    Random random = new Random();
    for (int tries = TRIES; ; tries--) {
      // One address range a name: where another bed has the one, it has the other.
      PrivateNetwork network =
          new PrivateNetwork("bed" + random.nextInt(SUBNETS) + "-" + random.nextInt(SUBNETS));
      try {
        Command.run("ip", "netns", "add", network.name);
      } catch (IOException e) {
        if (tries == 0) {
          throw e;
        }
        continue;
      }
      Files.writeString(bed.resolve(FILE), network.name);
      network.connect();
      return network;
    }
  }

  private void connect() throws IOException, InterruptedException {
    String device = name + "n";
    Command.run("ip", "link", "add", device, "type", "veth", "peer", "name", peer(), "netns", name);
    Command.run("ip", "addr", "add", near() + "/30", "dev", device);
    Command.run("ip", "link", "set", device, "up");
    Command.run("ip", "-n", name, "addr", "add", far() + "/30", "dev", peer());
    Command.run("ip", "-n", name, "link", "set", "lo", "up");
    cut(false);
  }

  /** The one of a bed; null where it has none. */
  static PrivateNetwork of(Path bed) throws IOException {
    Path file = bed.resolve(FILE);
    return Files.exists(file) ? new PrivateNetwork(Files.readString(file)) : null;
  }

  String name() {
    return name;
  }

  private String peer() {
    return name + "f";
  }

  /** This machine's address on it. */
  String near() {
    return address(1);
  }

  /** The address of the processes within. */
  String far() {
    return address(2);
  }

  private String address(int last) {
    String[] numbers = name.substring("bed".length()).split("-", -1);
    return "10.213."
        + (Integer.parseInt(numbers[0]))
        + "."
        + (Integer.parseInt(numbers[1]) * ADDRESSES + last);
  }

  /**
   * Pulls the cable at its far end, or plugs it in again: packets from here are lost in silence.
   */
  void cut(boolean yes) throws IOException, InterruptedException {
    Command.run("ip", "-n", name, "link", "set", peer(), yes ? "down" : "up");
  }

  /** Once no process is left in it. */
  void delete() throws IOException, InterruptedException {
    Command.run("ip", "netns", "del", name);
  }
}
