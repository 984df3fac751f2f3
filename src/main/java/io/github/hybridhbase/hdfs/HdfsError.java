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

import io.github.hybridhbase.report.FindingId;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.commons.lang3.StringUtils;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;

/** A classification of an HDFS client's exception, with its remedy. Pure and immutable. */
@InterfaceAudience.Private
public final class HdfsError {
  private static final Map<String, Kind> SETTINGS =
      Map.of(
          "dfs.storage.policy.enabled", Kind.POLICIES_DISABLED,
          "dfs.namenode.xattrs.enabled", Kind.XATTRS_DISABLED);

  private static final List<String> AWAY =
      List.of(
          ".NoNamenodesAvailableException",
          ".RpcServerException",
          ".StandbyException",
          ".RetriableException",
          ".ObserverRetryOnActiveException",
          ".ServerException");

  private static final String NO_NODE = "could only be written to";

  private static final List<String> REFUSALS =
      List.of(
          NO_NODE,
          "Unable to create new block",
          "Failed to replace a bad datanode",
          "All datanodes",
          "No space left on device");

  private static final List<String> REFUSING =
      List.of(".QuotaByStorageTypeExceededException", ".NotReplicatedYetException");

  /** Failures that would occur on DISK as well. */
  private static final List<String> OTHERS =
      List.of(".BlockMissingException", ".LeaseExpiredException", ".ChecksumException");

  public final Kind kind;

  /** One line. */
  public final String text;

  /** Whether it is an answer of the NameNode. */
  public final boolean answered;

  private HdfsError(Kind kind, String text, boolean answered) {
    this.kind = kind;
    this.text = text;
    this.answered = answered;
  }

  public static HdfsError of(Throwable e) {
    List<Throwable> chain = ExceptionUtils.getThrowableList(e);
    // HBase's client has what it tried below a line that ends with a colon.
    String text =
        chain.stream()
            .map(HdfsError::line)
            .filter(line -> !line.endsWith(":"))
            .findFirst()
            .orElse(line(e));
    return new HdfsError(kind(chain, text), text, answered(chain));
  }

  private static String line(Throwable e) {
    String message = e.getMessage() == null ? e.getClass().getName() : e.getMessage();
    return StringUtils.substringBefore(message, "\n");
  }

