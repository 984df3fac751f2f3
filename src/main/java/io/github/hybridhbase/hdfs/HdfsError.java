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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What an exception of HDFS's client says, whose doing that is, and what remedies it: a pure
 * function of the exception. Immutable.
 */
@InterfaceAudience.Private
public final class HdfsError {
  private static final int DEPTH = 10;

  /** What tells of a setting of HDFS's. */
  private static final Map<String, HdfsErrorKind> SETTINGS =
      Map.of(
          "dfs.storage.policy.enabled", HdfsErrorKind.POLICIES_DISABLED,
          "dfs.namenode.xattrs.enabled", HdfsErrorKind.XATTRS_DISABLED,
          "satisfier feature has been disabled", HdfsErrorKind.SATISFIER_OFF,
          "satisfier queue limit", HdfsErrorKind.SATISFIER_FULL);

  /** States of a NameNode or a router, be they unwrapped or not. */
  private static final List<String> AWAY =
      List.of(
          ".NoNamenodesAvailableException",
          ".RpcServerException",
          ".StandbyException",
          ".RetriableException",
          ".ObserverRetryOnActiveException",
          ".ServerException");

  private static final String NO_NODE = "could only be written to";

  /** What HDFS says where the media that a file wants have no space for it, or fail. */
  private static final List<String> REFUSALS =
      List.of(
          NO_NODE,
          "Unable to create new block",
          "Failed to replace a bad datanode",
          "All datanodes",
          "No space left on device");

  private static final List<String> REFUSING =
      List.of(".QuotaByStorageTypeExceededException", ".NotReplicatedYetException");

  /** What DISK would have met as well. */
  private static final List<String> OTHERS =
      List.of(".BlockMissingException", ".LeaseExpiredException", ".ChecksumException");

  private final HdfsErrorKind kind;
  private final String text;
  private final boolean answered;

  private HdfsError(HdfsErrorKind kind, String text, boolean answered) {
    this.kind = kind;
    this.text = text;
    this.answered = answered;
  }

  /** What this exception says. */
  public static HdfsError of(Throwable e) {
    String text = text(e);
    List<Throwable> chain = new ArrayList<>();
    for (Throwable at = e; at != null && chain.size() < DEPTH; at = at.getCause()) {
      chain.add(at);
    }
    return new HdfsError(kind(chain, text), text, answered(chain));
  }

  /** What is the matter. */
  public HdfsErrorKind kind() {
    return kind;
  }

  /** Whether that is the matter. */
  public boolean is(HdfsErrorKind one) {
    return kind == one;
  }

  /** Whether a server of HDFS's said it in answer to a call, not this process by itself. */
  public boolean isAnswer() {
    return answered;
  }

  /** The first line of the message: after it HDFS sends its own stack trace. */
  public String text() {
    return text;
  }

  /** What is the matter and what remedies it, a sentence or two. */
  public String remedy() {
    return kind.remedy();
  }

  /** As {@link #remedy}, with what HDFS said in brackets. */
  public String explain() {
    return kind.remedy() + " (" + text + ")";
  }

  @Override
  public String toString() {
    return kind + ": " + text;
  }

  private static String text(Throwable e) {
    String message = e.getMessage() == null ? e.getClass().getName() : e.getMessage();
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }

  private static HdfsErrorKind kind(List<Throwable> chain, String text) {
    if (any(chain, one -> isStop(unwrapped(one)))) {
      return HdfsErrorKind.STOPPED;
    }
    if (any(chain, one -> isGone(unwrapped(one)))) {
      return HdfsErrorKind.GONE;
    }
    if (any(chain, one -> one instanceof ForeignRecordException)) {
      return HdfsErrorKind.FOREIGN_RECORD;
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
   * Whether the NameNode could not be asked. What it did answer is a {@code RemoteException}, or
   * caused by one; all else that a call to it throws says that it could not be.
   */
  private static Optional<HdfsErrorKind> ofNameNode(List<Throwable> chain, String text) {
    if (text.toLowerCase(Locale.ROOT).contains("safe mode")
        || named(chain, List.of("SafeModeException"))) { // a router's as well
      return Optional.of(HdfsErrorKind.SAFE_MODE);
    }
    // HBase wraps what the NameNode did not answer in NameNodeException; a DataNode's is bare.
    boolean asked =
        chain.get(0).getClass().getSimpleName().equals("NameNodeException")
            || any(chain, HdfsError::isCall);
    boolean away =
        named(chain, AWAY)
            // As right after its start (BlockManager.chooseTarget4NewBlock).
            || text.contains("There are 0 datanode(s) running")
            || asked && !answered(chain);
    return away ? Optional.of(HdfsErrorKind.NAMENODE) : Optional.empty();
  }

  private static Optional<HdfsErrorKind> ofAnswer(List<Throwable> chain, String text) {
    if (named(chain, List.of(".AccessControlException"))) {
      return Optional.of(
          text.toLowerCase(Locale.ROOT).contains("superuser")
              ? HdfsErrorKind.SUPERUSER_ONLY
              : HdfsErrorKind.PERMISSION);
    }
    // DSQuotaExceededException and NSQuotaExceededException; the quota of a medium is another.
    if (named(chain, List.of("QuotaExceededException"))) {
      return Optional.of(HdfsErrorKind.QUOTA);
    }
    if (answered(chain)) {
      return Optional.of(named(chain, OTHERS) ? HdfsErrorKind.OTHER : HdfsErrorKind.NO_TARGET);
    }
    return Optional.empty();
  }

  private static HdfsErrorKind ofMedium(List<Throwable> chain, String text) {
    Throwable e = chain.get(0);
    if (isSilence(e, text)) {
      return HdfsErrorKind.NODE_SILENT;
    }
    if (text.contains(NO_NODE) || named(chain, REFUSING)) {
      return HdfsErrorKind.NO_TARGET;
    }
    // What HBase made of it does not matter where HDFS has said why.
    if (any(chain, one -> one instanceof SocketTimeoutException)
        || REFUSALS.stream().anyMatch(refusal -> says(chain, refusal))) {
      return HdfsErrorKind.NODE_REFUSED;
    }
    if (says(chain, "Filesystem closed")) {
      return HdfsErrorKind.CLIENT_CLOSED;
    }
    if (!any(chain, one -> one instanceof IOException)
        || named(chain, OTHERS)
        || any(chain, one -> name(one).startsWith("org.apache.hadoop.hbase."))
        || says(chain, "Invalid HFile block magic")) {
      return HdfsErrorKind.OTHER;
    }
    return e instanceof SocketException
            || e instanceof UnknownHostException
            || e instanceof EOFException
        ? HdfsErrorKind.CONNECTION_LOST
        : HdfsErrorKind.NODE_REFUSED;
  }

  private static boolean isStop(Throwable e) {
    return e instanceof ClosedByInterruptException
        // A time-out is an interruption to Java, but nobody interrupted.
        || e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
  }

  private static boolean isGone(Throwable e) {
    return e instanceof FileNotFoundException || e instanceof FileAlreadyExistsException;
  }

  private static boolean isSilence(Throwable e, String text) {
    return e instanceof SocketTimeoutException
        || e instanceof ConnectException // Netty's shaded ConnectTimeoutException is one
        || e instanceof NoRouteToHostException
        || e instanceof TimeoutIOException // a header's
        || text.startsWith("Timeout(");
  }

  /** Whether it came of a call to the NameNode; what a block's DataNodes throw is else the same. */
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
}
