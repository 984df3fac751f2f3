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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;

/** Why a try to open a WAL failed. */
@InterfaceAudience.Private
public enum OpenFailure {
  /** The server is fenced off, the name is taken, or the thread is told to stop. */
  OVER,
  /** The NameNode forbids it on every medium: a permission, or a quota of names or of space. */
  FORBIDDEN,
  /** The NameNode could not be asked, or none of its DataNodes is back: no medium's doing. */
  NAMENODE,
  /** A DataNode did not answer in time, or none runs at its address: no medium's doing. */
  NODE_SILENT,
  /** A DataNode refused the block or broke the connection. */
  NODE_REFUSED,
  /** The NameNode has no DataNode for the block, or a quota of SSD: the next try fails too. */
  NO_TARGET,
  /** The file was made, but with fewer replicas than usual. */
  SHORT;

  private static final int DEPTH = 10;

  /** The cause that an exception tells of; a pure function. */
  public static OpenFailure of(IOException e) {
    if (isOver(e)) {
      return OVER;
    }
    if (NameNodeUnavailable.is(e) || knowsNoDataNode(e)) {
      return NAMENODE;
    }
    Optional<String> answer = nameNodesAnswer(e);
    if (answer.isPresent()) {
      return isForAllMedia(answer.get()) ? FORBIDDEN : NO_TARGET;
    }
    if (isSilence(e)) {
      return NODE_SILENT;
    }
    return hasNoTarget(e) ? NO_TARGET : NODE_REFUSED;
  }

  /** Whether the next try can go without the DataNode that failed this one. */
  public boolean isOfOneNode() {
    return this == NODE_SILENT || this == NODE_REFUSED;
  }

  /** Whether no further try helps, on no medium. */
  public boolean isFinal() {
    return this == OVER || this == FORBIDDEN;
  }

  /** Whether a medium or a DataNode said no. */
  public boolean isRefusal() {
    return this == NODE_REFUSED || this == NO_TARGET;
  }

  public static boolean isOver(IOException e) {
    Throwable cause = e;
    for (int depth = 0; cause != null && depth < DEPTH; depth++, cause = cause.getCause()) {
      Throwable said =
          cause instanceof RemoteException
              ? ((RemoteException) cause).unwrapRemoteException()
              : cause;
      if (said instanceof FileNotFoundException
          || said instanceof FileAlreadyExistsException
          || said instanceof ClosedByInterruptException
          || said instanceof InterruptedIOException && !isTimeout(said)) {
        return true;
      }
    }
    return false;
  }

  /** As right after its start ({@code BlockManager.chooseTarget4NewBlock}). */
  private static boolean knowsNoDataNode(IOException e) {
    return String.valueOf(e.getMessage()).contains("There are 0 datanode(s) running");
  }

  public static boolean isSilence(IOException e) {
    return isTimeout(e)
        || e instanceof ConnectException // Netty's shaded ConnectTimeoutException is one
        || e instanceof NoRouteToHostException
        || e instanceof TimeoutIOException // a header's
        || String.valueOf(e.getMessage()).startsWith("Timeout(");
  }

  private static boolean isTimeout(Throwable t) {
    return t instanceof SocketTimeoutException;
  }

  /** The class of what the NameNode answered, be it unwrapped or not. */
  private static Optional<String> nameNodesAnswer(IOException e) {
    Throwable cause = e;
    for (int depth = 0; cause != null && depth < DEPTH; depth++, cause = cause.getCause()) {
      if (cause instanceof RemoteException) {
        return Optional.of(((RemoteException) cause).getClassName());
      }
    }
    return Optional.empty();
  }

  /** DSQuotaExceededException and NSQuotaExceededException; the quota of a medium is another. */
  private static boolean isForAllMedia(String className) {
    return className.endsWith(".AccessControlException")
        || className.endsWith("QuotaExceededException");
  }

  private static boolean hasNoTarget(IOException e) {
    return String.valueOf(e.getMessage()).contains("could only be written to");
  }
}
