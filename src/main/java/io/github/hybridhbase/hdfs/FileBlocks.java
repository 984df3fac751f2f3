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

import io.github.hybridhbase.config.StoragePolicy;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** A file and where the replicas of its blocks are: what {@code BlockLocation} proves. */
@InterfaceAudience.Private
public final class FileBlocks {
  /** One block: its length, and the medium and host of each of its replicas. */
  @InterfaceAudience.Private
  public static final class Block {
    private final long length;
    private final List<StorageType> replicas;
    private final List<String> hosts;
    private final List<String> addresses;

    /**
     * Describes one block.
     *
     * @param length bytes; of a block being written, what the NameNode knows, often 0
     */
    public Block(long length, StorageType... replicas) {
      this(length, Arrays.asList(replicas), List.of());
    }

    /**
     * Describes one block.
     *
     * @param hosts the DataNode's host name of each replica, in the order of {@code replicas};
     *     empty where nobody asked
     */
    public Block(long length, List<StorageType> replicas, List<String> hosts) {
      this(length, replicas, hosts, List.of());
    }

    /**
     * Describes one block.
     *
     * @param addresses the DataNode's IP address of each replica; empty where nobody asked
     */
    public Block(
        long length, List<StorageType> replicas, List<String> hosts, List<String> addresses) {
      this.addresses = List.copyOf(addresses);
      this.length = length;
      this.replicas = List.copyOf(replicas);
      this.hosts = List.copyOf(hosts);
    }

    /** The medium of the replica on a host, by any of its names and IP addresses. */
    public Optional<StorageType> on(Collection<String> names) {
      for (int at = 0; at < replicas.size(); at++) {
        if (at < hosts.size() && names.contains(hosts.get(at))
            || at < addresses.size() && names.contains(addresses.get(at))) {
          return Optional.of(replicas.get(at));
        }
      }
      return Optional.empty();
    }

    /** Length in bytes. */
    public long length() {
      return length;
    }

    /** The medium of each replica. */
    public List<StorageType> replicas() {
      return replicas;
    }
  }

  private final Path path;
  private final long length;
  private final int replication;
  private final byte policy;
  private final boolean open;
  private final List<Block> blocks;
  private final long modified;

  /** Describes one file whose age nobody asked for. */
  public FileBlocks(
      Path path, long length, int replication, byte policy, boolean open, List<Block> blocks) {
    this(path, length, replication, policy, open, blocks, 0);
  }

  /**
   * Describes one file.
   *
   * @param length bytes the NameNode knows of
   * @param replication replicas asked for
   * @param policy id of the policy in force
   * @param open whether it is being written
   * @param modified when it was last written, or archived, in milliseconds since 1970
   */
  public FileBlocks(
      Path path,
      long length,
      int replication,
      byte policy,
      boolean open,
      List<Block> blocks,
      long modified) {
    this.path = path;
    this.length = length;
    this.replication = replication;
    this.policy = policy;
    this.open = open;
    this.blocks = List.copyOf(blocks);
    this.modified = modified;
  }

  /** The file. */
  public Path path() {
    return path;
  }

  /** Length in bytes that the NameNode knows of. */
  public long length() {
    return length;
  }

  /** When it was last written, or archived, in milliseconds since 1970; 0 where not asked. */
  public long modified() {
    return modified;
  }

  /** Id of the policy in force. */
  public byte policy() {
    return policy;
  }

  /** Whether the file is being written. */
  public boolean open() {
    return open;
  }

  /** Its blocks, first to last. */
  public List<Block> blocks() {
    return blocks;
  }

  /** Replicas on this medium. */
  public long replicas(StorageType type) {
    return blocks.stream().flatMap(b -> b.replicas.stream()).filter(t -> t == type).count();
  }

  /** Replicas on any medium. */
  public long replicas() {
    return blocks.stream().mapToLong(b -> b.replicas.size()).sum();
  }

  /** Bytes of all replicas on this medium. */
  public long bytes(StorageType type) {
    return blocks.stream()
        .mapToLong(b -> b.length * b.replicas.stream().filter(t -> t == type).count())
        .sum();
  }

  /** Replicas that this policy does not want where they are. */
  public long misplaced(StoragePolicy wanted) {
    return blocks.stream().mapToLong(b -> wanted.misplaced(b.replicas)).sum();
  }

  /** Bytes of replicas that this policy does not want where they are. */
  public long misplacedBytes(StoragePolicy wanted) {
    return blocks.stream().mapToLong(b -> b.length * wanted.misplaced(b.replicas)).sum();
  }

  /** Blocks with fewer replicas than asked for. */
  public long underReplicatedBlocks() {
    return blocks.stream().filter(b -> b.replicas.size() < replication).count();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(path.toString());
    for (Block block : blocks) {
      text.append(' ').append(block.length).append(block.replicas);
    }
    return open ? text.append(" open").toString() : text.toString();
  }
}
