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
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** Why the NameNode takes no request to move blocks: a pure function of the exception. */
@InterfaceAudience.Private
public final class MovesUnavailable {
  private MovesUnavailable() {}

  /** Whether HDFS as a whole could not be asked, so that asking for another file is in vain. */
  public static boolean isOfHdfs(IOException e) {
    // What a NameNode answers about a file is a RemoteException, or unwrapped from one.
    return NameNodeUnavailable.is(e)
        || e instanceof InterruptedIOException
        || e instanceof SocketException
        || e instanceof UnknownHostException
        || e instanceof EOFException
        || FirstLine.of(e).contains("Filesystem closed");
  }

  /** What is the matter and what remedies it; empty where the exception says something else. */
  public static Optional<String> explain(IOException e) {
    String said = FirstLine.of(e);
    if (said.contains("satisfier feature has been disabled")) {
      return Optional.of(
          "The NameNode's storage policy satisfier is off, so nothing moves blocks. Set"
              + " dfs.storage.policy.satisfier.mode=external on the NameNode and start 'hdfs"
              + " --daemon start sps', or run 'hdfs mover -p /hbase' as HDFS's superuser.");
    }
    if (said.contains("satisfier queue limit")) {
      return Optional.of(
          "The NameNode's queue of moves is full. Run this again when 'hdfs"
              + " storagepolicies -satisfyStoragePolicy' requests have been carried out: is the sps"
              + " daemon running?");
    }
    return Optional.empty();
  }
}
