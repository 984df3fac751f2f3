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

import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsCreateModes;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RPC;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that one HDFS client creates under their own storage policies: {@code create} carries
 * the policy (HDFS-13209), {@code addBlock} names DataNodes with SSD; the answers prove policy and
 * media. Thread-safe. Throws nothing that the NameNode did not throw.
 *
 * <p>It is a proxy of the client's NameNode, since neither HBase's fan-out output ({@code
 * FanOutOneBlockAsyncDFSOutputHelper.createOutput}) nor its HFile writers can pass a policy. It
 * repeats a call without policy or names if HDFS refuses it or allocates too few replicas. Unlike
 * with favoured nodes ({@code dfs.datanode.block-pinning.enabled}), blocks are not pinned and can
 * leave SSD.
 */
@InterfaceAudience.Private
public final class NewFiles {
  private static final Logger LOG = LoggerFactory.getLogger(NewFiles.class);

  /** Arguments of {@code create} in Hadoop 3.3 and 3.4. */
  private static final int CREATE_ARGUMENTS = 10;

  private static final int SRC = 0;
  private static final int PERMISSION = 1;
  private static final int REPLICAS = 5;
  private static final int POLICY = 9;

  /** Arguments of {@code addBlock}. */
  private static final int CLIENT = 1;

  private static final int EXCLUDED = 3;
  private static final int FILE_ID = 4;
  private static final int FAVOURED = 5;
  private static final int FLAGS = 6;

  /** Open at a time; beyond that, unreleased ones are dropped. */
  private static final int MOST_FILES = 10_000;

  /** By client. INVARIANT: a value refers to its key weakly. */
  private static final Map<DFSClient, NewFiles> CLIENTS = new WeakHashMap<>();

  private final WeakReference<DFSClient> client;
  private final Supplier<KnownSsdNodes> known;

