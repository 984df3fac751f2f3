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
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Whether an exception says that the NameNode could not be asked, rather than that a medium refused
 * a block: a pure function.
 */
@InterfaceAudience.Private
public final class NameNodeTrouble {
  private static final int DEPTH = 10;

  private NameNodeTrouble() {}

  /** Whether it says so. */
  public static boolean is(IOException e) {
    Throwable cause = e;
    // HBase wraps what the NameNode did not answer in NameNodeException; a DataNode's is bare.
    boolean fromNameNode = e.getClass().getSimpleName().equals("NameNodeException");
    for (int depth = 0; cause != null && depth < DEPTH; depth++, cause = cause.getCause()) {
      if (cause instanceof RemoteException && isStateOf(((RemoteException) cause).getClassName())) {
        return true;
      }
      if (isStateOf(cause.getClass().getName())) {
        return true;
      }
      if (isNetwork(cause) && (fromNameNode || isCall(cause))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isStateOf(String className) {
    return className.endsWith(".SafeModeException")
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

  private static boolean isNetwork(Throwable t) {
    return t instanceof ConnectException
        || t instanceof ConnectTimeoutException
        || t instanceof NoRouteToHostException
        || t instanceof SocketTimeoutException
        || t instanceof SocketException
        || t instanceof EOFException;
  }
}