  /** With the remedy. */
  public String explain() {
    String own = FindingId.words("hdfs." + kind.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    return (own.isEmpty() ? FindingId.words("hdfs.other") : own) + " (" + text + ")";
  }

  @Override
  public String toString() {
    return kind + ": " + text;
  }

  private static Kind kind(List<Throwable> chain, String text) {
    if (any(chain, one -> isStop(unwrapped(one)))) {
      return Kind.STOPPED;
    }
    if (any(chain, one -> isGone(unwrapped(one)))) {
      return Kind.GONE;
    }
    return SETTINGS.entrySet().stream()
        .filter(setting -> text.contains(setting.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .or(() -> ofNameNode(chain, text))
        .or(() -> ofAnswer(chain, text))
        .orElseGet(() -> ofMedium(chain, text));
  }

  /**
   * The NameNode's answers are or are caused by a {@code RemoteException}; other failures of a call
   * mean unavailable.
   */
  private static Optional<Kind> ofNameNode(List<Throwable> chain, String text) {
    if (text.toLowerCase(Locale.ROOT).contains("safe mode")
        || named(chain, List.of("SafeModeException"))) { // a router's as well
      return Optional.of(Kind.SAFE_MODE);
    }
    // HBase wraps failed calls in NameNodeException; a DataNode's exception is not wrapped.
    boolean asked =
        chain.get(0).getClass().getSimpleName().equals("NameNodeException")
            || any(chain, HdfsError::isCall);
    boolean away =
        named(chain, AWAY)
            // As right after its start (BlockManager.chooseTarget4NewBlock).
            || text.contains("There are 0 datanode(s) running")
            || asked && !answered(chain);
    return away ? Optional.of(Kind.NAMENODE) : Optional.empty();
  }

  private static Optional<Kind> ofAnswer(List<Throwable> chain, String text) {
    if (named(chain, List.of(".AccessControlException"))) {
      return Optional.of(
          text.toLowerCase(Locale.ROOT).contains("superuser")
              ? Kind.SUPERUSER_ONLY
              : Kind.PERMISSION);
    }
    // DSQuotaExceededException and NSQuotaExceededException, but no quota of a storage type.
    if (named(chain, List.of("QuotaExceededException"))) {
      return Optional.of(Kind.QUOTA);
    }
    if (answered(chain)) {
      return Optional.of(named(chain, OTHERS) ? Kind.OTHER : Kind.NO_TARGET);
    }
    return Optional.empty();
  }

  private static Kind ofMedium(List<Throwable> chain, String text) {
    Throwable e = chain.get(0);
    if (isSilence(e, text)) {
      return Kind.NODE_SILENT;
    }
    if (text.contains(NO_NODE) || named(chain, REFUSING)) {
      return Kind.NO_TARGET;
    }
    // HDFS's reason takes precedence over HBase's wrapper.
    if (any(chain, one -> one instanceof SocketTimeoutException)
        || REFUSALS.stream().anyMatch(refusal -> says(chain, refusal))) {
      return Kind.NODE_REFUSED;
    }
    if (says(chain, "Filesystem closed")) {
      return Kind.CLIENT_CLOSED;
    }
    if (!any(chain, one -> one instanceof IOException)
        || named(chain, OTHERS)
        || any(chain, one -> name(one).startsWith("org.apache.hadoop.hbase."))
        || says(chain, "Invalid HFile block magic")) {
      return Kind.OTHER;
    }
    return e instanceof SocketException
            || e instanceof UnknownHostException
            || e instanceof EOFException
        ? Kind.CONNECTION_LOST
        : Kind.NODE_REFUSED;
  }

  private static boolean isStop(Throwable e) {
    return e instanceof ClosedByInterruptException
        // A time-out is an InterruptedIOException too.
        || e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
  }

  private static boolean isGone(Throwable e) {
    return e instanceof FileNotFoundException || e instanceof FileAlreadyExistsException;
  }

  private static boolean isSilence(Throwable e, String text) {
    return e instanceof SocketTimeoutException
        || e instanceof ConnectException // includes Netty's shaded ConnectTimeoutException
        || e instanceof NoRouteToHostException
        || e instanceof TimeoutIOException // of a header
        || text.startsWith("Timeout(");
  }

  /** DataNodes of a block throw the same types. */
  private static boolean isCall(Throwable e) {
    return e instanceof IOException
        && Arrays.stream(e.getStackTrace())
            .anyMatch(frame -> frame.getClassName().startsWith("org.apache.hadoop.ipc.Client"));
  }

  private static boolean answered(List<Throwable> chain) {
    return any(chain, one -> one instanceof RemoteException);
  }

  private static boolean any(List<Throwable> chain, Predicate<Throwable> one) {
    return chain.stream().anyMatch(one);
  }

  private static boolean named(List<Throwable> chain, List<String> ends) {
    return any(chain, one -> ends.stream().anyMatch(name(one)::endsWith));
  }

  private static boolean says(List<Throwable> chain, String part) {
    return any(chain, one -> String.valueOf(one.getMessage()).contains(part));
  }

  private static Throwable unwrapped(Throwable e) {
    return e instanceof RemoteException ? ((RemoteException) e).unwrapRemoteException() : e;
  }

  private static String name(Throwable e) {
    return e instanceof RemoteException
        ? String.valueOf(((RemoteException) e).getClassName())
        : e.getClass().getName();
  }

  /** The kinds of HDFS failures ({@link HdfsError}). */
  public enum Kind {
    STOPPED,
    /** The file is gone, its name taken, or the server fenced. */
    GONE,
    /** The NameNode or router is unavailable, or has no DataNode. */
    NAMENODE,
    SAFE_MODE,
    POLICIES_DISABLED,
    XATTRS_DISABLED,
    SUPERUSER_ONLY,
    PERMISSION,
    QUOTA,
    /** No DataNode for the block, or SSD over quota: the next try fails too. */
    NO_TARGET,
    /** A DataNode timed out, or its address refused; independent of the medium. */
    NODE_SILENT,
    /** A connection broke; the NameNode's if only that was called. */
    CONNECTION_LOST,
    /** A DataNode refused or broke the connection; also unknown errors. */
    NODE_REFUSED,
    /** The WAL opener found fewer replicas than usual; no exception has this kind. */
    UNDER_REPLICATED,
    CLIENT_CLOSED,
    /** HBase's own failure, or unreadable data. */
    OTHER;

    public boolean isOver() {
      return this == STOPPED || this == GONE;
    }

    public boolean isForbidden() {
      return this == PERMISSION || this == SUPERUSER_ONLY || this == QUOTA;
    }

    /** Whether no further write can succeed, on any medium. */
    public boolean isFinal() {
      return isOver() || isForbidden();
    }

    /** Whether to wait for the NameNode. */
    public boolean isNameNodes() {
      return this == NAMENODE || this == SAFE_MODE;
    }

    public boolean isOfOneNode() {
      return this == NODE_SILENT || isNodes() || this == CLIENT_CLOSED;
    }

    public boolean isRefusal() {
      return this == NO_TARGET || isNodes() || this == CLIENT_CLOSED || this == OTHER;
    }

    /**
     * Whether SSD may be the cause. Unknown causes count: HBase aborts a server whose flush keeps
     * failing.
     */
    public boolean mayBeSsds() {
      return this == NO_TARGET || this == NODE_SILENT || isNodes();
    }

    /** Whether other files would fail too. */
    public boolean isOfAllFiles() {
      return this == STOPPED
          || isNameNodes()
          || this == NODE_SILENT
          || this == CONNECTION_LOST
          || this == CLIENT_CLOSED;
    }

    private boolean isNodes() {
      return this == NODE_REFUSED || this == CONNECTION_LOST;
    }
  }
}
