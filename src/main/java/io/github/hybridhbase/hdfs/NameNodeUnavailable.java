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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Arrays;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Whether an exception says that the NameNode could not be asked, rather than that a medium refused
 * a block: a pure function. What the NameNode did answer is a {@code RemoteException}, or caused by
 * one; all else that a call to it throws, but an interrupt, says that it could not be asked.
 */
@InterfaceAudience.Private
public final class NameNodeUnavailable {
  private static final int DEPTH = 10;

  private NameNodeUnavailable() {}

  /** Whether it says so. */
  public static boolean is(IOException e) {
    Throwable cause = e;
    // HBase wraps what the NameNode did not answer in NameNodeException; a DataNode's is bare.
    boolean asked = e.getClass().getSimpleName().equals("NameNodeException");
    for (int depth = 0; cause != null && depth < DEPTH; depth++, cause = cause.getCause()) {
      if (isStateOf(cause.getClass().getName())) {
        return true;
      }
      if (cause instanceof RemoteException) {
        return isStateOf(((RemoteException) cause).getClassName());
      }
      if (isInterrupt(cause)) {
        return false;
      }
      asked |= cause instanceof IOException && isCall(cause);
    }
    return asked;
  }

  private static boolean isStateOf(String className) {
    return className.endsWith("SafeModeException") // a router's as well
        || className.endsWith(".NoNamenodesAvailableException")
        || className.endsWith(".RpcServerException")
        || className.endsWith(".StandbyException")
        || className.endsWith(".RetriableException")
        || className.endsWith(".ObserverRetryOnActiveException")
        || className.endsWith(".ServerException");
  }

  /** Whether it came of asking the NameNode; what a block's DataNodes throw is else the same. */
  private static boolean isCall(Throwable t) {
    return Arrays.stream(t.getStackTrace())
        .anyMatch(
            frame ->
                frame
                    .getClassName()
                    .startsWith("org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocol"));
  }

  private static boolean isInterrupt(Throwable t) {
    return t instanceof ClosedByInterruptException
        || t instanceof InterruptedIOException && !(t instanceof SocketTimeoutException);
  }
}
