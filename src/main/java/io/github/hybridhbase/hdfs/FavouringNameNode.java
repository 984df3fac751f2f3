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

import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.Closeable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RPC;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A proxy of a client's NameNode that names DataNodes with SSD in {@code addBlock} of files meant
 * for SSD, which HBase's fan-out output does not ({@code
 * FanOutOneBlockAsyncDFSOutputHelper.createOutput}). It adds no call, unless HDFS refuses the block
 * or allocates too few replicas: then it repeats the call without names.
 *
 * <p>HDFS's client pins blocks of files created with favoured nodes ({@code
 * dfs.datanode.block-pinning.enabled}), and pinned blocks cannot leave SSD; blocks of DataNodes
 * named here are not pinned. Thread-safe.
 */
@InterfaceAudience.Private
final class FavouringNameNode implements InvocationHandler, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FavouringNameNode.class);

  /** Arguments of {@code addBlock}, the same in every line of Hadoop 3. */
  private static final int SRC = 0;

  private static final int CLIENT = 1;
  private static final int EXCLUDED = 3;
  private static final int FILE_ID = 4;
  private static final int FAVOURED = 5;

  /** {@code create}'s. */
  private static final int REPLICAS = 5;

  private static final int BLOCK_SIZE = 6;

  private static final int MOST_FILES = 1_000;

  private static final class Wanted {
    private final int replicas;
    private final int onSsd;
    private final long blockSize;
    private final boolean noLocal;
    private volatile String shortfall = "";

    private Wanted(int replicas, int onSsd, long blockSize, boolean noLocal) {
      this.replicas = replicas;
      this.onSsd = onSsd;
      this.blockSize = blockSize;
      this.noLocal = noLocal;
    }
  }

  private static final class Created {
    private final int replicas;
    private final long blockSize;

    private Created(int replicas, long blockSize) {
      this.replicas = replicas;
      this.blockSize = blockSize;
    }
  }

  private final ClientProtocol nameNode;
  private final Supplier<KnownSsdNodes> known;
  private final Map<String, Wanted> files = new ConcurrentHashMap<>();

  /** Guards itself; null if files are only wanted with all that must be known of them. */
  private final Map<String, Created> created;

  FavouringNameNode(ClientProtocol nameNode, Supplier<KnownSsdNodes> known, boolean remembers) {
    this.nameNode = nameNode;
    this.known = known;
    this.created =
        !remembers
            ? null
            : new LinkedHashMap<>() {
              private static final long serialVersionUID = 1;

              @Override
              protected boolean removeEldestEntry(Map.Entry<String, Created> eldest) {
                if (size() <= MOST_FILES) {
                  return false;
                }
                files.remove(eldest.getKey());
                return true;
              }
            };
  }

  /**
   * Replaces a client's NameNode, as HBase does for its order of replicas ({@code
   * HFileSystem.addLocationsOrderInterceptor}): HDFS's client accepts another one in tests only.
   *
   * @throws ReflectiveOperationException if this line of Hadoop keeps it elsewhere
   */
  static FavouringNameNode into(DFSClient client, Supplier<KnownSsdNodes> known)
      throws ReflectiveOperationException {
    return into(client, known, false);
  }

  /**
   * Like {@link #into(DFSClient, Supplier)}, for a client that is not the plugin's: it remembers
   * what was created, for {@link #favour(String, StoragePolicy)}. Returns an existing one.
   */
  static FavouringNameNode intoForeign(DFSClient client, Supplier<KnownSsdNodes> known)
      throws ReflectiveOperationException {
    synchronized (client) {
      ClientProtocol there = client.getNamenode();
      InvocationHandler handler =
          Proxy.isProxyClass(there.getClass()) ? Proxy.getInvocationHandler(there) : null;
      return handler instanceof FavouringNameNode
          ? (FavouringNameNode) handler
          : into(client, known, true);
    }
  }

  private static FavouringNameNode into(
      DFSClient client, Supplier<KnownSsdNodes> known, boolean remembers)
      throws ReflectiveOperationException {
    Field field = DFSClient.class.getDeclaredField("namenode");
    field.setAccessible(true);
    FavouringNameNode favouring =
        new FavouringNameNode((ClientProtocol) field.get(client), known, remembers);
    field.set(client, favouring.proxy());
    return favouring;
  }

  ClientProtocol proxy() {
    return (ClientProtocol)
        Proxy.newProxyInstance(
            ClientProtocol.class.getClassLoader(), new Class<?>[] {ClientProtocol.class}, this);
  }

  void favour(String file, StoragePolicy policy) {
    Created how;
    synchronized (created) {
      how = created.get(file);
    }
    if (how != null) {
      favour(
          file,
          how.replicas,
          policy == StoragePolicy.ALL_SSD ? how.replicas : 1,
          how.blockSize,
          false);
    }
  }

  /**
   * Names DataNodes for further blocks of this file.
   *
   * @param file path without a scheme
   * @param onSsd replicas that the declared policy puts on SSD
   */
  void favour(String file, int replicas, int onSsd, long blockSize, boolean noLocal) {
    files.put(file, new Wanted(replicas, onSsd, blockSize, noLocal));
  }

  void forget(String file) {
    files.remove(file);
  }

  /** Why too few replicas of this file's last block are on SSD; "" if enough are. */
  String shortfall(String file) {
    Wanted wanted = files.get(file);
    return wanted == null ? "" : wanted.shortfall;
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (created != null && method.getReturnType() == HdfsFileStatus.class) {
      remember(arguments);
    }
    if (!method.getName().equals("addBlock") || arguments.length <= FAVOURED) {
      return call(method, arguments);
    }
    Wanted wanted = files.get((String) arguments[SRC]);
    if (wanted == null || arguments[FAVOURED] != null) {
      return call(method, arguments);
    }
    Set<String> excluded = addresses((DatanodeInfo[]) arguments[EXCLUDED]);
    List<String> named = named(wanted, excluded);
    LocatedBlock block = null;
    if (!named.isEmpty()) {
      block = favoured(method, arguments, named, wanted.replicas);
    }
    if (block == null) {
      named = List.of();
      block = (LocatedBlock) call(method, arguments);
    }
    learn(named, wanted, excluded, block);
    return block;
  }

  private void remember(Object[] arguments) {
    if (arguments.length > BLOCK_SIZE
        && arguments[REPLICAS] instanceof Short
        && arguments[BLOCK_SIZE] instanceof Long) {
      synchronized (created) {
        created.put(
            (String) arguments[SRC],
            new Created((Short) arguments[REPLICAS], (Long) arguments[BLOCK_SIZE]));
      }
    }
  }

  /** Allocates the block with these named; null if HDFS refused it or gave it too few replicas. */
  private LocatedBlock favoured(Method method, Object[] arguments, List<String> named, int replicas)
      throws Throwable {
    Object[] more = arguments.clone();
    more[FAVOURED] = named.toArray(new String[0]);
    LocatedBlock block;
    try {
      block = (LocatedBlock) call(method, more);
    } catch (Throwable e) {
      if (e instanceof Exception && HdfsError.of((Exception) e).is(HdfsError.Kind.NO_TARGET)) {
        LOG.debug("No block of {} on {}", arguments[SRC], named, e);
        return null;
      }
      throw e;
    }
    if (block == null || block.getStorageTypes().length >= replicas) {
      return block;
    }
    nameNode.abandonBlock(
        block.getBlock(),
        (Long) arguments[FILE_ID],
        (String) arguments[SRC],
        (String) arguments[CLIENT]);
    return null;
  }

  private static Set<String> addresses(DatanodeInfo[] nodes) {
    Set<String> addresses = new HashSet<>();
    if (nodes != null) {
      for (DatanodeInfo node : nodes) {
        addresses.add(node.getXferAddr());
      }
    }
    return addresses;
  }

  private List<String> named(Wanted wanted, Set<String> excluded) {
    try {
      return known
          .get()
          .name(wanted.replicas, wanted.onSsd, wanted.blockSize, wanted.noLocal, excluded);
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("No DataNode is named", e);
      return List.of();
    }
  }

  private void learn(List<String> named, Wanted wanted, Set<String> excluded, LocatedBlock block) {
    try {
      if (block != null) {
        wanted.shortfall =
            known
                .get()
                .answered(
                    named,
                    wanted.replicas,
                    wanted.onSsd,
                    wanted.blockSize,
                    excluded,
                    DFSUtilClient.locatedBlocks2Locations(List.of(block))[0]);
      }
    } catch (Exception | LinkageError e) {
      LOG.debug("Nothing is learnt from {}", block, e);
    }
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(nameNode, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Called by {@code RPC.stopProxy}. */
  @Override
  public void close() {
    RPC.stopProxy(nameNode);
  }
}