  /** By path without a scheme; guards itself. */
  private final Map<String, NewFile> files =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, NewFile> eldest) {
          return size() > MOST_FILES;
        }
      };

  private volatile boolean loggedIgnored;

  /** Null until the NameNode was asked. */
  private volatile Boolean disabled;

  /** Null until SSD refused a store file. */
  private volatile Backoff refusals;

  NewFiles(DFSClient client, Supplier<KnownSsdNodes> known) {
    this.client = new WeakReference<>(client);
    this.known = known;
  }

  /** Empty if there is no HDFS, or this Hadoop keeps its NameNode elsewhere. */
  public static Optional<NewFiles> of(FileSystem fs) {
    Optional<DistributedFileSystem> dfs = FailFastClient.unwrap(fs);
    if (dfs.isEmpty() || dfs.get().getClient() == null) {
      return Optional.empty();
    }
    NewFiles made;
    synchronized (CLIENTS) {
      made = CLIENTS.get(dfs.get().getClient());
      try {
        if (made == null) {
          made = into(dfs.get().getClient(), SsdNodeSearch.of(dfs.get())::nodes);
        }
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        LOG.warn(
            "Nothing is placed on SSD: this Hadoop's HDFS client has no field for its NameNode, by"
                + " which new files get their storage policy. Run a Hadoop of"
                + " docs/install.md#versions.",
            e);
        return Optional.empty();
      }
    }
    if (made.disabled == null) { // without the lock: the NameNode may not answer
      made.disabled = isDisabled(dfs.get());
    }
    return Optional.of(made);
  }

  /**
   * Whether {@code dfs.storage.policy.enabled} is off, which {@code create} does not check. HDFS
   * checks it before the absent path.
   */
  private static boolean isDisabled(DistributedFileSystem dfs) {
    try {
      dfs.satisfyStoragePolicy(new Path("/.hybrid-policies-" + UUID.randomUUID()));
      return false;
    } catch (IOException | RuntimeException | LinkageError e) {
      boolean off = HdfsError.of(e).kind == HdfsError.Kind.POLICIES_DISABLED;
      if (off) {
        LOG.warn(
            "Nothing is placed on SSD: HDFS has dfs.storage.policy.enabled=false. Set it to true on"
                + " the NameNodes and restart them, then this server.");
      }
      return off;
    }
  }

  public boolean disabled() {
    return Boolean.TRUE.equals(disabled);
  }

  /**
   * Replaces a client's NameNode as HBase does ({@code HFileSystem.addLocationsOrderInterceptor}):
   * HDFS's client accepts another one in tests only.
   */
  static NewFiles into(DFSClient client, Supplier<KnownSsdNodes> known)
      throws ReflectiveOperationException {
    synchronized (CLIENTS) {
      NewFiles made = new NewFiles(client, known);
      set(client, made.proxy(client.getNamenode()));
      CLIENTS.put(client, made);
      return made;
    }
  }

  private static void set(DFSClient client, ClientProtocol nameNode)
      throws ReflectiveOperationException {
    Field field = DFSClient.class.getDeclaredField("namenode");
    field.setAccessible(true);
    field.set(client, nameNode);
  }

  /** Puts the proxy in front of what replaced it. */
  private void restore() {
    DFSClient there = client.get();
    if (there == null) {
      return;
    }
    synchronized (CLIENTS) {
      try {
        if (isInFront(there.getNamenode())) {
          return; // created elsewhere, e.g. by ViewDistributedFileSystem
        }
        set(there, proxy(there.getNamenode()));
        LOG.warn(
            "A new file was created without its storage policy, since something replaced the"
                + " NameNode of HBase's HDFS client after the plugin had. The plugin's is in place"
                + " again: the next files are placed. Look for other plugins that do so.");
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.debug("The NameNode of {} could not be replaced again", there, e);
      }
    }
  }

  /** Else proxies add up until calls overflow the stack. */
  private static boolean isInFront(ClientProtocol there) {
    return Proxy.isProxyClass(there.getClass())
        && Proxy.getInvocationHandler(there) instanceof InFront;
  }

  private ClientProtocol proxy(ClientProtocol over) {
    return (ClientProtocol)
        Proxy.newProxyInstance(
            ClientProtocol.class.getClassLoader(),
            new Class<?>[] {ClientProtocol.class},
            new InFront(over));
  }

  /** This in front of a NameNode, or of what replaced it. */
  private final class InFront implements InvocationHandler, Closeable {
    private final ClientProtocol over;

    InFront(ClientProtocol over) {
      this.over = over;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      return NewFiles.this.invoke(over, method, arguments);
    }

    /** Called by {@code RPC.stopProxy}. */
    @Override
    public void close() {
      RPC.stopProxy(over);
    }
  }

  /** {@link StoragePolicy#NONE} lets the file follow its directory. Call it before the creation. */
  public NewFile place(Path file, StoragePolicy policy) {
    return place(file, policy, false);
  }

  /**
   * @param marked whether the file gets the sticky bit, see {@link StorageNamespace#place}
   */
  public NewFile place(Path file, StoragePolicy policy, boolean marked) {
    NewFile placed =
        new NewFile(
            file.toUri().getPath(),
            disabled() ? StoragePolicy.NONE : policy,
            marked,
            this::release,
            this::restore);
    synchronized (files) {
      files.put(placed.path, placed);
    }
    return placed;
  }

  private void release(NewFile file) {
    synchronized (files) {
      files.remove(file.path, file);
    }
  }

  /** Whether SSD refused lately. */
  public boolean refuses() {
    Backoff last = refusals;
    return last != null && last.waitNanos(System.nanoTime()) > 0;
  }

  /**
   * For a growing delay {@link #refuses} is true.
   *
   * @param what SSD refused
   * @param firstNanos first delay
   */
  public synchronized void refused(Object what, long firstNanos) {
    Backoff last = refusals == null ? Backoff.starting(firstNanos) : refusals;
    if (last.waitNanos(System.nanoTime()) == 0) {
      refusals = last.refused(System.nanoTime());
      LOG.warn(
          "SSD refused the store file {}: HBase's next attempt goes to DISK, as all new store files"
              + " of this server for {} ms, longer if that recurs; nothing is lost. Then look for"
              + " full or failed SSD volumes: hdfs dfsadmin -report",
          what,
          TimeUnit.NANOSECONDS.toMillis(refusals.waitNanos(System.nanoTime())));
    }
  }

  private Object invoke(ClientProtocol over, Method method, Object[] arguments) throws Throwable {
    NewFile file = null;
    boolean creates = false;
    if (arguments != null && arguments.length > FLAGS && arguments[SRC] instanceof String) {
      creates = method.getName().equals("create") && arguments.length == CREATE_ARGUMENTS;
      if (creates || method.getName().equals("addBlock")) {
        synchronized (files) {
          file = files.get((String) arguments[SRC]);
        }
      }
    }
    if (file == null) {
      return call(over, method, arguments);
    }
    return creates
        ? create(file, over, method, arguments)
        : addBlock(file, over, method, arguments);
  }

  private Object create(NewFile file, ClientProtocol over, Method method, Object[] arguments)
      throws Throwable {
    file.created((Short) arguments[REPLICAS]);
    if (arguments[POLICY] != null) {
      return call(over, method, arguments);
    }
    if (file.policy == StoragePolicy.NONE) {
      return answered(file, call(over, method, arguments));
    }
    Object[] more = arguments.clone();
    more[POLICY] = file.policy.name();
    if (file.marked) {
      more[PERMISSION] = sticky((FsPermission) arguments[PERMISSION]);
    }
    Object answer;
    try {
      answer = call(over, method, more);
    } catch (IOException e) {
      if (!isOfPolicy(e, file.path)) {
        throw e;
      }
      ignored(file, HdfsError.of(e).text);
      return call(over, method, arguments);
    }
    answered(file, answer);
    if (!file.carried) {
      ignored(file, "its answer has another policy");
    }
    return answer;
  }

  private static Object answered(NewFile file, Object answer) {
    if (answer instanceof HdfsFileStatus) {
      file.answered(((HdfsFileStatus) answer).getStoragePolicy());
    }
    return answer;
  }

  private static FsPermission sticky(FsPermission was) {
    FsPermission with =
        new FsPermission(was.getUserAction(), was.getGroupAction(), was.getOtherAction(), true);
    return was.getUnmasked() == null ? with : FsCreateModes.create(with, was.getUnmasked());
  }

  /** HDFS's other refusals name the file, whose name may be a policy's. */
  private static boolean isOfPolicy(IOException failure, String path) {
    String text = String.valueOf(failure.getMessage()).replace(path, "");
    return text.toLowerCase(Locale.ROOT).contains("policy");
  }

  private void ignored(NewFile file, String why) {
    if (!loggedIgnored) {
      loggedIgnored = true;
      LOG.warn(
          "The NameNode did not create {} under {}: {}. Such files follow their directories. Run a"
              + " Hadoop of docs/install.md#versions on the NameNodes, and see 'hdfs"
              + " storagepolicies -listPolicies'. Logged once.",
          file.path,
          file.policy,
          why);
    }
  }

  private Object addBlock(NewFile file, ClientProtocol over, Method method, Object[] arguments)
      throws Throwable {
    if (!file.carried || file.onSsd() == 0 || arguments[FAVOURED] != null) {
      return call(over, method, arguments);
    }
    Set<String> excluded = addresses((DatanodeInfo[]) arguments[EXCLUDED]);
    boolean noLocal =
        arguments[FLAGS] instanceof Collection
            && ((Collection<?>) arguments[FLAGS]).contains(AddBlockFlag.NO_LOCAL_WRITE);
    List<String> named = named(file, excluded, noLocal);
    LocatedBlock block = named.isEmpty() ? null : favoured(file, over, method, arguments, named);
    if (block == null) {
      named = List.of();
      block = (LocatedBlock) call(over, method, arguments);
    }
    learn(named, file, block);
    return block;
  }

  /** Null if HDFS refused or allocated too few replicas. */
  private LocatedBlock favoured(
      NewFile file, ClientProtocol over, Method method, Object[] arguments, List<String> named)
      throws Throwable {
    Object[] more = arguments.clone();
    more[FAVOURED] = named.toArray(new String[0]);
    LocatedBlock block;
    try {
      block = (LocatedBlock) call(over, method, more);
    } catch (Throwable e) {
      if (HdfsError.of(e).kind == HdfsError.Kind.NO_TARGET) {
        LOG.debug("No block of {} on {}", arguments[SRC], named, e);
        return null;
      }
      throw e;
    }
    if (block == null || block.getStorageTypes().length >= file.replicas) {
      return block;
    }
    over.abandonBlock(
        block.getBlock(),
        (Long) arguments[FILE_ID],
        (String) arguments[SRC],
        (String) arguments[CLIENT]);
    return null;
  }

  private static Set<String> addresses(DatanodeInfo[] nodes) {
    return nodes == null
        ? Set.of()
        : Arrays.stream(nodes).map(DatanodeInfo::getXferAddr).collect(Collectors.toSet());
  }

  private List<String> named(NewFile file, Set<String> excluded, boolean noLocal) {
    try {
      return known.get().name(file.replicas, file.onSsd(), noLocal, excluded);
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("No DataNode is named", e);
      return List.of();
    }
  }

  private void learn(List<String> named, NewFile file, LocatedBlock block) {
    if (block == null) {
      return;
    }
    int onSsd = Collections.frequency(Arrays.asList(block.getStorageTypes()), StorageType.SSD);
    file.missing = Math.max(file.missing, file.onSsd() - onSsd);
    file.fewest = Math.min(file.fewest, block.getStorageTypes().length);
    try {
      known.get().answered(named, file.onSsd(), block);
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("Nothing is learnt from {}", block, e);
    }
  }

  private static Object call(ClientProtocol over, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(over, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
