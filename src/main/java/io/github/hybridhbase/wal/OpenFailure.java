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
package io.github.hybridhbase.wal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;

/** What an exception says of a WAL that could not be opened: pure functions. */
@InterfaceAudience.Private
final class OpenFailure {
  private OpenFailure() {}

  /** Whether a DataNode did not answer, rather than refuse. */
  static boolean isSilence(IOException e) {
    return e instanceof SocketTimeoutException
        || e.getClass().getSimpleName().equals("ConnectTimeoutException") // Netty's, shaded
        || String.valueOf(e.getMessage()).startsWith("Timeout(");
  }

  /** Whether the server is fenced off, the name is taken, or the thread is told to stop. */
  static boolean isOver(IOException e) {
    IOException cause = unwrapped(e);
    return cause instanceof FileNotFoundException
        || cause instanceof FileAlreadyExistsException
        || cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException);
  }

  /** Whether the NameNode itself has found no DataNode that would take the block. */
  static boolean isNameNodes(IOException e) {
    return e instanceof RemoteException
        || String.valueOf(e.getMessage()).contains("could only be written to");
  }

  private static IOException unwrapped(IOException e) {
    if (e instanceof RemoteException) {
      return ((RemoteException) e).unwrapRemoteException();
    }
    return e.getCause() instanceof RemoteException
        ? ((RemoteException) e.getCause()).unwrapRemoteException()
        : e;
  }
}
