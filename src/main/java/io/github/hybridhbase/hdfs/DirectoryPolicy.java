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

import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy of a directory for new files, read at most once a minute. One that an admin or HBase
 * set there or above wins, except HOT, which may be nobody's choice; so does erasure coding.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class DirectoryPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryPolicy.class);
  private static final long READ_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final PolicyStatus NONE = new PolicyStatus(StoragePolicy.UNSPECIFIED, false);

  private final StorageNamespace namespace;
  private final Path path;
  private final Clock clock;
  private PolicyStatus last;
  private long lastNanos;

  public DirectoryPolicy(StorageNamespace namespace, Path path, Clock clock) {
    this.namespace = namespace;
    this.path = path;
    this.clock = clock;
  }

  public Path path() {
    return path;
  }

  /** {@link StoragePolicy#NONE} if a new file is to follow its directory. */
  public StoragePolicy forFile(StoragePolicy declared) {
    return leaves(now()) ? declared : StoragePolicy.NONE;
  }

  /** For a new file that SSD refused; {@link StoragePolicy#NONE} where that is DISK. */
  public StoragePolicy offSsd() {
    return StoragePolicy.isForSsd(now().effective) ? StoragePolicy.HOT : StoragePolicy.NONE;
  }

  /** Whether files may have policies of the plugin's. */
  public static boolean leaves(PolicyStatus status) {
    boolean free =
        status.effective == StoragePolicy.UNSPECIFIED || status.effective == StoragePolicy.HOT.id();
    return free && !status.erasureCoded;
  }

  /** The last known if HDFS does not answer. */
  private synchronized PolicyStatus now() {
    long nanos = clock.nanos();
    if (last == null || nanos - lastNanos >= READ_NANOS) {
      lastNanos = nanos; // also of a failed read, for which others wait
      try {
        last = read();
      } catch (IOException e) {
        LOG.debug("The policy of {} is not known now", path, e);
      }
    }
    return last == null ? NONE : last;
  }

  /** A directory that HBase has not made yet will have the policy above it. */
  private PolicyStatus read() throws IOException {
    for (Path at = path; at != null; at = at.getParent()) {
      Optional<PolicyStatus> found = namespace.policy(at);
      if (found.isPresent()) {
        return found.get();
      }
    }
    return NONE;
  }
}
