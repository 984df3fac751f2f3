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
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Whether SSD may be to blame for a store file that could not be written: a pure function of the
 * exception. What cannot be told counts as SSD's: HBase aborts a server whose flush goes on
 * failing, while a wrong blame costs the server seconds without the SSD tier.
 */
@InterfaceAudience.Private
public final class WriteFailure {
  private static final int DEPTH = 10;

  /** What HDFS says where the media that a file wants have no space for it, or fail. */
  private static final List<String> REFUSALS =
      List.of(
          "could only be written to",
          "Unable to create new block",
          "Failed to replace a bad datanode",
          "All datanodes",
          "No space left on device");

  private static final List<String> REFUSING_CLASSES =
      List.of("QuotaByStorageTypeExceededException", "NotReplicatedYetException");

  /** DISK would have met these as well. */
  private static final List<String> OTHER_CLASSES =
      List.of(
          "BlockMissingException",
          "LeaseExpiredException",
          "AccessControlException",
          "NSQuotaExceededException",
          "DSQuotaExceededException");

  private WriteFailure() {}

  public static boolean onSsd(Throwable failure) {
    boolean io = false;
    boolean other = false;
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEPTH; depth++, cause = cause.getCause()) {
      if (isRefusal(cause)) {
        return true;
      }
      io |= cause instanceof IOException;
      other |= isOther(cause);
    }
    return io && !other;
  }

  private static boolean isRefusal(Throwable t) {
    String said = String.valueOf(t.getMessage());
    return REFUSALS.stream().anyMatch(said::contains)
        || isOneOf(t, REFUSING_CLASSES)
        // A DataNode that hangs. An interruption to Java, but nobody interrupted.
        || t instanceof SocketTimeoutException && !isCall(t);
  }

  private static boolean isOther(Throwable t) {
    String said = String.valueOf(t.getMessage());
    return t instanceof InterruptedIOException
        || t instanceof ClosedByInterruptException
        || t.getClass().getName().startsWith("org.apache.hadoop.hbase.")
        || t instanceof ChecksumException
        || t instanceof FileNotFoundException
        || said.contains("Invalid HFile block magic")
        || said.contains("Filesystem closed")
        || isOneOf(t, OTHER_CLASSES)
        || isCall(t)
        || t instanceof IOException && NameNodeUnavailable.is((IOException) t);
  }

  private static boolean isOneOf(Throwable t, List<String> classes) {
    String name =
        t instanceof RemoteException
            ? String.valueOf(((RemoteException) t).getClassName())
            : t.getClass().getName();
    return classes.stream().anyMatch(simple -> name.endsWith("." + simple));
  }

  /** Whether a call to the NameNode came to nothing; what the NameNode answered is none. */
  private static boolean isCall(Throwable t) {
    return !(t instanceof RemoteException)
        && Arrays.stream(t.getStackTrace())
            .anyMatch(frame -> frame.getClassName().startsWith("org.apache.hadoop.ipc.Client"));
  }
}
